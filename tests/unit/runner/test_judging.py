"""The static judge in the grade pass, with a sandbox that is a function: what it asks, and what becomes of odd answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tallystick.records.base import UNSET, digest_of
from tallystick.records.blobs import ChainedBlobs, MemoryBlobs
from tallystick.records.judgement import Judgement, Size, TestMeasures
from tallystick.records.task import hash_suite, hash_task
from tallystick.runner.grading import GradePass, SandboxGrader
from tallystick.runner.judging import PASSED
from tallystick.sandbox.spec import Outcome, SandboxError, SandboxUnavailableError, Spec
from tallystick.suites.loaded import LoadedSuite, index_trees
from tests.support.fake_sandbox import FakeSandbox, ended
from tests.support.tiny import SUITE, files

INSIDE = Path(__file__).parents[3] / "src/tallystick/runner/inside"
change = msgspec.structs.replace
NEW_TEST = "def test_new():\n    pass\n"


def judged_suite(**members: Any) -> LoadedSuite:
    """The tiny suite with a judge of every task."""
    tasks = []
    for task in SUITE.tasks:
        named = change(task, judge="static-v1", **members)
        tasks.append(change(named, task_hash=hash_task(named)))
    document = change(SUITE.document, tasks=tuple(tasks), suite_hash=hash_suite(tuple(tasks)))
    return LoadedSuite(document, SUITE.blobs, "reader", index_trees(document.trees))


class Programs:
    """The inspector for real, the added tests as told: passing on the graded files, and on the first `alive` mutants."""

    def __init__(self, alive: int = 0, inspector: Outcome | Exception | None = None) -> None:
        self.alive, self.inspector = alive, inspector
        self.tested: list[dict[str, bytes]] = []

    def __call__(self, spec: Spec, workspace: Path, stdin: bytes) -> Outcome:
        script = next((Path(word).name for word in spec.argv if word.startswith("/tally/lib/")), "")
        if script == "judge.py":
            if isinstance(self.inspector, Exception):
                raise self.inspector
            return self.inspector or self._inspect(stdin)
        if script == "run_tests.py":
            self.tested.append({path.name: path.read_bytes() for path in workspace.rglob("*.py")})
            return ended(PASSED if len(self.tested) <= 1 + self.alive else 1)
        return ended(stdout=b'{"results": [{"id": "syntax", "outcome": "pass"}]}' if script == "inspector.py" else b"")

    @staticmethod
    def _inspect(stdin: bytes) -> Outcome:
        assert stdin
        done = subprocess.run(
            [sys.executable, "-I", "-B", str(INSIDE / "judge.py")], input=stdin, capture_output=True, check=True
        )
        return ended(stdout=done.stdout)


def grade(programs: Programs, task_id: str, contents: dict[str, str], suite: LoadedSuite | None = None) -> GradePass:
    """Grade a workspace of these files."""
    suite = suite or judged_suite()
    blobs = MemoryBlobs()
    final = files(blobs, contents)
    return SandboxGrader(FakeSandbox(programs)).grade(suite, suite.task(task_id), final, ChainedBlobs(blobs, suite.blobs))


def judgement(done: GradePass) -> Judgement:
    assert done.judgement is not None
    assert done.grade.judgement == digest_of(done.judgement)
    assert done.judgement.graded == done.grade.graded
    return done.judgement


def test_a_task_that_names_no_judge_is_not_judged() -> None:
    plain = LoadedSuite(SUITE.document, SUITE.blobs, "reader", index_trees(SUITE.document.trees))
    done = grade(Programs(), "shorten", {"m.py": "X = 1\n"}, plain)
    assert (done.judgement, done.grade.judgement) == (None, UNSET)


def test_no_sandbox_is_started_where_no_python_file_changed() -> None:
    sandbox = FakeSandbox(Programs())
    suite = judged_suite()
    blobs = MemoryBlobs()
    final = files(blobs, {"a.txt": "one\n", "b.txt": "two\n"})
    done = SandboxGrader(sandbox).grade(suite, suite.task("write_file"), final, ChainedBlobs(blobs, suite.blobs))
    assert sandbox.asked == []
    found = judgement(done)
    assert (found.size, found.ratio, found.code, found.tests) == (Size(files=1, added=1), 1, UNSET, UNSET)


def test_python_files_are_measured_on_both_sides() -> None:
    found = judgement(grade(Programs(), "shorten", {"m.py": "import sys\nX = 1\n"}))
    assert found.code is not UNSET
    assert (found.code.before.unused_imports, found.code.after.unused_imports) == (1, 1)
    assert found.tests == TestMeasures()
    assert (found.size, found.ratio) == (Size(files=1, added=1, removed=1), 2)


def test_added_tests_are_run_on_the_graded_files_and_on_each_mutant() -> None:
    programs = Programs(alive=1)
    found = judgement(grade(programs, "shorten", {"m.py": "X = 1 + 2\n", "test_m.py": NEW_TEST}))
    assert found.tests == TestMeasures(added=1, passing=True, mutants=3, killed=2)
    originals = [each["m.py"] for each in programs.tested]
    assert originals == [b"X = 1 + 2\n", b"X = (1 + 1) + 2\n", b"X = 1 - 2\n", b"X = 1 + (2 + 1)\n"]
    assert all(each["test_m.py"] == NEW_TEST.encode() for each in programs.tested)


def test_mutants_are_not_run_where_the_added_tests_do_not_pass() -> None:
    programs = Programs(alive=-1)
    found = judgement(grade(programs, "shorten", {"m.py": "X = 1 + 2\n", "test_m.py": NEW_TEST}))
    assert found.tests == TestMeasures(added=1, mutants=3)
    assert len(programs.tested) == 1


def test_the_order_of_a_tree_is_kept_and_modes_are_too() -> None:
    programs = Programs()
    grade(programs, "shorten", {"a.py": "Y = 1\n", "m.py": "X = 1\n", "test_m.py": NEW_TEST, "z.py": "Z = 1\n"})
    assert {len(each) for each in programs.tested} == {4}


@pytest.mark.parametrize(
    "inspector",
    [
        ended(None, limit="cpu"),
        ended(None, signal=9),
        ended(0, stdout=b"nonsense"),
        ended(0, stdout=b"{}"),
        ended(2, stderr=b"judge: too long"),
        ended(
            0,
            stdout=b'{"before":{"files":0,"unparsed":0,"unused_imports":0,"unused_names":0,"functions":0,"complexity":0,'
            b'"worst":0},"after":{"files":1,"unparsed":0,"unused_imports":0,"unused_names":0,"functions":0,"complexity":0,'
            b'"worst":0},"tests":{"added":1,"removed":0,"files":["t.py"]},"mutants":[{"path":"nowhere.py","source":"eA=="}]}',
        ),
        SandboxError("it did not start"),
    ],
)
def test_a_judge_that_fails_decides_nothing(inspector: Outcome | Exception) -> None:
    """The grade is that of a pass without a judge, the attempt is unjudged, and why is kept beside it."""
    honest = grade(Programs(), "shorten", {"m.py": "X = 1\n"})
    done = grade(Programs(inspector=inspector), "shorten", {"m.py": "X = 1\n"})
    assert (done.judgement, done.grade.judgement) == (None, UNSET)
    assert done.grade == change(honest.grade, judgement=UNSET)
    assert [name for name, _ in done.outputs] == ["judge.notes"]


def test_a_machine_without_a_sandbox_is_no_judgement() -> None:
    with pytest.raises(SandboxUnavailableError):
        grade(Programs(inspector=SandboxUnavailableError("no bubblewrap")), "shorten", {"m.py": "X = 1\n"})


def test_files_too_large_to_be_looked_at_are_counted() -> None:
    found = judgement(grade(Programs(), "shorten", {"m.py": "X = 1\n" + "#" * (256 * 1024)}))
    assert found.code is not UNSET
    assert (found.code.after.files, found.code.after.skipped, found.code.before.skipped) == (1, 1, 0)


def test_no_test_is_run_where_the_files_have_no_place() -> None:
    suite = judged_suite(limits=change(SUITE.tasks[0].limits, files=3))
    programs = Programs()
    contents = {f"f{number}.txt": "" for number in range(5)}
    found = judgement(grade(programs, "shorten", {**contents, "m.py": "X = 1\n", "test_m.py": NEW_TEST}, suite))
    assert programs.tested == []
    assert found.tests == TestMeasures(added=1)


def test_two_judges_of_one_workspace_agree() -> None:
    contents = {"m.py": "X = 1 + 2\n", "test_m.py": NEW_TEST}
    assert grade(Programs(), "shorten", contents).judgement == grade(Programs(), "shorten", contents).judgement


def test_the_grade_workspace_is_what_is_judged() -> None:
    """What the task does not allow is not measured, but counted as left out."""
    found = judgement(grade(Programs(), "shorten", {"m.py": "X = 1\n", "conftest.py": "import os\n"}))
    assert (found.size.files, found.excluded) == (1, 1)


def test_an_empty_submission_is_judged_as_one() -> None:
    found = judgement(grade(Programs(), "write_file", {"a.txt": "one\n"}))
    assert found.size == Size()
