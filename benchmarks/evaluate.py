"""The golden score over many attempts, from one bundle and from one telemetry file: time, and peak memory."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from benchmarks.measure import Row, Scale, environment, timed
from benchmarks.rederive import PEAK, suite, write
from tallystick.suites.compiled import write_compiled
from tallystick.suites.loading import load_suite
from tallystick.suites.tiers import TIER_SUITES

GOAL_S: Final = 20.0
GOAL_MB: Final = 400
_TOLD: Final[dict[str, Any]] = {
    "duration_s": 61.25,
    "turns_used": 12,
    "files_read": ["a.py", "b.py"],
    "files_modified": [],
    "tokens_input": 12_000,
    "tokens_output": 900,
    "cost_usd": 0.041,
    "tests_run": 8,
    "tests_passed": 8,
    "tests_failed": 0,
    "completion_signals_checked": 3,
}


def measure(scale: Scale) -> list[Row]:
    """Whole processes: a `.tally` file of `scale.synthetic` attempts, and telemetry of as many."""
    folder = Path(tempfile.mkdtemp(prefix="tally-bench-"))
    try:
        write_compiled(suite(), folder / "suite")
        count, file = write(folder, scale.synthetic)
        rows = _rows(folder, "a bundle", count, [str(file), "--suite", str(folder / "suite")])
        count, told = _telemetry(folder, scale.synthetic)
        return rows + _rows(folder, "telemetry", count, [str(told)])
    finally:
        shutil.rmtree(folder)


def _telemetry(folder: Path, attempts: int) -> tuple[int, Path]:
    """About so many attempts at the tasks of the smoke tier; every second one did not finish."""
    tasks = [task.id for task in load_suite(TIER_SUITES["smoke"]).tasks]
    each = -(-attempts // len(tasks))
    rows = [
        {"task_id": task, **_TOLD, "completion_signals_passed": 3 if number % 2 else 2}
        for number in range(each)
        for task in tasks
    ]
    path = folder / "telemetry.json"
    path.write_text(json.dumps(rows))
    return len(rows), path


def _rows(folder: Path, what: str, attempts: int, args: list[str]) -> list[Row]:
    argv = (sys.executable, "-c", PEAK, "eval", "run", *args, "--json", "--state", str(folder / "state"))
    finished: list[subprocess.CompletedProcess[str]] = []
    env = environment(folder)
    taken = timed(lambda: finished.append(subprocess.run(argv, capture_output=True, text=True, check=False, env=env)))
    done = finished[0]
    if done.returncode != 0:
        raise RuntimeError(f"tally eval run: {done.stderr[-500:]}")
    found = json.loads(done.stdout)
    if found["attempts"] != attempts:
        raise RuntimeError(f"{found['attempts']} attempts were scored, not {attempts}")
    peak = int(done.stderr.rpartition("peak-kb ")[2]) * 1024 / 1e6
    beside = f"{taken.cpu:.1f} s of CPU; {found['passed']:,} passed, the others classified"
    return [
        Row(
            f"golden score over {attempts:,} attempts of {what}, whole process",
            f"{taken.wall:.1f} s",
            beside,
            f"{GOAL_S:.0f} s",
            taken.wall < GOAL_S,
        ),
        Row("its peak memory", f"{peak:.0f} MB", "", f"{GOAL_MB} MB", peak < GOAL_MB),
    ]
