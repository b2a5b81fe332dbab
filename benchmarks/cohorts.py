"""Validating a large cohort, strictly and with its evidence: time, and memory that grows with the index alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.measure import Row, Scale, Taken, environment, timed
from benchmarks.rederive import PEAK
from tallystick.core import pyjson
from tallystick.records.cohort.cohort import parse_cohort
from tallystick.suites.cohorts.definition import definition_digest
from tallystick.suites.cohorts.samples import COHORT_PATH, Shape, sample_cohort, sample_task

GOAL_S: Final = 10.0
GOAL_KB: Final = 40.0
SIGNATURES: Final = 2
"""Of a sample; each has half of the attempts."""
ATTEMPTS: Final = 8


@dataclass(frozen=True, slots=True)
class Figures:
    """A cohort, what validating it took, and the peak of memory in MB."""

    tasks: int
    documents: int
    index_bytes: int
    taken: Taken
    peak_mb: float


def measure(scale: Scale) -> list[Row]:
    """A cohort of a task for each ten of `scale.synthetic`, at most a thousand, and one of a tenth."""
    folder = Path(tempfile.mkdtemp(prefix="tally-bench-"))
    try:
        few = _validate(folder / "few", max(5, scale.synthetic // 100))
        many = _validate(folder / "many", max(5, scale.synthetic // 10))
    finally:
        shutil.rmtree(folder)
    added = (many.peak_mb - few.peak_mb) * 1000 / max(1, many.tasks - few.tasks)
    return [
        Row(
            f"cohort of {many.tasks:,} tasks with {ATTEMPTS} attempts each validated strictly, whole process",
            f"{many.taken.wall:.1f} s",
            f"{many.taken.cpu:.1f} s of CPU; {many.documents:,} documents; {few.taken.wall:.2f} s for {few.tasks:,}",
            f"{GOAL_S:.0f} s",
            many.taken.wall < GOAL_S,
        ),
        Row(
            "its peak memory",
            f"{many.peak_mb:.0f} MB",
            f"{few.peak_mb:.0f} MB for {few.tasks:,}; {added:.0f} kB a task, whose index entry has "
            f"{many.index_bytes / many.tasks / 1000:.1f} kB",
            f"{GOAL_KB:.0f} kB a task",
            added < GOAL_KB,
        ),
    ]


def _validate(root: Path, tasks: int) -> Figures:
    documents = write(root, tasks)
    argv = (sys.executable, "-c", PEAK, "cohort", "validate", COHORT_PATH, "--root", str(root), "--require-evidence")
    finished: list[subprocess.CompletedProcess[str]] = []
    env = environment(root)
    taken = timed(lambda: finished.append(subprocess.run(argv, capture_output=True, text=True, check=False, env=env)))
    done = finished[0]
    if done.returncode != 0 or not done.stdout.startswith("valid: "):
        raise RuntimeError(f"tally cohort validate: {done.stdout[-500:]}{done.stderr[-500:]}")
    peak = int(done.stderr.rpartition("peak-kb ")[2]) * 1024 / 1e6
    return Figures(tasks, documents, (root / COHORT_PATH).stat().st_size, taken, peak)


def write(root: Path, tasks: int) -> int:
    """Write a sound cohort task by task; returns the number of its documents."""
    shape = Shape(attempts=ATTEMPTS // SIGNATURES)
    entries, documents = [], 1
    for number in range(tasks):
        entry, own, files = sample_task(number, shape)
        entries.append(entry)
        documents += len(own)
        for path, data in {**{path: pyjson.canonical(value) for path, value in own.items()}, **files}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
    cohort = sample_cohort(entries, "frozen")
    cohort["definition_digest"] = definition_digest(parse_cohort(cohort))
    (root / COHORT_PATH).write_bytes(pyjson.canonical(cohort))
    return documents
