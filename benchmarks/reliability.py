"""Deriving a floor again: a receipt of 100 tasks x 10 attempts, whole process, against verifying the bundle inside alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.measure import Row, Scale, Taken, environment, timed
from benchmarks.rederive import PEAK
from benchmarks.workloads import CHECKS
from tallystick.flows.publishing import publish
from tallystick.flows.reliability import publish_reliability
from tallystick.flows.run import RunDone, RunRequest, run
from tallystick.runner.mock import StochasticMockAdapter
from tallystick.suites.loading import load_suite
from tallystick.trust.signing import Signer

TASKS: Final = 100
K: Final = 10


def measure(scale: Scale) -> list[Row]:
    """One receipt; its attempts are those of a mock that fails half of the time, with a workspace of eight files."""
    folder = Path(tempfile.mkdtemp(prefix="tally-bench-"))
    try:
        tasks = min(TASKS, max(2, scale.synthetic // K))
        done, signer = _run(folder, tasks), Signer.generate()
        receipt = publish_reliability(done, signer, folder / "receipt.json").path
        bundle = publish(done, signer, folder / "bundle.json", "json")[1]
        taken, peak = _verify(folder, "bench", "reliability-verify", str(receipt))
        alone, _ = _verify(folder, "verify", str(bundle))
        size = receipt.stat().st_size / 1e6
    finally:
        shutil.rmtree(folder)
    ratio = taken.wall / alone.wall
    return [
        Row(
            f"reliability-verify of {tasks} tasks x {K} attempts, rederived, whole process",
            f"{taken.wall:.2f} s",
            f"{ratio:.2f} x tally verify of its bundle ({alone.wall:.2f} s); {taken.cpu:.2f} s of CPU; {size:.1f} MB file",
        ),
        Row("its peak memory", f"{peak:.0f} MB"),
    ]


def _run(folder: Path, tasks: int) -> RunDone:
    suite = folder / "suite"
    for number in range(tasks):
        task = suite / "smoke" / f"greet{number:03}"
        (task / "workspace" / "src").mkdir(parents=True)
        (task / "solution").mkdir()
        (task / "workspace" / "greeting.txt").write_text("hello, world\n")
        (task / "solution" / "greeting.txt").write_text("goodbye, world\n")
        for module in range(8):
            (task / "workspace" / "src" / f"module{module}.py").write_text(f"VALUE = {number * module}\n" * 40)
        text = f"---\ntitle: Say goodbye {number}\ncategory: file_io\nassertions:\n{CHECKS['portable']}---\nSay goodbye.\n"
        (task / "task.md").write_text(text)
    (suite / "suite.yaml").write_text(f"version: bench-floor\norder: [{', '.join(f'greet{n:03}' for n in range(tasks))}]\n")
    return run(RunRequest(load_suite(suite), StochasticMockAdapter(), folder / "state", attempts=K))


def _verify(folder: Path, *command: str) -> tuple[Taken, float]:
    """What verifying took, and its peak of memory in MB."""
    argv = (sys.executable, "-c", PEAK, *command, "--no-exec", "--suite", str(folder / "suite"))
    env = environment(folder)
    finished: list[subprocess.CompletedProcess[str]] = []
    taken = timed(lambda: finished.append(subprocess.run(argv, capture_output=True, text=True, check=False, env=env)))
    if finished[0].returncode != 0:
        raise RuntimeError(f"tally {' '.join(command)}: {finished[0].stdout[-500:]}{finished[0].stderr[-500:]}")
    return taken, int(finished[0].stderr.rpartition("peak-kb ")[2]) * 1024 / 1e6
