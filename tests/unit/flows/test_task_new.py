"""The skeleton of a task, and its place in a suite."""

from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.flows.task_check import check_tasks
from tallystick.flows.task_new import TaskExistsError, new_skeleton, title_of
from tallystick.suites.loading import compile_suite
from tests.acceptance.support import needs_bwrap
from tests.unit.suites.authored import TASK, write_files


@needs_bwrap
@pytest.mark.slow
def test_the_skeleton_passes_its_check_at_once(tmp_path: Path) -> None:
    made = new_skeleton("mend_clock", tmp_path / "my süite", "standard")
    found = check_tasks(compile_suite(made.suite))
    assert found.wrong == ()
    assert found.advice == ()
    assert {row.tried for row in found.rows} == {"nop", "oracle", "cheat:examples_only", "cheat:notes_left_behind"}


def test_every_line_of_the_skeletons_head_is_explained(tmp_path: Path) -> None:
    made = new_skeleton("mend_clock", tmp_path / "s", "smoke")
    head = (made.folder / "task.md").read_text().split("---\n")[1].splitlines()
    keys = [at for at, line in enumerate(head) if line[:1].isalpha()]
    explained = [at for at in keys if head[at - 1].startswith("#")]
    assert set(keys) - set(explained) == {at for at in keys if head[at].startswith("max_cost_usd")}  # said with max_duration_s
    assert "title: Mend clock" in head


def test_a_new_suite_gets_a_name_and_a_second_task_joins_it(tmp_path: Path) -> None:
    for name in ("one", "two"):
        new_skeleton(name, tmp_path / "my süite", "smoke")
    suite = compile_suite(tmp_path / "my süite")
    assert suite.version == "my-s-ite"
    assert [task.id for task in suite.tasks] == ["one", "two"]


@pytest.mark.parametrize("place", ["smoke/one/task.md", "stretch/one.md"])
def test_nothing_is_overwritten(tmp_path: Path, place: str) -> None:
    write_files(tmp_path, {place: TASK})
    with pytest.raises(TaskExistsError, match="not overwritten"):
        new_skeleton("one", tmp_path, "smoke")
    assert (tmp_path / place).read_text() == TASK


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("größe messen", "grosse_messen"),
        ("a b", "a_b"),
        ("../x", "x"),
        ("x/y", "x_y"),
        ("-x", "x"),
        ("日本", "letters, digits"),
    ],
)
def test_a_name_that_cannot_be_an_id_is_answered_with_one_that_can(tmp_path: Path, name: str, instead: str) -> None:
    with pytest.raises(InputError, match=instead):
        new_skeleton(name, tmp_path / "s", "smoke")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "order",
    [
        "order: [old]  # first come\nversion: v1\n",
        "version: v1\norder:\n  # first come\n  - old\n",
        "version: v1\norder:\n- old  # first come\n",
        "version: v1\norder: [\n  old,  # first come\n]\n",
    ],
)
def test_an_order_keeps_its_layout_and_takes_the_new_task(tmp_path: Path, order: str) -> None:
    write_files(tmp_path, {"suite.yaml": order, "smoke/old.md": TASK})
    new_skeleton("new", tmp_path, "smoke")
    assert "# first come" in (tmp_path / "suite.yaml").read_text()
    assert [task.id for task in compile_suite(tmp_path).tasks] == ["old", "new"]


def test_another_tasks_mistake_is_no_obstacle(tmp_path: Path) -> None:
    write_files(tmp_path, {"smoke/broken.md": "no head\n"})
    assert new_skeleton("new", tmp_path, "smoke").folder.is_dir()


def test_a_file_and_a_compiled_suite_are_no_place(tmp_path: Path) -> None:
    write_files(tmp_path, {"file": "", "compiled/suite.json": "{}"})
    for place in ("file", "compiled"):
        with pytest.raises(InputError, match=r"folder|compiled"):
            new_skeleton("new", tmp_path / place, "smoke")


def test_titles() -> None:
    assert [title_of(name) for name in ("mend_the_clock", "a.b-c", "_")] == ["Mend the clock", "A b c", "_"]
