"""Every family proven in the real sandbox: idle agents fail, solutions pass, cheats fail, partial solutions score in order."""

import os

import pytest

from tallystick.flows.suite_check import check_families, check_suite
from tallystick.records.task import TIERS, Tier
from tallystick.sandbox.drivers import probe
from tallystick.suites.families import family_names
from tallystick.suites.loading import load_suite
from tallystick.suites.tiers import TIER_SUITES

SEEDS = int(os.environ.get("TALLY_FAMILY_SEEDS", "1"))
"""How many seeds of each family are tried; a release is tried with fifty."""

pytestmark = pytest.mark.skipif(not probe().works, reason=f"no sandbox: {probe().problem}")


@pytest.mark.slow
@pytest.mark.parametrize("name", family_names())
def test_a_family_is_proven(name: str) -> None:
    found = check_families([name], SEEDS, workers=1)
    assert [(row.task_id, row.tried, row.detail) for row in found.rows if not row.ok] == []
    assert found.count("oracle") == (SEEDS, SEEDS)
    assert found.count("nop") == (SEEDS, SEEDS)
    assert found.count("cheat")[0] >= 2 * SEEDS
    assert 4 * SEEDS <= found.count("partial")[0] <= 6 * SEEDS


@pytest.mark.slow
def test_every_seed_is_tried_once() -> None:
    found = check_families(["review_findings"], 11, workers=2)
    tried = [row.task_id for row in found.rows if row.tried == "nop"]
    assert tried == [f"review_findings-1.seed-{seed}" for seed in range(1, 12)]
    assert found.ok


@pytest.mark.slow
@pytest.mark.parametrize("tier", TIERS)
def test_a_packaged_tier_is_proven(tier: Tier) -> None:
    suite = load_suite(TIER_SUITES[tier])
    found = check_suite(suite, workers=1)
    assert [(row.task_id, row.tried, row.detail) for row in found.rows if not row.ok] == []
    assert found.count("cheat") == (len(suite.cheats),) * 2
    assert found.count("partial") == (len(suite.partials),) * 2
    assert found.drawn == (None if tier == "smoke" else "")
