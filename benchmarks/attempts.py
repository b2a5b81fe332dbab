"""What an isolated attempt costs: workspace, sandbox, agent, seal, grade pass, receipt, all stored durably."""

from __future__ import annotations

import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.measure import Row, Scale, process, timed
from benchmarks.workloads import CHECKS, Workload, suite

WORKERS: Final = 2
GOALS_MS: Final = {"portable": 30, "command": 60, "grader": 60}
TITLES: Final = {
    "portable": "portable assertions (1 sandbox)",
    "command": "and an executed command (2 sandboxes)",
    "grader": "and a grader script that asks once (3 sandboxes)",
}
BARE: Final = (
    *("bwrap", "--unshare-all", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"),
    *("--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "/usr/bin/true"),
)


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of an attempt: wall clock with two workers, and processor time of all processes."""

    wall: float
    cpu: float
    bare: float
    """One bare bubblewrap start, two at a time, in the same minutes."""


def measure(scale: Scale) -> list[Row]:
    """One row per kind of assertion and length of a run."""
    return [_row(kind, count, _cost(kind, count)) for kind in CHECKS for count in scale.attempts]


def _row(kind: str, count: int, cost: Cost) -> Row:
    return Row(
        f"attempt with {TITLES[kind]}, {count:,} in a run",
        f"{cost.wall:.1f} ms",
        f"{cost.wall / cost.bare:.1f} x a bare bwrap start ({cost.bare:.1f} ms, {WORKERS} at a time); {cost.cpu:.1f} ms of CPU",
        f"{GOALS_MS[kind]} ms",
        cost.wall < GOALS_MS[kind],
    )


def _cost(kind: str, count: int) -> Cost:
    folder = Path(tempfile.mkdtemp(prefix="tally-bench-"))
    try:
        work = Workload(suite(kind, folder), folder / "state")
        work.state.mkdir()
        work.run(1)
        before = _bare(count)
        taken = timed(lambda: work.run(count, WORKERS))
        return Cost(taken.wall / count * 1000, taken.cpu / count * 1000, (before + _bare(count)) / 2)
    finally:
        shutil.rmtree(folder)


def _bare(count: int) -> float:
    """Milliseconds per bare bubblewrap start, as many at a time as attempts run."""
    starts = min(count, 40)
    call = process(BARE)

    def start_all() -> None:
        with ThreadPoolExecutor(WORKERS) as pool:
            for future in [pool.submit(call) for _ in range(starts)]:
                future.result()

    return timed(start_all).wall / starts * 1000
