"""`tally task check`: what is tried three times, and what is found."""

from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.flows.task_check import MENDS, REPEATS, TaskCheck, check_tasks, load_tasks
from tallystick.flows.task_new import new_skeleton
from tallystick.suites import fairness
from tests.acceptance.support import needs_bwrap
from tests.unit.flows.repositories import shop
from tests.unit.suites.authored import TASK, write_files


def checked(folder: Path, name: str | None = None) -> TaskCheck:
    loaded = load_tasks(folder, name)
    return loaded if isinstance(loaded, TaskCheck) else check_tasks(loaded, () if name is None else (name,))


def codes(found: TaskCheck) -> set[str]:
    return {finding.code for finding in found.wrong}


def skeleton(folder: Path) -> Path:
    return new_skeleton("mend", folder, "smoke").folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@needs_bwrap
@pytest.mark.slow
def test_a_grader_that_changes_its_mind_is_named(tmp_path: Path) -> None:
    task = skeleton(tmp_path)
    with (task / "grader/grade.py").open("a") as script:
        script.write("\nimport os\nfrom tally_grader import report\n")
        script.write("for number in range(20):\n    report(f'luck-{number}', os.urandom(1)[0] < 128)\n")
    flaky = [finding.message for finding in checked(tmp_path).wrong if finding.code == "flaky"]
    assert flaky
    assert all(message.partition(": ")[2].startswith("test luck-") for message in flaky)
    assert all("came out as" in message for message in flaky)


@needs_bwrap
@pytest.mark.slow
def test_what_is_wrong_is_found_with_what_to_change(tmp_path: Path) -> None:
    task = skeleton(tmp_path)
    edit(task / "task.md", "examples_only: {fails: [behaviour]}", "examples_only: {fails: [behaviour, nothing_else]}")
    edit(task / "grader/grade.py", '["python3", "clock.py"]', '["python3", "clock.py", "--pad"]')
    (task / "workspace/notes.txt").write_bytes((task / "solution/clock.py").read_bytes())
    found = checked(tmp_path, "mend")
    assert codes(found) == {"cheat", "unsaid", "answer_visible"}
    said = {finding.code: finding.message for finding in found.wrong}
    assert said["unsaid"] == "the hidden check needs '--pad' (grade.py:23), the instruction never says it"
    assert "0 of 3 times" in said["cheat"]
    assert not found.ok


@needs_bwrap
def test_a_task_that_passes_by_itself_and_has_no_solution(tmp_path: Path) -> None:
    write_files(tmp_path, {"smoke/t/task.md": TASK, "smoke/t/workspace/hello.txt": "hello\n"})
    found = checked(tmp_path)
    assert codes(found) == {"nop", "oracle"}
    assert [row.good for row in found.rows] == [0, 0]
    assert "no_solution" in {finding.code for finding in found.advice}


@needs_bwrap
def test_one_task_of_a_suite(tmp_path: Path) -> None:
    write_files(tmp_path, {"smoke/bad.md": TASK, "smoke/t/task.md": TASK, "smoke/t/solution/hello.txt": "hello\n"})
    found = checked(tmp_path, "t")
    assert found.ok
    assert {row.task_id for row in found.rows} == {"t"}
    assert all(row.good == REPEATS for row in found.rows)


def test_history_in_a_workspace_is_a_finding_and_no_error(tmp_path: Path) -> None:
    write_files(tmp_path, {"smoke/t/task.md": TASK, "smoke/other.md": TASK})
    shop(tmp_path / "smoke/t/workspace")
    found = checked(tmp_path)
    assert codes(found) == {"git_history"}
    assert found.tasks == ("t",)


def test_an_unknown_task(tmp_path: Path) -> None:
    write_files(tmp_path, {"smoke/t.md": TASK})
    with pytest.raises(InputError, match="no task 'x'"):
        load_tasks(tmp_path, "x")


def test_every_code_has_a_mend() -> None:
    documented = {line.split("`")[1] for line in (fairness.__doc__ or "").splitlines() if line.startswith("| `")}
    assert documented <= set(MENDS)
