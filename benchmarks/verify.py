"""`tally verify` of a golden-v1 bundle as a user starts it: one process, from start to exit."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.measure import Row, Scale, environment, interleaved, ms, process
from tallystick.flows.adapters import AgentRequest, make_adapter
from tallystick.flows.publishing import publish
from tallystick.flows.run import RunRequest, run
from tallystick.suites.loading import load_suite
from tallystick.trust.signing import Signer

TALLY: Final = (sys.executable, "-c", "from tallystick.cli.main import main; main()")
CORE: Final = "import tallystick.core.c1, tallystick.core.merkle, tallystick.records.bundle"
GOALS_S: Final = {"rederived": 0.2, "regraded": 0.8}


def measure(scale: Scale) -> list[Row]:
    """Whole processes, from their start to their exit."""
    folder = Path(tempfile.mkdtemp(prefix="tally-bench-"))
    try:
        bundle = str(_bundle(folder))
        env = environment(folder)
        taken = interleaved(
            {
                "python": process((sys.executable, "-c", "pass"), env),
                "core": process((sys.executable, "-c", CORE), env),
                "rederived": process((*TALLY, "verify", "--no-exec", bundle), env),
                "regraded": process((*TALLY, "verify", bundle), env),
            },
            scale.rounds,
        )
    finally:
        shutil.rmtree(folder)
    python, core = taken["python"], taken["core"]
    known = f"python -c pass {ms(python.wall)}, importing our records {ms(core.wall)}"
    return [
        Row(
            f"tally verify of golden-v1, {level}, whole process",
            ms(taken[level].wall),
            f"{taken[level].wall / python.wall:.0f} x Python's own start ({known}); {ms(taken[level].cpu)} of CPU",
            f"{goal} s",
            taken[level].wall < goal,
        )
        for level, goal in GOALS_S.items()
    ]


def _bundle(folder: Path) -> Path:
    """A signed bundle of the reference solutions."""
    suite = load_suite("golden-v1")
    adapter = make_adapter(AgentRequest("oracle"), suite)
    done = run(RunRequest(suite, adapter, folder / "state"))
    return publish(done, Signer.generate(), folder / "golden.json")[1]
