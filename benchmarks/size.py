"""What an attempt adds to the file that is published."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.measure import Row, Scale
from benchmarks.workloads import Workload, suite
from tallystick.flows.publishing import publish
from tallystick.records.containers import Container
from tallystick.trust.signing import Signer

GOAL_BYTES: Final = 7000
CONTAINERS: Final[tuple[Container, ...]] = ("json", "tally")


def measure(scale: Scale) -> list[Row]:
    """The slope between a run of one attempt and a longer one, for both containers; artifacts are shared and cancel out."""
    folder = Path(tempfile.mkdtemp(prefix="tally-bench-"))
    try:
        few, many = _sizes(folder, 1), _sizes(folder, 1 + scale.attempts[0])
    finally:
        shutil.rmtree(folder)
    per = {name: (many[name] - few[name]) / scale.attempts[0] for name in CONTAINERS}
    return [
        Row(
            f"bytes of an attempt beyond its artifacts, .{name}",
            f"{per[name]:,.0f} B",
            f"the file of one attempt: {few[name]:,} B",
            f"{GOAL_BYTES:,} B",
            per[name] < GOAL_BYTES,
        )
        for name in CONTAINERS
    ]


def _sizes(folder: Path, attempts: int) -> dict[Container, int]:
    place = Path(tempfile.mkdtemp(dir=folder))
    work = Workload(suite("command", place), place / "state")
    work.state.mkdir()
    done = work.run(attempts)
    signer = Signer.generate()
    return {name: publish(done, signer, place / f"out.{name}", name)[1].stat().st_size for name in CONTAINERS}
