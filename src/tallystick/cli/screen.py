"""Where output goes and what it may look like: results to standard output, progress and notices to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from io import FileIO, TextIOWrapper
from pathlib import Path
from typing import Literal, TextIO

from tallystick.cli import settings
from tallystick.core.digest import short

__all__ = ["Screen", "Style", "fill_closed_streams", "open_screen", "silence"]


@dataclass(frozen=True, slots=True)
class Style:
    """What a stream can show."""

    color: bool = False
    unicode: bool = True

    def good(self, text: str) -> str:
        """Something that holds."""
        return self._paint("32", text)

    def bad(self, text: str) -> str:
        """Something that does not."""
        return self._paint("31;1", text)

    def bold(self, text: str) -> str:
        """The line to read first."""
        return self._paint("1", text)

    def mark(self, *, ok: bool) -> str:
        """A tick or a cross."""
        if ok:
            return self.good("✓" if self.unicode else "+")
        return self.bad("✗" if self.unicode else "x")

    @property
    def ellipsis(self) -> str:
        """What stands for something left out."""
        return "…" if self.unicode else "..."

    def digest(self, digest: str) -> str:
        """A digest cut to eight digits."""
        return short(digest).replace("…", self.ellipsis)

    def _paint(self, code: str, text: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self.color else text


@dataclass(frozen=True, slots=True)
class Screen:
    """The two streams of a command. `live`: standard error is a terminal on which a line can be drawn again."""

    out: TextIO
    err: TextIO
    style: Style = Style()
    err_style: Style = Style()
    live: bool = False

    def say(self, lines: Iterable[str]) -> None:
        """Results."""
        self.out.write("".join(f"{line.rstrip()}\n" for line in lines))
        self.out.flush()

    def wrote(self, out: Path, *lines: str) -> None:
        """That a file was written. Where `out` was a pipe or device it may be standard output itself, which holds data then."""
        if out.is_file() and not str(out.absolute()).startswith(("/dev/", "/proc/")):
            self.say(lines)
        else:
            self.note(*lines)

    def note(self, *lines: str) -> None:
        """Progress and notices."""
        self.draw("".join(f"{line.rstrip()}\n" for line in lines))

    def draw(self, text: str) -> None:
        """Write to standard error as it stands. Where nobody reads it any more, the work goes on and nothing more is said."""
        try:
            self.err.write(text)
            self.err.flush()
        except OSError:
            silence(self.err)

    def data(self, document: bytes) -> None:
        """One line of JSON."""
        self.raw((document, b"\n"))

    def raw(self, pieces: Iterable[bytes]) -> None:
        """Data as UTF-8 whatever the terminal's encoding: another one would change what it says."""
        raw = getattr(self.out, "buffer", None)
        self.out.flush()
        for piece in pieces:
            if raw is None:
                self.out.write(piece.decode())
            else:
                raw.write(piece)
        self.out.flush()


def fill_closed_streams() -> None:
    """Put /dev/null where the caller closed a standard stream (`tally ... >&-`), for which Python has None.

    The system gives the lowest number that is free, so no file that is opened later becomes somebody's standard output.
    """
    if sys.stdin is None:
        sys.stdin = _nothing("r")
    if sys.stdout is None:
        sys.stdout = _nothing("w")
    if sys.stderr is None:
        sys.stderr = _nothing("w")


def _nothing(mode: Literal["r", "w"]) -> TextIO:
    fd = os.open(os.devnull, os.O_RDWR)
    os.set_inheritable(fd, True)  # programs that are started have streams too
    return TextIOWrapper(FileIO(fd, mode), encoding="utf-8", write_through=True)


def silence(stream: TextIO) -> None:
    """The reader went away: nothing more can be said, and the flush at exit must not complain."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC), stream.fileno())
    except (OSError, ValueError):
        return


def open_screen() -> Screen:
    """The process's own streams."""
    plain = settings.plain_terminal()
    return Screen(
        sys.stdout,
        sys.stderr,
        _style(sys.stdout, plain=plain),
        _style(sys.stderr, plain=plain),
        live=sys.stderr.isatty() and not plain,
    )


def _style(stream: TextIO, *, plain: bool) -> Style:
    try:
        "✓✗…".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return Style(color=False, unicode=False)
    return Style(color=stream.isatty() and not plain, unicode=True)
