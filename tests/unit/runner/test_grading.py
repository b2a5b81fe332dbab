"""The grade pass with a sandbox that is a function: who sees what, and whose failure an ending is."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from tallystick.records.evidence import GradeResult
from tallystick.records.task import Assertion, Command, Grader, Task
from tallystick.records.tree import Tree, file_record, link_record, make_tree
from tallystick.runner.conversation import READ_BYTES
from tallystick.runner.grading import PATIENCE, GradeFailedError, GradePass, SandboxGrader, crowding
from tallystick.sandbox.spec import Outcome, Spec, Talk
from tallystick.scoring.verdict import result_problem
from tallystick.suites.loaded import LoadedSuite, index_trees
from tests.support.fake_sandbox import TINY, FakeSandbox, ended
from tests.support.tiny import SUITE, make_suite

WRITE, SHORTEN, FIX = TINY.tasks
PASSING = [{"op": "test", "id": name, "outcome": "pass"} for name in ("returns_two", "is_function")]
DONE = {"op": "done"}


def speaking(*lines: object) -> Callable[[Talk], None]:
    """A grader script that says these lines; what it is answered is thrown away."""
    text = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    return lambda talk: talk(BytesIO(text), BytesIO())


def graded(task_id: str, sandbox: FakeSandbox, final: Tree | None = None, suite: LoadedSuite = TINY) -> GradePass:
    task = suite.task(task_id)
    return SandboxGrader(sandbox).grade(suite, task, final or SUITE.solved(SUITE.task(task_id)), SUITE.blobs)


def script_result(sandbox: FakeSandbox, suite: LoadedSuite = TINY) -> GradeResult:
    (result,) = graded("fix_bug", sandbox, suite=suite).grade.results
    return result


def test_portable_assertions_start_nothing() -> None:
    sandbox = FakeSandbox()
    assert graded("write_file", sandbox).grade.results == ()
    assert sandbox.asked == []


def inspecting(answer: bytes, **how: object) -> FakeSandbox:
    """A sandbox whose inspector gives `answer`; the command passes."""

    def program(spec: Spec, work: Path, stdin: bytes) -> Outcome:
        if "inspector.py" not in spec.argv[-1]:
            assert sorted(path.name for path in work.iterdir()) == ["m.py"]
            return ended(0)
        assert list(work.iterdir()) == [], "no submitted file is in the inspector's sandbox"
        question = json.loads(stdin)
        assert [check["id"] for check in question["checks"]] == ["syntax"]
        assert {path: base64.b64decode(data) for path, data in question["files"].items()} == {"m.py": b"X = 1\n"}
        return ended(stdout=answer, **how)  # type: ignore[arg-type]

    return FakeSandbox(program)


def test_the_inspector_gets_files_as_data() -> None:
    sandbox = inspecting(b'{"results":[{"id":"syntax","outcome":"pass"}]}')
    results = graded("shorten", sandbox).grade.results
    assert results == (
        GradeResult(assertion="syntax", outcome="pass"),
        GradeResult(assertion="runs", outcome="pass", exit=0),
    )


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"{}",
        b'{"results":[]}',
        b'{"results":[{"id":"other","outcome":"pass"}]}',
        b'{"results":[{"id":"syntax","outcome":"yes"}]}',
        b'{"results":[{"id":"syntax","outcome":"pass"},{"id":"more","outcome":"pass"}]}',
    ],
)
def test_an_inspector_that_answers_wrongly_is_our_failure(answer: bytes) -> None:
    with pytest.raises(GradeFailedError, match="inspector"):
        graded("shorten", inspecting(answer))


@pytest.mark.parametrize(
    "how", [{"exit": None, "limit": "memory"}, {"exit": None, "signal": 11}, {"exit": 1, "limit": "memory"}]
)
def test_a_file_that_starves_the_inspector_fails_its_checks(how: dict[str, object]) -> None:
    results = graded("shorten", inspecting(b"", **how)).grade.results
    assert results[0] == GradeResult(assertion="syntax", outcome="error")


def test_a_file_too_long_to_look_at_counts_as_missing() -> None:
    data = b"#" * (READ_BYTES + 1)
    final = make_tree([file_record("m.py", SUITE.blobs.put(data), len(data))])

    def program(spec: Spec, work: Path, stdin: bytes) -> Outcome:
        del work
        if "inspector.py" in spec.argv[-1]:
            assert json.loads(stdin)["files"] == {}
        return ended(stdout=b'{"results":[{"id":"syntax","outcome":"fail"}]}')

    assert graded("shorten", FakeSandbox(program), final).grade.results[0].outcome == "fail"


@pytest.mark.parametrize(
    ("how", "outcome"),
    [
        ({"exit": 0}, "pass"),
        ({"exit": 1}, "fail"),
        ({"exit": None, "signal": 9}, "fail"),
        ({"exit": None, "limit": "wall"}, "fail"),
    ],
)
def test_commands(how: dict[str, int], outcome: str) -> None:
    def program(spec: Spec, work: Path, stdin: bytes) -> Outcome:
        del work, stdin
        if "inspector.py" in spec.argv[-1]:
            return ended(stdout=b'{"results":[{"id":"syntax","outcome":"pass"}]}')
        return ended(**how)  # type: ignore[arg-type]

    assert graded("shorten", FakeSandbox(program)).grade.results[1].outcome in {
        outcome,
        "error" if outcome == "fail" else outcome,
    }


@pytest.mark.parametrize("task_id", ["fix_bug", "shorten"])
def test_files_that_fit_no_workspace_fail_what_is_executed_and_are_never_written(task_id: str) -> None:
    task = TINY.task(task_id)
    first, *others = SUITE.solved(task).records
    pages = sum(-(-record.size // 4096) for record in others if isinstance(record.size, int))
    most = 4096 * (task.limits.disk_mb * 256 - pages)
    blob = SUITE.blobs.put(b"never read")
    assert crowding(task, make_tree([file_record(first.path, blob, most), *others])) is None
    crowded = make_tree([file_record(first.path, blob, most + 1), *others])
    assert "MiB" in (crowding(task, crowded) or "")
    sandbox = FakeSandbox(lambda *_: ended(stdout=b'{"results":[{"id":"syntax","outcome":"pass"}]}'))
    for _ in range(2):
        done = graded(task_id, sandbox, crowded)
        executed = {check.id for check in task.assertions if isinstance(check, Command | Grader)}
        assert {row.assertion for row in done.grade.results if row.outcome == "error"} == executed
        assert all(result_problem(check, row) is None for check, row in checked(task, done.grade.results))
        assert b"MiB" in dict(done.outputs)["grade.workspace.notes"]
    assert not [spec for spec in sandbox.asked if "inspector.py" not in spec.argv[-1]]


def checked(task: Task, results: tuple[GradeResult, ...]) -> list[tuple[Assertion, GradeResult]]:
    checks = {check.id: check for check in task.assertions}
    return [(checks[row.assertion], row) for row in results]


def test_more_files_and_folders_than_the_task_has_room_for() -> None:
    blob = SUITE.blobs.put(b"")
    files = [file_record(f"d{number}/f", blob, 0) for number in range(WRITE.limits.files // 2)]
    assert crowding(WRITE, make_tree(files)) is None
    assert "folders" in (crowding(WRITE, make_tree([*files, file_record("one", blob, 0)])) or "")


def test_links_take_a_page_when_their_target_is_long() -> None:
    task = WRITE
    blob = SUITE.blobs.put(b"")
    full = file_record("big", blob, task.limits.disk_mb << 20)
    assert crowding(task, make_tree([full, link_record("l", "x" * 127)])) is None
    assert crowding(task, make_tree([full, link_record("l", "x" * 128)])) is not None


def test_a_grader_sees_its_tree_and_no_submitted_file() -> None:
    def program(spec: Spec, work: Path, stdin: bytes) -> Outcome:
        del stdin
        assert spec.argv[-1].endswith("grade.py")
        assert [path.name for path in work.iterdir()] == ["grade.py"]
        return ended()

    sandbox = FakeSandbox(program, speaking(*PASSING, DONE))
    result = script_result(sandbox)
    assert (result.outcome, len(result.tests)) == ("pass", 2)  # type: ignore[arg-type]
    (spec,) = sandbox.asked
    assert spec.limits.cpu_ms == FIX.grading.wall_ms
    assert spec.limits.wall_ms == PATIENCE * FIX.grading.wall_ms


def test_a_question_goes_to_a_new_subject_without_grader_files() -> None:
    asked: list[tuple[tuple[str, ...], list[str], bytes]] = []

    def program(spec: Spec, work: Path, stdin: bytes) -> Outcome:
        asked.append((spec.argv, sorted(path.name for path in work.iterdir()), stdin))
        return ended(stdout=b"2")

    question = {"op": "run", "argv": ["python3", "x"], "stdin": base64.b64encode(b"in").decode(), "timeout_ms": 500}
    sandbox = FakeSandbox(program, speaking(question, question, {"op": "read", "path": "lib.py"}, *PASSING, DONE))
    assert script_result(sandbox).outcome == "pass"
    assert asked[:2] == [(("python3", "x"), ["lib.py", "test_lib.py"], b"in")] * 2
    assert [spec.limits.cpu_ms for spec in sandbox.asked] == [FIX.grading.wall_ms, 500, 500]


@pytest.mark.parametrize(
    "lines",
    [
        [DONE],
        [PASSING[0], DONE],
        [*PASSING, {"op": "test", "id": "more", "outcome": "fail"}, DONE],
        [PASSING[0], {"op": "test", "id": "is_function", "outcome": "error"}, DONE],
        [{"op": "test", "id": "grader", "outcome": "error"}, *PASSING, DONE],
    ],
    ids=["nothing", "one_missing", "another_fails", "error", "script_raised"],
)
def test_every_named_test_must_pass_and_none_fail(lines: list[object]) -> None:
    assert script_result(FakeSandbox(speaks=speaking(*lines))).outcome == "fail"


@pytest.mark.parametrize("how", [{"exit": None, "limit": "wall"}, {"exit": None, "signal": 11}, {"exit": 1, "limit": "memory"}])
@pytest.mark.parametrize("lines", [[*PASSING, DONE], PASSING, [b"broken\n"]], ids=["done", "cut_off", "broken"])
def test_a_grader_that_is_starved_or_crashes_is_a_failed_check(how: dict[str, object], lines: list[object]) -> None:
    sandbox = FakeSandbox(lambda *_: ended(**how), speaking(*lines))  # type: ignore[arg-type]
    assert script_result(sandbox).outcome == "error"


@pytest.mark.parametrize("lines", [PASSING, [b"broken\n"], [*PASSING, PASSING[0], DONE]], ids=["no_end", "no_json", "twice"])
def test_a_grader_that_breaks_the_protocol_earns_no_other_try(lines: list[object]) -> None:
    assert script_result(FakeSandbox(speaks=speaking(*lines))).outcome == "error"


def in_process() -> LoadedSuite:
    made = make_suite(mode="in_process")
    return LoadedSuite(made.document, made.blobs, "reader", index_trees(made.document.trees))


def test_in_one_process_a_broken_protocol_is_the_subjects_doing() -> None:
    assert script_result(FakeSandbox(speaks=speaking(b"broken\n")), in_process()).outcome == "error"


def test_in_one_process_the_grader_sees_both() -> None:
    def program(spec: Spec, work: Path, stdin: bytes) -> Outcome:
        del spec, stdin
        assert sorted(path.name for path in work.iterdir()) == ["grade.py", "lib.py", "test_lib.py"]
        return ended()

    assert script_result(FakeSandbox(program, speaking(*PASSING, DONE)), in_process()).outcome == "pass"


def test_changes_that_are_not_allowed_do_not_reach_the_subject() -> None:
    solved = SUITE.solved(SUITE.task("fix_bug"))
    evil = SUITE.blobs.put(b"evil")
    final = make_tree([*solved.records, file_record("conftest.py", evil, 4), file_record("json.py", evil, 4)])

    def program(spec: Spec, work: Path, stdin: bytes) -> Outcome:
        del stdin
        if "run_grader.py" not in " ".join(spec.argv):
            assert sorted(path.name for path in work.iterdir()) == ["lib.py", "test_lib.py"]
        return ended()

    question = {"op": "run", "argv": ["ls"], "stdin": "", "timeout_ms": 500}
    done = graded("fix_bug", FakeSandbox(program, speaking(question, *PASSING, DONE)), final)
    assert [each.path for each in done.grade.excluded] == ["conftest.py", "json.py"]


def test_raw_output_is_kept_beside_the_grade() -> None:
    noted = {"op": "test", "id": "returns_two", "outcome": "fail", "note": "3 is not 2"}
    sandbox = FakeSandbox(lambda *_: ended(stderr=b"trace"), speaking(noted, DONE))
    outputs = dict(graded("fix_bug", sandbox).outputs)
    assert outputs == {"grade.behaviour.stderr": b"trace", "grade.behaviour.notes": b"returns_two: 3 is not 2"}
