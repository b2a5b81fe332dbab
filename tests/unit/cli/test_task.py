"""`tally task`: new, try and check as a person types them."""

import json
from pathlib import Path

import pytest

from tallystick.cli.screen import Style
from tallystick.cli.task_check import check_lines
from tallystick.flows.task_check import TaskCheck, TaskRow
from tallystick.suites.fairness import Finding
from tests.acceptance.support import needs_bwrap
from tests.unit.cli.conftest import Tally
from tests.unit.flows.repositories import NEW_TESTS, shop
from tests.unit.suites.authored import TASK, write_files


def test_a_new_task_says_what_to_do_next(tally: Tally) -> None:
    said = tally("task", "new", "mend_clock")
    assert said.code == 0
    assert said.out.splitlines() == [
        "made tasks/smoke/mend_clock",
        "read   tasks/smoke/mend_clock/task.md",
        "check  tally task check mend_clock",
        "try    tally task try mend_clock --shell",
    ]


def test_a_suite_with_a_space_in_its_name_is_quoted(tally: Tally) -> None:
    said = tally("task", "new", "a", "--suite", "my süite", "--tier", "stretch")
    assert "tally task check a --suite 'my süite'" in said.out


def test_the_working_directory_is_the_suite_where_it_is_one(tally: Tally, tmp_path: Path) -> None:
    write_files(tmp_path, {"smoke/old.md": TASK})
    assert tally("task", "new", "a").code == 0
    assert (tmp_path / "smoke/a/task.md").is_file()


def test_a_second_task_of_the_same_name(tally: Tally) -> None:
    tally("task", "new", "a")
    said = tally("task", "new", "a", "--tier", "stretch")
    assert said.code == 2
    assert "is not overwritten" in said.err


def test_json(tally: Tally) -> None:
    assert json.loads(tally("task", "new", "a", "--json").out) == {"folder": "tasks/smoke/a", "notes": [], "task_id": "a"}


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--fix", "main"), "mean nothing without --from-repo"),
        (("--from-repo", "r"), "needs --fix"),
        (("--from-repo", "r", "--fix", "main"), "no git repository"),
        (("--tier", "easy"), "easy"),
    ],
)
def test_options_that_do_not_fit(tally: Tally, args: tuple[str, ...], says: str) -> None:
    said = tally("task", "new", "a", *args)
    assert said.code == 2
    assert says in said.err
    assert said.err.count("\n") == 1


def test_a_refused_commit_is_one_line(tally: Tally, tmp_path: Path) -> None:
    fix = shop(tmp_path / "r", fix={"tests/test_cart.py": NEW_TESTS})
    said = tally("task", "new", "a", "--from-repo", "r", "--fix", fix)
    assert said.code == 2
    assert said.err.startswith(f"tally: commit {fix[:12]} touches tests only")
    assert said.err.count("\n") == 1


@needs_bwrap
def test_a_commit_becomes_a_task(tally: Tally, tmp_path: Path) -> None:
    fix = shop(tmp_path / "r")
    said = tally("task", "new", "a", "--from-repo", "r", "--fix", fix[:10])
    assert said.code == 0, said.err
    assert f"Made from commit {fix}" in (tmp_path / "tasks/smoke/a/task.md").read_text()


@needs_bwrap
@pytest.mark.slow
def test_a_script_in_place_of_a_person(tally: Tally, tmp_path: Path) -> None:
    tally("task", "new", "a")
    (tmp_path / "s.sh").write_text("cp README.md notes.txt; printf '\\033[2J'\n")
    said = tally("task", "try", "a", "--script", "s.sh")
    assert said.code == 1
    assert "left out of the check: notes.txt (not_owned)" in said.out
    assert "\x1b" not in said.out
    assert said.out.endswith("not passed: does not hold: nothing_else, behaviour\n")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ((), "give either --shell"),
        (("--shell", "--script", "x"), "give either --shell"),
        (("--shell",), "--shell needs a terminal"),
        (("--script", "nowhere"), "cannot read nowhere"),
    ],
)
def test_a_try_that_cannot_be(tally: Tally, args: tuple[str, ...], says: str) -> None:
    tally("task", "new", "a")
    said = tally("task", "try", "a", *args)
    assert said.code == 2
    assert says in said.err


@needs_bwrap
@pytest.mark.slow
def test_a_check_in_words_and_as_json(tally: Tally) -> None:
    tally("task", "new", "a")
    said = tally("task", "check", "a")
    assert said.code == 0
    assert said.out.endswith("\nnothing is wrong\n")
    assert "  ✓ cheat:examples_only: fails behaviour\n" in said.out
    found = json.loads(tally("task", "check", "--json").out)
    assert found["ok"]
    assert found["wrong"] == found["advice"] == []


def test_history_in_a_workspace(tally: Tally, tmp_path: Path) -> None:
    write_files(tmp_path, {"smoke/t/task.md": TASK})
    shop(tmp_path / "smoke/t/workspace")
    said = tally("task", "check")
    assert said.code == 1
    assert "git_history: workspace/.git is a repository" in said.out
    assert "-> remove it" in said.out


def test_what_is_wrong_comes_with_what_to_change() -> None:
    found = TaskCheck(
        ("t",),
        (TaskRow("t", "nop", 3, "fails g"), TaskRow("t", "oracle", 1, "1 of 3 times as it must (passed / fails g)")),
        (Finding("t", "flaky", "oracle: test a of g came out as pass, fail on the same files \x1b"),),
        (Finding("t", "few_cheats", "there is no cheat"),),
    )
    text = "\n".join(check_lines(found, Style()))
    assert "  ✓ nop: fails g" in text
    assert "  ✗ oracle: 1 of 3" in text
    assert "  ✗ flaky: oracle: test a of g" in text
    assert "      -> make the check decide alike every time" in text
    assert "  ? few_cheats: there is no cheat" in text
    assert "\x1b" not in text
    assert text.endswith("1 wrong, 1 piece of advice (?)")
