"""`tally suite ladder`: the finding in words, and its exit code."""

from pathlib import Path

from tallystick.cli.screen import Style
from tallystick.cli.suite_ladder import ladder_lines
from tallystick.cli.text import WIDTH
from tallystick.flows.ladder import Climb, ClimbRow
from tallystick.suites.loading import load_suite
from tests.unit.cli.conftest import Tally

RUNGS = ("nop", "revert", "regex-patch", "mutation-repair")
LONG = "a-task-with-a-name-of-more-than-forty-characters"
ROWS = (
    ClimbRow("easy", "smoke", ("regex-patch", "mutation-repair")),
    ClimbRow("hard", "standard", ()),
    ClimbRow(LONG, "adversarial", ("nop", "revert", "regex-patch", "mutation-repair")),
)


def found(*rows: ClimbRow) -> Climb:
    return Climb(load_suite("golden-v1"), RUNGS, rows)


def test_rates_and_tasks() -> None:
    assert list(ladder_lines(found(*ROWS[:2]), Style())) == [
        "golden-v1: predicted by programs that ask no model, which measure no agent",
        "",
        "solved by       nop  revert  regex-patch  mutation-repair    any",
        "smoke           0/1     0/1          1/1              1/1    1/1",
        "standard        0/1     0/1          0/1              0/1    0/1",
        "",
        "  ✓ easy  smoke        predicted smoke: regex-patch, mutation-repair",
        "  ✓ hard  standard     predicted beyond smoke",
        "",
        "no task is easier than its tier says",
    ]


def test_a_prediction_that_is_not_the_tier_has_no_tick() -> None:
    lines = list(ladder_lines(found(ClimbRow("odd", "smoke", ())), Style()))
    assert "  - odd  smoke        predicted beyond smoke" in lines
    assert "✓" not in "".join(lines)


def test_a_misplaced_task_is_named_with_what_to_do() -> None:
    lines = list(ladder_lines(found(*ROWS), Style()))
    text = " ".join(" ".join(lines).split())
    assert f"✗ {LONG} is of tier adversarial, and nop, revert, regex-patch, mutation-repair solve it: move it to smoke" in text
    assert lines[-1] == "1 of 3 tasks easier than the tier says"
    assert max(map(len, lines)) <= WIDTH
    assert not found(*ROWS).ok


def test_a_task_that_could_not_be_tried_is_no_proof() -> None:
    tried = found(ClimbRow("t", "standard", (), ("revert",)))
    assert not tried.ok
    lines = list(ladder_lines(tried, Style()))
    assert "predicted unknown" in lines[5]
    assert lines[-1] == "1 of 1 tasks could not be tried by every rung"


def test_what_is_not_there(tally: Tally, tmp_path: Path) -> None:
    assert tally("suite", "ladder", "golden-v1", "--rung", "oracle").code == 2
    assert "did you mean golden-v1?" in tally("suite", "ladder", "golden-v2").err
