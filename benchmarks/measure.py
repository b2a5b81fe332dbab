"""Rounds, medians, and the rows of the table."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured: rounds per median, attempts per run, attempts in the synthetic bundle."""

    rounds: int = 11
    attempts: tuple[int, ...] = (100, 1000)
    synthetic: int = 10_000
    document_bytes: int = 2_000_000


FULL: Final = Scale()
LARGE: Final = Scale(attempts=(100, 1000, 10_000))
QUICK: Final = Scale(rounds=1, attempts=(1,), synthetic=3, document_bytes=20_000)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was measured, the figure, what stands beside it, and the goal of the design."""

    what: str
    figure: str
    beside: str = ""
    goal: str = ""
    met: bool | None = None

    def cells(self) -> tuple[str, ...]:
        """The line as it is printed."""
        return (self.what, self.figure, self.beside, self.goal, "" if self.met is None else "met" if self.met else "missed")


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds on the clock, and processor seconds of this process and all it has reaped."""

    wall: float
    cpu: float


def timed(call: Callable[[], object]) -> Taken:
    """What one call takes."""
    begin, before = time.perf_counter(), _processor()
    call()
    return Taken(time.perf_counter() - begin, _processor() - before)


def _processor() -> float:
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def interleaved(calls: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, Taken]:
    """Medians of each call. They take turns, so that a busy moment of the machine hits all of them."""
    for call in calls.values():
        call()  # caches of the file system, byte code
    taken: dict[str, list[Taken]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            taken[name].append(timed(call))
    return {
        name: Taken(statistics.median(one.wall for one in times), statistics.median(one.cpu for one in times))
        for name, times in taken.items()
    }


def process(argv: Sequence[str], env: Mapping[str, str] | None = None) -> Callable[[], object]:
    """A call that runs a program to its end, which must be exit 0."""

    def call() -> None:
        done = subprocess.run(argv, check=False, env=env, stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(f"{argv} ended with {done.returncode}: {done.stderr[-500:]!r} {done.stdout[-500:]!r}")

    return call


def environment(home: Path) -> dict[str, str]:
    """What a program of ours is started with: this Python's modules, byte code kept, as where tally is installed, no keys."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "HOME": str(home), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def table_head() -> str:
    """The first lines of a Markdown table of rows."""
    names = ("what", "here", "beside it, same run", "goal", "")
    return _lines([names, ("---",) * len(names)])


def table_rows(rows: Sequence[Row]) -> str:
    """Rows as lines of a Markdown table."""
    return _lines([row.cells() for row in rows])


def _lines(cells: Sequence[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def ms(seconds: float) -> str:
    """Seconds as milliseconds for reading."""
    return f"{seconds * 1000:.1f} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms"
