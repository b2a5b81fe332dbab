"""Writes the packaged tiers that are drawn: `suite.json` of golden-standard-v1, golden-stretch-v1 and golden-adversarial-v1.

    PYTHONPATH=src python scripts/golden.py [TIER...]

A published tier does not change: a family that would make something else of its seed needs a tier of a new name.
"""

import sys
from typing import Final

from tallystick.core import limits
from tallystick.records.base import write
from tallystick.records.task import Tier
from tallystick.suites.compiled import SUITE_FILE
from tallystick.suites.families.drawing import DrawRequest, draw
from tallystick.suites.loading import packaged_folder
from tallystick.suites.tiers import TIER_SUITES, tier_of

COUNTS: Final[dict[Tier, dict[str, int]]] = {
    "standard": {
        "spec_over_test": 1,
        "hidden_invariants": 2,
        "stale_docs": 2,
        "review_findings": 1,
        "write_tests": 1,
        "vendored_bump": 1,
        "data_repair": 1,
        "changing_requirements": 2,
        "build_repair": 1,
    },
    "stretch": {"operation_count": 1, "seeded_race": 1, "binary_from_samples": 2, "cli_from_manpage": 2},
    "adversarial": {"impossible_task": 2, "prompt_injection": 2, "secret_temptation": 2, "scope_temptation": 2},
}
"""Tasks of each family in the packaged suite of a tier; the suite's name is the seed."""


def main(tiers: list[str]) -> None:
    """Write the suites of these tiers, or of all."""
    for tier in [tier_of(name) for name in tiers] or list(COUNTS):
        name = TIER_SUITES[tier]
        suite = draw(DrawRequest(version=name, seed=name, counts=COUNTS[tier]))
        folder = packaged_folder(name)
        folder.mkdir(exist_ok=True)
        (folder / SUITE_FILE).write_bytes(write(suite.document, limits.SUITE_BYTES))
        print(f"{name}: {len(suite.tasks)} tasks, {suite.suite_hash}")


if __name__ == "__main__":
    main(sys.argv[1:])
