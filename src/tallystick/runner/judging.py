"""The static judge: measures of an attempt's changed files, taken in fresh sandboxes after the checks. It decides nothing.

What is a function of bytes is computed here; what parses code runs isolated, on the files as data; the added tests run in the
subject's sandbox, on the graded files and on mutants of them. Where no Python file changed, no sandbox is started. Whatever
goes wrong leaves an attempt unjudged: an outcome of the grade pass never hangs on a judge.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

import msgspec

from tallystick.core.errors import TallyError
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.blobs import BlobReader, ChainedBlobs, MemoryBlobs
from tallystick.records.evidence import Excluded
from tallystick.records.judgement import MUTANTS, CodeDelta, CodeMeasures, Judgement, StaticRubric, TestMeasures
from tallystick.records.task import Task
from tallystick.records.tree import Tree, file_record, make_tree, tree_digest
from tallystick.sandbox.spec import Outcome
from tallystick.suites.changed import Pair, byte_measures, python_records, reference_of
from tallystick.suites.loaded import LoadedSuite

__all__ = ["TEST_MS", "Programs", "Submission", "UnjudgedError", "judge"]

PASSED: Final = 77
"""Exit code of inside/run_tests.py where tests ran and none failed."""
TEST_MS: Final = 5_000
"""Processor time of one run of the added tests. A mutant that makes them run for ever is noticed by this, and killed."""
SOURCE_BYTES: Final = 256 * 1024
"""Bytes of a Python file that is looked at, before or after."""
SOURCES_BYTES: Final = 2 * 1024 * 1024
"""Bytes of all of them together, in the order of paths: parsing them takes two seconds and some 400 MB."""
_TEST_FILES: Final = 50
"""Test files with added tests that are run."""


class UnjudgedError(TallyError):
    """No judgement came of an attempt's files; the message says why."""


@dataclass(frozen=True, slots=True)
class Programs:
    """How the judge runs programs: `inspect` our inspector on a document, `test` test files on a workspace of the subject.

    `test` is None where the workspace has no place in the subject's sandbox.
    """

    inspect: Callable[[bytes], Outcome]
    test: Callable[[Tree, BlobReader, Sequence[str]], Outcome] | None


class _Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    files: int
    unparsed: int
    unused_imports: int
    unused_names: int
    functions: int
    complexity: int
    worst: int


class _Tests(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    added: int
    removed: int
    files: list[str]


class _Mutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: str
    source: str


class _Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    before: _Counts
    after: _Counts
    tests: _Tests
    mutants: Annotated[list[_Mutant], msgspec.Meta(max_length=MUTANTS)]


@dataclass(frozen=True, slots=True)
class Submission:
    """What is judged: the grade workspace of an attempt at a task, what it left out, and where contents come from."""

    suite: LoadedSuite
    task: Task
    graded: Tree
    excluded: Sequence[Excluded]
    blobs: BlobReader


def judge(rubric: StaticRubric, what: Submission, programs: Programs) -> Judgement:
    """The judgement of a submission; equal wherever it is made.

    Raises:
        UnjudgedError: the inspector ran out of its limits or gave no answer.
        MissingBlobError: a changed file is not in the blobs.
        SandboxError: a sandbox did not start.
    """
    task, base = what.task, what.suite.tree(what.task.workspace)
    solution = None if isinstance(task.solution, UnsetType) else what.suite.tree(task.solution.tree)
    found = _code(base, what, programs)
    return Judgement(
        rubric=rubric,
        task_hash=task.task_hash,
        graded=tree_digest(what.graded),
        **byte_measures(base, what.graded, what.excluded, reference_of(task, base, solution, what.blobs), what.blobs),
        code=UNSET if found is None else found[0],
        tests=UNSET if found is None else found[1],
    )


def _code(base: Tree, what: Submission, programs: Programs) -> tuple[CodeDelta, TestMeasures] | None:
    """What the inspector counts, and what the added tests do; None where no Python file changed."""
    pairs = python_records(base, what.graded)
    if not pairs:
        return None
    files, skipped = _question(pairs, what.blobs)
    document = msgspec.json.encode({"files": files, "mutants": MUTANTS})
    answer = _answer(programs.inspect(document))
    code = CodeDelta(before=_measures(answer.before, skipped[0]), after=_measures(answer.after, skipped[1]))
    return code, _tests(answer, what, programs)


def _path(pair: Pair) -> str:
    record = pair[1] or pair[0]
    assert record is not None  # a pair is of a path that one of the trees has
    return record.path


def _question(pairs: Sequence[Pair], blobs: BlobReader) -> tuple[list[dict[str, str]], tuple[int, int]]:
    """The changed files as the inspector is given them, and how many sides, before and after, are too large for it."""
    files, skipped, left = [], [0, 0], SOURCES_BYTES
    for pair in pairs:
        row = {"path": _path(pair)}
        for side, record in enumerate(pair):
            if record is None or isinstance(record.digest, UnsetType) or isinstance(record.size, UnsetType):
                continue  # this side has no such file, or a link
            if record.size > min(SOURCE_BYTES, left):
                skipped[side] += 1
                continue
            left -= record.size
            row["after" if side else "before"] = base64.b64encode(blobs.read(record.digest)).decode()
        files.append(row)
    return files, (skipped[0], skipped[1])


def _answer(outcome: Outcome) -> _Answer:
    if outcome.limit is not None or outcome.exit is None:
        raise UnjudgedError("the judge's inspector ran out of its limits")
    try:
        return msgspec.json.decode(outcome.stdout.data, type=_Answer)
    except msgspec.DecodeError as error:
        said = outcome.stderr.data[-300:].decode("utf-8", "replace").strip().replace("\n", " | ")
        raise UnjudgedError(f"the judge's inspector gave no usable answer ({error}) {said}") from None


def _measures(counts: _Counts, skipped: int) -> CodeMeasures:
    return CodeMeasures(**{**msgspec.structs.asdict(counts), "files": counts.files + skipped}, skipped=skipped)


def _tests(answer: _Answer, what: Submission, programs: Programs) -> TestMeasures:
    """Run the files with added tests: on the graded files, and where they pass on every mutant."""
    came, files = answer.tests, answer.tests.files[:_TEST_FILES]
    run = programs.test
    passing = bool(files) and run is not None and run(what.graded, what.blobs, files).exit == PASSED
    killed = 0
    if passing and run is not None:
        killed = sum(run(tree, blobs, files).exit != PASSED for tree, blobs in _mutated(answer.mutants, what))
    return TestMeasures(added=came.added, removed=came.removed, passing=passing, mutants=len(answer.mutants), killed=killed)


def _mutated(mutants: Sequence[_Mutant], what: Submission) -> Iterator[tuple[Tree, BlobReader]]:
    """The graded workspace with one mutant in it, and where its contents come from."""
    records = what.graded.by_path()
    for mutant in mutants:
        try:
            data = base64.b64decode(mutant.source, validate=True)
            record = records[mutant.path]
        except (binascii.Error, KeyError):
            raise UnjudgedError("the judge's inspector made a mutant of no file") from None
        held = MemoryBlobs()
        changed = file_record(record.path, held.put(data), len(data), executable=record.mode == "0755")
        yield (
            make_tree([*(each for each in what.graded.records if each is not record), changed]),
            ChainedBlobs(held, what.blobs),
        )
