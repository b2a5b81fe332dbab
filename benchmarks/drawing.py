"""Drawing tasks from families, and proving them: for each an idle agent, the solution twice, cheats and partial solutions."""

from __future__ import annotations

from typing import Final

from benchmarks.measure import Row, Scale, timed
from tallystick.flows.suite_check import check_suite
from tallystick.suites.families import family_names
from tallystick.suites.families.drawing import DrawRequest, draw
from tallystick.suites.loaded import LoadedSuite

INSTANCES: Final = 100
QUICK_FAMILIES: Final = 2


def measure(scale: Scale) -> list[Row]:
    """As many instances as fill a hundred, all families alike; one of a few families with `--quick`."""
    names, each = family_names(), 1
    if scale.rounds == 1:
        names = names[:QUICK_FAMILIES]
    else:
        each = -(-INSTANCES // len(names))
    suites: list[LoadedSuite] = []
    drawn = timed(
        lambda: suites.append(draw(DrawRequest(version="bench", seed="bench", counts=dict.fromkeys(names, each)))),
    )
    suite = suites[0]
    tried = len(suite.tasks) * 3 + len(suite.cheats) + len(suite.partials)
    proven = timed(lambda: check_suite(suite))
    count = len(suite.tasks)
    return [
        Row(
            f"draw {count} tasks from {len(names)} families",
            f"{drawn.wall:.1f} s",
            f"{drawn.wall / count * 1000:.0f} ms each",
        ),
        Row(
            f"prove them: {tried} attempts in the sandbox, graded",
            f"{proven.wall:.0f} s",
            f"{proven.wall / tried * 1000:.0f} ms an attempt; {proven.cpu:.0f} s of CPU",
        ),
    ]
