"""Progress on standard error: a line drawn again on a terminal, a line now and then elsewhere, nothing for --quiet."""

from __future__ import annotations

import shutil
import threading
import time
from dataclasses import dataclass
from fractions import Fraction
from types import TracebackType
from typing import Final, Protocol, Self

from tallystick.cli.screen import Screen
from tallystick.cli.text import clip, safe
from tallystick.core.exact import Num, to_num

__all__ = ["LiveLine", "PlainLines", "Progressing", "Regrading", "RunProgress", "Silent", "clock", "open_display"]

PLAIN_LINES: Final = 50
"""Progress lines of one run where they stay on the page, such as in a log."""


class Progressing(Protocol):
    """How far something is (`runner.executor.Progress` has this shape)."""

    @property
    def done(self) -> int:
        """Attempts that are finished."""
        ...

    @property
    def total(self) -> int:
        """All attempts."""
        ...

    @property
    def running(self) -> tuple[str, ...]:
        """Names of the attempts under way."""
        ...

    @property
    def seconds_left(self) -> float | None:
        """An estimate, or None."""
        ...

    @property
    def last(self) -> str | None:
        """The attempt that has just finished, or None when one started."""
        ...

    @property
    def cost_usd(self) -> Num | None:
        """What is known to be spent; None where nothing can be spent."""
        ...

    @property
    def cost_unknown(self) -> int:
        """Finished attempts of which nobody knows what they cost."""
        ...


@dataclass(frozen=True, slots=True)
class Regrading:
    """How many attempts were graded again."""

    done: int
    total: int
    running: tuple[str, ...] = ()
    seconds_left: float | None = None
    last: str | None = "grading again"
    cost_usd: Num | None = None
    cost_unknown: int = 0


class RunProgress(Protocol):
    """A display that is told about progress while its `with` block runs."""

    def __enter__(self) -> Self:
        """Begin."""
        ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End; what follows starts on a fresh line."""
        ...

    def __call__(self, progress: Progressing) -> None:
        """Show it."""
        ...


def clock(seconds: float) -> str:
    """`m:ss`, or `h:mm:ss` from an hour on."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def open_display(screen: Screen, *, quiet: bool) -> RunProgress:
    """The display that fits where standard error goes."""
    if quiet:
        return Silent()
    return LiveLine(screen) if screen.live else PlainLines(screen)


class Silent:
    """Shows nothing."""

    def __enter__(self) -> Self:
        """Nothing to begin."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Nothing to end."""

    def __call__(self, progress: Progressing) -> None:
        """Nothing to show."""


class PlainLines(Silent):
    """A line for every finished attempt, and of long runs for every fiftieth part."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._next = 0

    def __call__(self, progress: Progressing) -> None:
        """A line, if one is due."""
        if progress.last is None or (progress.done < self._next and progress.done < progress.total):
            return
        self._next = progress.done + max(1, progress.total // PLAIN_LINES)
        left = "" if progress.seconds_left is None else f"  {clock(progress.seconds_left)} left"
        spent = "".join(f"  {word}" for word in _spent(progress))
        self._screen.note(f"{_count(progress)}  {safe(progress.last)} finished{left}{spent}")


class LiveLine(Silent):
    """One line that is drawn again when something happens and every second, so that a long attempt does not look dead."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._latest: tuple[Progressing, float] | None = None
        self._ticker = threading.Thread(target=self._tick, name="progress", daemon=True)

    def __enter__(self) -> Self:
        """Start the clock."""
        self._began = time.monotonic()
        self._ticker.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Stop the clock and clear the line."""
        self._end.set()
        self._ticker.join()
        self._write("")

    def __call__(self, progress: Progressing) -> None:
        """Draw it."""
        with self._lock:
            self._latest = (progress, time.monotonic())
            self._draw()

    def _tick(self) -> None:
        while not self._end.wait(1):
            with self._lock:
                self._draw()

    def _draw(self) -> None:
        if self._latest is None:
            return
        progress, at = self._latest
        now = time.monotonic()
        parts = [_count(progress), f"{clock(now - self._began)} gone"]
        if progress.seconds_left is not None:
            parts.append(f"{clock(progress.seconds_left - (now - at))} left")
        parts += _spent(progress)
        if progress.running:
            parts.append(f"running {safe(', '.join(progress.running))}")
        # The last columns stay free: some terminals wrap when the last is written, and Ctrl-C shows ^C.
        columns = shutil.get_terminal_size().columns - 3
        self._write(clip("  ".join(parts), columns, self._screen.err_style.ellipsis))

    def _write(self, line: str) -> None:
        self._screen.draw(f"\r\033[2K{line}")


def _count(progress: Progressing) -> str:
    return f"{progress.done:>{len(str(progress.total))}}/{progress.total}"


def _spent(progress: Progressing) -> list[str]:
    """Cost so far, and how much of it nobody can know."""
    if progress.cost_usd is None:
        return []
    if progress.cost_unknown == progress.done > 0:
        return ["cost unknown"]
    known = f"{to_num(Fraction(progress.cost_usd))} USD"
    return [known if not progress.cost_unknown else f"{known} and {progress.cost_unknown} unknown"]
