"""The grade pass: from a sealed workspace, in fresh sandboxes, to the evidence of a check. It derives no verdict.

Portable assertions are not looked at: whoever scores evaluates them from bytes. Inspected ones run our inspector on the files
as data; `command` runs in the subject's sandbox; `grader` starts a script in the grader's sandbox, which asks the subject
through the runner. Every question to the subject starts a new sandbox on the same bytes, so nothing an answer did can touch the
next one.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from tallystick.core.errors import TallyError
from tallystick.records.base import UNSET, UnsetType, digest_of
from tallystick.records.blobs import BlobReader, ChainedBlobs, MissingBlobError
from tallystick.records.evidence import Excluded, Grade, GradeResult
from tallystick.records.judgement import Judgement
from tallystick.records.paths import parents
from tallystick.records.task import Command, Grader, Inspected, Task
from tallystick.records.tree import Tree, TreeRecord, apply_overlay, tree_digest
from tallystick.runner.conversation import READ_BYTES, Conversation, SubjectRequest
from tallystick.runner.interpreter import PYTHON, SUBJECT_PYTHON, installed_packages
from tallystick.runner.judging import TEST_MS, Programs, Submission, UnjudgedError, judge
from tallystick.runner.workspace import filler
from tallystick.sandbox.spec import Limits, Mount, Outcome, Sandbox, SandboxError, SandboxUnavailableError, Spec
from tallystick.suites.allowed import grade_tree
from tallystick.suites.loaded import LoadedSuite

__all__ = ["GradeFailedError", "GradePass", "GradePasser", "SandboxGrader", "crowding", "task_limits"]

INSIDE = Path(__file__).parent / "inside"
LIBRARY = "/tally/lib"
RUN_TESTS = Mount(INSIDE / "run_tests.py", f"{LIBRARY}/run_tests.py")
MIB = 1 << 20
PATIENCE = 10
PAGE = 4096
SHORT_LINK = 128


class GradeFailedError(TallyError):
    """The grade pass itself could not be done: an infrastructure error, never the agent's failure."""


@dataclass(frozen=True, slots=True)
class GradePass:
    """A grade, the trees it speaks of, and raw output by name (kept as observed blobs)."""

    grade: Grade
    graded: Tree
    outputs: tuple[tuple[str, bytes], ...]
    wall_ms: int
    judgement: Judgement | None = None


class GradePasser(Protocol):
    """Checks a sealed workspace."""

    def grade(self, suite: LoadedSuite, task: Task, final: Tree, blobs: BlobReader) -> GradePass:
        """Run the grade pass; raises `GradeFailedError` or `SandboxError`."""
        ...


def task_limits(task: Task, wall_ms: int, cpu_ms: int | None = None) -> Limits:
    """The task's limits as the sandbox wants them, with a wall clock of `wall_ms`."""
    wanted = task.limits
    return Limits(
        wall_ms=wall_ms,
        cpu_ms=cpu_ms,
        memory_bytes=wanted.memory_mb * MIB,
        processes=wanted.processes,
        file_bytes=wanted.disk_mb * MIB,
        workspace_bytes=wanted.disk_mb * MIB,
        workspace_files=wanted.files,
        output_bytes=wanted.output_kb * 1024,
    )


def grade_limits(task: Task, time_ms: int) -> Limits:
    """Limits of a program of the grade pass that may take `time_ms` of processor time, so that a busy machine changes no grade.

    The wall clock is a bound against programs that only wait, ten times as long.
    """
    return task_limits(task, PATIENCE * time_ms, cpu_ms=time_ms)


@dataclass
class _Pass:
    """What one grade pass works with."""

    suite: LoadedSuite
    task: Task
    graded: Tree
    subject: Tree
    blobs: BlobReader
    outputs: list[tuple[str, bytes]] = field(default_factory=list)
    wall_ms: int = 0

    def keep(self, name: str, outcome: Outcome) -> None:
        self.wall_ms += outcome.measured.wall_ms
        for stream, captured in (("stdout", outcome.stdout), ("stderr", outcome.stderr)):
            if captured.data:
                self.outputs.append((f"{name}.{stream}", captured.data))


class SandboxGrader:
    """The real grade pass."""

    def __init__(self, sandbox: Sandbox, cancel: threading.Event | None = None) -> None:
        self._sandbox = sandbox
        self._cancel = cancel

    def grade(self, suite: LoadedSuite, task: Task, final: Tree, blobs: BlobReader) -> GradePass:
        """Check `final` in fresh sandboxes.

        Raises:
            GradeFailedError: a grader or the inspector broke its protocol or ran out of its own limits.
            SandboxError: a sandbox did not start.
        """
        graded, excluded = grade_tree(task, suite.tree(task.workspace), final)
        both = ChainedBlobs(blobs, suite.blobs)
        work = _Pass(suite, task, graded, _subject_tree(suite, task, graded), both)
        crowded = crowding(task, work.subject)
        if crowded:
            work.outputs.append(("grade.workspace.notes", crowded.encode()))
        inspected = self._inspect(work)
        results = []
        for check in task.assertions:
            if crowded and isinstance(check, Command | Grader):
                results.append(GradeResult(assertion=check.id, outcome="error"))
            elif isinstance(check, Command):
                results.append(self._command(work, check))
            elif isinstance(check, Grader):
                results.append(self._script(work, check))
            elif check.id in inspected:
                results.append(inspected[check.id])
        judgement = self._judge(work, excluded)
        grade = Grade(
            task_hash=task.task_hash,
            workspace=tree_digest(final),
            graded=tree_digest(graded),
            excluded=excluded,
            mode=task.grading.mode,
            results=tuple(results),
            judgement=UNSET if judgement is None else digest_of(judgement),
        )
        return GradePass(grade, graded, tuple(work.outputs), work.wall_ms, judgement)

    def _judge(self, work: _Pass, excluded: tuple[Excluded, ...]) -> Judgement | None:
        """What the static judge measures, last of all; None where the task names none, or where none came of it."""
        if isinstance(work.task.judge, UnsetType):
            return None
        what = Submission(work.suite, work.task, work.graded, excluded, work.blobs)
        roomy = crowding(work.task, work.graded) is None
        programs = Programs(
            inspect=lambda document: self._ours(work, "judge.py", document),
            test=(lambda tree, blobs, files: self._run_tests(work, filler(tree, blobs), files)) if roomy else None,
        )
        try:
            return judge(work.task.judge, what, programs)
        except SandboxUnavailableError:
            raise  # nothing can be run here at all
        except (UnjudgedError, SandboxError, MissingBlobError) as error:
            work.outputs.append(("judge.notes", str(error).encode("utf-8", "backslashreplace")))
            return None

    def _run_tests(self, work: _Pass, fill: Callable[[int], None], files: Sequence[str]) -> Outcome:
        """Added tests, in the subject's sandbox. No file of ours is there but the script that starts them."""
        spec = Spec(
            argv=(*SUBJECT_PYTHON, RUN_TESTS.target, *files),
            env={},
            limits=grade_limits(work.task, TEST_MS),
            mounts=(RUN_TESTS,),
            mask=installed_packages(),
        )
        outcome = self._sandbox.run(spec, fill=fill, cancel=self._cancel)
        work.wall_ms += outcome.measured.wall_ms
        return outcome

    def _ours(self, work: _Pass, script: str, question: bytes) -> Outcome:
        """A script of ours on a document, isolated, in a sandbox without any file of the workspace."""
        spec = Spec(
            argv=(*PYTHON, f"{LIBRARY}/{script}"),
            env={},
            limits=grade_limits(work.task, work.task.grading.wall_ms),
            mounts=_library(),
            mask=installed_packages(),
        )
        outcome = self._sandbox.run(spec, fill=lambda _: None, stdin=question, cancel=self._cancel)
        work.wall_ms += outcome.measured.wall_ms
        return outcome

    def _subject(self, work: _Pass, request: SubjectRequest) -> Outcome:
        spec = Spec(
            argv=request.argv,
            env={},
            limits=grade_limits(work.task, min(request.timeout_ms, work.task.grading.wall_ms)),
            mask=installed_packages(),
        )
        outcome = self._sandbox.run(spec, fill=filler(work.subject, work.blobs), stdin=request.stdin, cancel=self._cancel)
        work.wall_ms += outcome.measured.wall_ms
        return outcome

    def _command(self, work: _Pass, check: Command) -> GradeResult:
        outcome = self._subject(work, SubjectRequest(check.argv, b"", work.task.grading.wall_ms))
        work.keep(f"grade.{check.id}", outcome)
        if outcome.exit is None:
            return GradeResult(assertion=check.id, outcome="fail")
        return GradeResult(assertion=check.id, outcome="pass" if outcome.exit == check.exit else "fail", exit=outcome.exit)

    def _script(self, work: _Pass, check: Grader) -> GradeResult:
        if isinstance(work.task.grader, UnsetType):
            raise GradeFailedError(f"task {work.task.id} names the grader {check.script} but has no grader folder")
        tree = work.suite.tree(work.task.grader)
        files = work.graded.by_path()

        def read(path: str) -> bytes | None:
            record = files.get(path)
            return None if record is None or isinstance(record.digest, UnsetType) else work.blobs.read(record.digest)

        conversation = Conversation(ask=lambda request: self._subject(work, request), read=read)
        # The grader's files fill the workspace of its own sandbox; the script is started from there, isolated (-I). Only a task
        # that says `in_process` puts the submitted files beside them, and its level says so.
        together = work.task.grading.mode == "in_process"
        fill = filler(work.subject, work.blobs) if together else filler(tree, work.suite.blobs)
        spec = Spec(
            argv=(*PYTHON, f"{LIBRARY}/run_grader.py", f"/workspace/{check.script}"),
            env={},
            limits=grade_limits(work.task, work.task.grading.wall_ms),
            mounts=_library(),
            mask=installed_packages(),
        )
        outcome = self._sandbox.run(spec, fill=fill, talk=conversation.talk, cancel=self._cancel)
        work.keep(f"grade.{check.id}", outcome)
        notes = [*conversation.notes, *([conversation.problem] if conversation.problem else [])]
        if notes:
            work.outputs.append((f"grade.{check.id}.notes", "\n".join(notes).encode("utf-8", "backslashreplace")))
        return _script_result(check, conversation, outcome)

    def _inspect(self, work: _Pass) -> dict[str, GradeResult]:
        checks = [check for check in work.task.assertions if isinstance(check, Inspected)]
        if not checks:
            return {}
        files = work.graded.by_path()
        wanted = {check.path for check in checks}
        contents = {
            path: base64.b64encode(work.blobs.read(record.digest)).decode()
            for path in sorted(wanted)
            if (record := files.get(path)) is not None and not isinstance(record.digest, UnsetType) and _readable(record)
        }
        question = msgspec.json.encode({"checks": [msgspec.to_builtins(check) for check in checks], "files": contents})
        outcome = self._ours(work, "inspector.py", question)
        rows = _inspector_rows(work.task, [check.id for check in checks], outcome)
        said = [f"{row.id}: {row.reason}" for row in rows if row.reason]
        if said:
            work.outputs.append(("grade.inspected.notes", "\n".join(said).encode()))
        return {row.id: msgspec.convert({"assertion": row.id, "outcome": row.outcome}, GradeResult) for row in rows}


def _subject_tree(suite: LoadedSuite, task: Task, graded: Tree) -> Tree:
    """What the subject's sandbox holds: the graded files, and for `in_process` tasks the grader's laid over them."""
    if task.grading.mode != "in_process" or isinstance(task.grader, UnsetType):
        return graded
    return apply_overlay(graded, suite.tree(task.grader), ())


def crowding(task: Task, tree: Tree) -> str | None:
    """Why `tree` has no place in a workspace of the task, or None.

    Counted as a tmpfs with pages of 4 KiB does it, whatever pages this machine has: the answer is the same wherever a tree is
    graded, and it is known before anything is written. It is the submission's doing: the agent worked within the same limits.
    """
    entries = {above for record in tree.records for above in parents(record.path)}
    if len(tree.records) + len(entries) > task.limits.files:
        return f"the submitted files and folders are more than the task's {task.limits.files}"
    if sum(map(_pages, tree.records)) * PAGE > task.limits.disk_mb * MIB:
        return f"the submitted files need more than the task's {task.limits.disk_mb} MiB"
    return None


def _pages(record: TreeRecord) -> int:
    """Pages of a file, or of a link whose target is too long for the kernel to keep it beside the name (mm/shmem.c)."""
    if isinstance(record.target, str):
        return int(len(record.target.encode()) >= SHORT_LINK)
    return 0 if isinstance(record.size, UnsetType) else -(-record.size // PAGE)


def _readable(record: TreeRecord) -> bool:
    """Whether a submitted file is short enough to be looked at; a longer one fails its checks as if it were missing."""
    return not isinstance(record.size, UnsetType) and record.size <= READ_BYTES


def _library() -> tuple[Mount, ...]:
    return (Mount(source=INSIDE, target=LIBRARY),)


def _last_words(outcome: Outcome) -> str:
    """The end of what a program of ours said, on one line."""
    return outcome.stderr.data[-300:].decode("utf-8", "replace").strip().replace("\n", " | ")


def _script_result(check: Grader, conversation: Conversation, outcome: Outcome) -> GradeResult:
    broken = conversation.problem is not None or not conversation.done
    if broken or outcome.limit is not None or outcome.exit is None:
        # What the subject answers decides how long a script takes, what its parsers have to bear and what it writes into its
        # notes: whatever ends it early is a failed check. An attempt must not earn another try by it.
        return GradeResult(assertion=check.id, outcome="error", tests=tuple(conversation.tests))
    reported = {test.id: test.outcome for test in conversation.tests}
    wanted = all(reported.get(name) == "pass" for name in check.tests)
    passed = wanted and all(state == "pass" for state in reported.values())
    return GradeResult(assertion=check.id, outcome="pass" if passed else "fail", tests=tuple(conversation.tests))


class _InspectorResult(msgspec.Struct, frozen=True):
    id: str
    outcome: Literal["pass", "fail", "error"]
    reason: str = ""


class _InspectorAnswer(msgspec.Struct, frozen=True):
    results: list[_InspectorResult]


def _inspector_rows(task: Task, wanted: list[str], outcome: Outcome) -> list[_InspectorResult]:
    """What the inspector said of each check.

    Raises:
        GradeFailedError: it gave no answer to what it was asked.
    """
    if outcome.limit is not None or outcome.exit is None:
        # The files decide what the inspector costs; a file that starves it fails its checks.
        return [_InspectorResult(id=name, outcome="error", reason="the inspector ran out of its limits") for name in wanted]
    try:
        rows = msgspec.json.decode(outcome.stdout.data, type=_InspectorAnswer).results
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise GradeFailedError(
            f"task {task.id}: the inspector gave no usable answer ({error}) {_last_words(outcome)}"
        ) from None
    if sorted(row.id for row in rows) != sorted(wanted):
        raise GradeFailedError(f"task {task.id}: the inspector answered {[row.id for row in rows]} to {wanted}")
    return rows
