"""`judge` in a task file: who may look at attempts, and what is no judge."""

from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.records.base import UNSET, digest_of
from tallystick.records.task import Task
from tallystick.suites.loading import compile_suite
from tallystick.suites.rubrics import known_rubrics, load_rubric, rubric_names
from tests.unit.suites.authored import task_text, write_files

CHECK = "title: T\nassertions: [{kind: file_exists, path: a}]\n"
RUBRIC = digest_of(load_rubric("code-review-v1"))


def task(folder: Path, judge: str) -> Task:
    suite = compile_suite(write_files(folder / "s", {"smoke/one.md": task_text(f"{CHECK}{judge}")}))
    return suite.tasks[0]


@pytest.mark.parametrize(
    ("line", "judge", "rubric"),
    [
        ("", UNSET, UNSET),
        ("judge: static-v1\n", "static-v1", UNSET),
        ("judge: model:code-review-v1\n", UNSET, RUBRIC),
        ('judge: [static-v1, "model:code-review-v1"]\n', "static-v1", RUBRIC),
    ],
)
def test_judges_of_a_task(line: str, judge: object, rubric: object, tmp_path: Path) -> None:
    found = task(tmp_path, line)
    assert (found.judge, found.rubric) == (judge, rubric)


def test_a_judge_is_part_of_what_a_task_is(tmp_path: Path) -> None:
    lines = ("", "judge: static-v1\n", "judge: model:code-review-v1\n")
    assert len({task(tmp_path / str(at), line).task_hash for at, line in enumerate(lines)}) == 3


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("judge: static-v2\n", "did you mean 'static-v1'"),
        ("judge: model:code-review\n", "did you mean 'model:code-review-v1'"),
        ("judge: code-review-v1\n", "expected one of static-v1, model:code-review-v1"),
        ("judge: model:static-v1\n", "expected one of"),
        ("judge: 5\n", "expected text in quotes"),
        ("judge: [static-v1, static-v1]\n", "one judge of a kind"),
        ("judge: {a: b}\n", "expected text"),
    ],
)
def test_what_is_no_judge(line: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=says):
        task(tmp_path, line)


def test_rubrics_are_found_by_digest() -> None:
    assert set(known_rubrics()) == {digest_of(load_rubric(name)) for name in rubric_names()}
    with pytest.raises(InputError, match="code-review-v1"):
        load_rubric("../../../etc/passwd")
