"""Deriving a score again over many attempts, from one `.tally` file: time, and memory that stays flat."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from benchmarks.measure import Row, Scale, Taken, environment, timed
from benchmarks.verify import TALLY
from tallystick.records.containers import BlobView, receipts_of, write_bundle
from tallystick.records.tree import apply_overlay
from tallystick.suites.compiled import write_compiled
from tallystick.suites.loaded import LoadedSuite, index_trees
from tests.support.synthetic import SUITE, Run, honest_run, seal

GOAL_S: Final = 10.0
GOAL_MB: Final = 300
PEAK: Final = """
import re, sys
from pathlib import Path
from tallystick.cli.main import run
code = run(sys.argv[1:])
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
print(f"peak-kb {peak}", file=sys.stderr)
sys.exit(code)
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """Attempts in a file, what verifying it took, its peak of memory in MB, and the bytes of the file."""

    attempts: int
    taken: Taken
    peak_mb: float
    size: int


def measure(scale: Scale) -> list[Row]:
    """One file of `scale.synthetic` attempts, and one of a tenth, to see how it grows."""
    folder = Path(tempfile.mkdtemp(prefix="tally-bench-"))
    try:
        write_compiled(suite(), folder / "suite")
        few = _verify(folder, max(1, scale.synthetic // 10))
        many = _verify(folder, scale.synthetic)
    finally:
        shutil.rmtree(folder)
    return [
        Row(
            f"rederived over {many.attempts:,} attempts with a workspace each, whole process",
            f"{many.taken.wall:.1f} s",
            f"{many.taken.cpu:.1f} s of CPU; {few.taken.wall:.2f} s for {few.attempts:,}; {many.size / 1e6:.1f} MB file",
            f"{GOAL_S:.0f} s",
            many.taken.wall < GOAL_S,
        ),
        Row(
            "its peak memory",
            f"{many.peak_mb:.0f} MB",
            f"{few.peak_mb:.0f} MB for {few.attempts:,}",
            f"{GOAL_MB} MB",
            many.peak_mb < GOAL_MB,
        ),
    ]


def suite() -> LoadedSuite:
    """The tiny suite as the compiled form wants it: its trees in the order of their digests."""
    trees = index_trees(SUITE.document.trees)
    document = msgspec.structs.replace(SUITE.document, trees=tuple(trees[digest] for digest in sorted(trees)))
    return LoadedSuite(document, SUITE.blobs, "reader", trees)


def _verify(folder: Path, attempts: int) -> Figures:
    count, file = write(folder, attempts)
    argv = (sys.executable, "-c", PEAK, "verify", "--no-exec", "--suite", str(folder / "suite"), str(file))
    env = environment(folder)
    finished: list[subprocess.CompletedProcess[str]] = []
    taken = timed(lambda: finished.append(subprocess.run(argv, capture_output=True, text=True, check=False, env=env)))
    done = finished[0]
    if "MATCH" not in done.stdout:
        raise RuntimeError(f"{' '.join(TALLY)} verify: {done.stdout[-500:]}{done.stderr[-500:]}")
    peak = int(done.stderr.rpartition("peak-kb ")[2]) * 1024 / 1e6
    return Figures(count, taken, peak, file.stat().st_size)


def write(folder: Path, attempts: int) -> tuple[int, Path]:
    """A signed `.tally` of the tiny suite with about so many attempts, each of which left other files."""
    of = -(-attempts // len(SUITE.tasks))
    made = honest_run(of)
    for part in made.parts:
        part.final = apply_overlay(part.final, made.put({"log.txt": f"attempt {part.attempt.index}\n"}), ())
    return len(made.parts), _written(made, folder / f"{attempts}.tally")


def _written(made: Run, out: Path) -> Path:
    sealed = seal(made)
    written = write_bundle(sealed.bundle, receipts_of(sealed.bundle), BlobView(sealed.digests, sealed.blobs), "tally")
    with out.open("wb") as file:
        for chunk in written.chunks:
            file.write(chunk)
    return out
