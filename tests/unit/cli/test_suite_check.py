"""`tally suite check`: the finding in words."""

from tallystick.cli.screen import Style
from tallystick.cli.suite_check import check_lines
from tallystick.flows.suite_check import CheckRow, SuiteCheck
from tests.unit.cli.conftest import Tally

FAIR = (
    CheckRow("t", "nop", ok=True, detail="behaviour"),
    CheckRow("t", "oracle", ok=True, detail="the same receipt twice"),
    CheckRow("t", "cheat:hard_coded", ok=True, detail="behaviour"),
)


def test_a_fair_suite() -> None:
    assert list(check_lines(SuiteCheck(FAIR), Style())) == [
        "✓ nop     fails 1 of 1 tasks",
        "✓ oracle  passes 1 of 1 tasks twice, same receipts",
        "✓ cheats  1 of 1 fail for their stated reason",
        "✓ files   no answer in sight of the agent",
        "",
        "  t / hard_coded: fails behaviour",
        "proven",
    ]


def test_what_is_wrong_is_named() -> None:
    wrong = (
        FAIR[0],
        CheckRow("t", "oracle", ok=False, detail="two runs gave two receipts"),
        CheckRow("t", "cheat:hard_coded", ok=False, detail="stated: behaviour; failed: \x1b"),
        CheckRow("t", "static:leak", ok=False, detail="README.md equals the solution"),
    )
    text = "\n".join(check_lines(SuiteCheck(wrong), Style()))
    assert "✗ oracle  passes 0 of 1 tasks" in text
    assert "✗ cheats  0 of 1" in text
    assert "✗ files   see below" in text
    assert "  ✗ t / oracle: two runs gave two receipts" in text
    assert "  ✗ t / cheat:hard_coded: stated: behaviour; failed: \\x1b" in text
    assert text.endswith("not proven")


def test_partial_solutions_and_a_suite_that_was_drawn() -> None:
    rows = (*FAIR, CheckRow("t", "partial:half", ok=True, detail="scores 0.5"))
    lines = list(check_lines(SuiteCheck(rows, drawn=""), Style()))
    assert "✓ partial 1 of 1 partial solutions get their score, in order" in lines
    assert "✓ drawn   again from its seed, same hash" in lines
    lines = list(check_lines(SuiteCheck(rows, drawn="drawn again, its hash differs"), Style()))
    assert "✗ drawn   drawn again, its hash differs" in lines
    assert lines[-1] == "not proven"


def test_families_are_named_one_suite_is_not_a_list(tally: Tally) -> None:
    assert "give one suite" in tally("suite", "check", "golden-v1", "golden-v1").err
    assert "--seeds 0: give a number" in tally("suite", "check", "spec_over_test", "--seeds", "0").err
    assert "no task family 'spec_over_tests'; did you mean" in tally("suite", "check", "spec_over_tests", "--seeds", "1").err
    assert "spec_over_test is a task family, no suite; prove it with --seeds N" in tally("suite", "check", "spec_over_test").err


def test_an_unknown_suite(tally: Tally) -> None:
    said = tally("suite", "check", "golden-v2")
    assert said.code == 2
    assert "did you mean golden-v1?" in said.err
