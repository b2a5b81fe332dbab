"""A tier is its packaged suite, or the operator's own tasks of that tier."""

from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.records.task import TIERS, Tier
from tallystick.suites.loading import packaged_names
from tallystick.suites.tiers import TIER_SUITES, load_tier, tier_of
from tallystick.suites.yaml_values import AuthoringError
from tests.unit.suites.authored import TASK, write_files

LEAST = {"smoke": 6, "standard": 12, "stretch": 6, "adversarial": 8}


@pytest.mark.parametrize("tier", TIERS)
def test_every_tier_comes_with_tally(tier: Tier) -> None:
    suite = load_tier(tier, None)
    assert suite.version == TIER_SUITES[tier] == f"golden-{tier}-v1"
    assert suite.version in packaged_names()
    assert suite.origin == "packaged"
    assert len(suite.tasks) >= LEAST[tier]
    assert {task.tier for task in suite.tasks} == {tier}
    assert {task.judge for task in suite.tasks} == {"static-v1"}


def test_own_tasks_stand_in_for_their_tier_only(tmp_path: Path) -> None:
    own = write_files(tmp_path / "golden", {"smoke/mine.md": TASK, "stretch/hard.md": TASK})
    assert [task.id for task in load_tier("smoke", own).tasks] == ["mine"]
    assert load_tier("smoke", own).version == "golden-smoke-own"
    assert [task.id for task in load_tier("stretch", own).tasks] == ["hard"]
    assert load_tier("standard", own).origin == "packaged"
    assert load_tier("smoke", tmp_path / "none").origin == "packaged"


def test_an_empty_folder_stands_in_for_nothing(tmp_path: Path) -> None:
    write_files(tmp_path / "golden", {"stretch/hard.md": TASK, "smoke/.keep": "", "smoke/README.md": "notes"})
    assert load_tier("smoke", tmp_path / "golden").origin == "packaged"


def test_a_bad_task_of_an_operator_is_named(tmp_path: Path) -> None:
    own = write_files(tmp_path / "golden", {"smoke/mine.md": "no task"})
    with pytest.raises(AuthoringError, match=r"mine\.md:1"):
        load_tier("smoke", own)


def test_names_of_tiers() -> None:
    assert tier_of("stretch") == "stretch"
    with pytest.raises(InputError, match="no tier 'easy'; there are smoke, standard"):
        tier_of("easy")
