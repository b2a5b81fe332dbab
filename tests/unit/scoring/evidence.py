"""Evidence of attempts, made of real trees, tasks and grades."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec

from tallystick.core.digest import EMPTY, Digest, sha256
from tallystick.records.blobs import MissingBlobError
from tallystick.records.evidence import Grade, GradeResult, TestOutcome
from tallystick.records.task import Assertion, Command, Grader, Grading, Task, TaskLimits, hash_task
from tallystick.records.tree import EMPTY_TREE, Tree, file_record, make_tree, tree_digest
from tallystick.scoring.clues import Attempted
from tallystick.scoring.portable import Workspaces
from tallystick.suites.allowed import grade_tree
from tallystick.suites.stdlib_names import STDLIB_NAMES

BASE = {"app/core.py": b"import os\n\n\ndef add(a, b):\n    return a - b\n", "README.md": b"# app\n"}
FIXED = {**BASE, "app/core.py": b"import os\n\n\ndef add(a, b):\n    return a + b\n"}
TESTS = Grader(id="behaviour", script="check.py", tests=("adds", "imports"))


class Blobs:
    """Contents by digest."""

    def __init__(self) -> None:
        self.held: dict[Digest, bytes] = {}

    def tree(self, files: Mapping[str, bytes]) -> Tree:
        for data in files.values():
            self.held[sha256(data)] = data
        return make_tree([file_record(path, sha256(data), len(data)) for path, data in files.items()])

    def read(self, digest: Digest) -> bytes:
        if digest not in self.held:
            raise MissingBlobError(digest, "the test")
        return self.held[digest]


def task(*checks: Assertion, **members: Any) -> Task:
    """A task with these assertions (by default a grader of two tests)."""
    made = Task(
        id="a-task",
        title="A task",
        description="Do it.",
        steps=(),
        assertions=checks or (TESTS,),
        category="refactor",
        tier="smoke",
        workspace=EMPTY_TREE,
        limits=TaskLimits(
            wall_ms=300_000, cost_usd=Decimal("0.5"), memory_mb=512, disk_mb=64, files=1000, processes=64, output_kb=256
        ),
        grading=Grading(mode="separate", policy="v1", python="3.11", wall_ms=60_000),
        task_hash=EMPTY,
        grader=EMPTY_TREE,
        **members,
    )
    return msgspec.structs.replace(made, task_hash=hash_task(made))


def graded(of: Task, outcomes: Mapping[str, Any], **members: Any) -> Grade:
    """A grade: for a grader the outcomes of its tests, for a command its exit code, else the outcome."""
    results = []
    for check in of.assertions:
        said = outcomes.get(check.id)
        if isinstance(check, Grader):
            tests = tuple(TestOutcome(id=name, outcome=outcome) for name, outcome in (said or {}).items())
            good = {test.id for test in tests if test.outcome == "pass"} >= set(check.tests)
            results.append(GradeResult(assertion=check.id, outcome="pass" if good else "fail", tests=tests))
        elif isinstance(check, Command):
            results.append(GradeResult(assertion=check.id, outcome="pass" if said == check.exit else "fail", exit=said))
        elif said is not None:
            results.append(GradeResult(assertion=check.id, outcome=said))
    return Grade(task_hash=of.task_hash, workspace=EMPTY, graded=EMPTY, mode="separate", results=tuple(results), **members)


def attempted(
    of: Task,
    final: Mapping[str, bytes],
    *,
    now: Mapping[str, Any] | None = None,
    before: Mapping[str, Any] | None = None,
    base: Mapping[str, bytes] = BASE,
    solution: Mapping[str, bytes] | None = FIXED,
    **members: Any,
) -> Attempted:
    """An attempt that left `final`; `now` and `before` are what its grade and that of the untouched workspace say."""
    blobs = Blobs()
    start, end = blobs.tree(base), blobs.tree(final)
    tree, excluded = grade_tree(of, start, end)
    grade = graded(of, now or {}, excluded=excluded)
    grade = msgspec.structs.replace(grade, workspace=tree_digest(end), graded=tree_digest(tree))
    failed = members.pop("failed", tuple(result.assertion for result in grade.results if result.outcome != "pass"))
    refused = members.pop("refused_total", 0)
    return Attempted(
        task=of,
        at=Workspaces(start, end, tree, refused, blobs),
        grade=grade,
        failed=failed,
        baseline=None if before is None else graded(of, before),
        reference=None if solution is None else blobs.tree(solution),
        library=STDLIB_NAMES,
        **members,
    )
