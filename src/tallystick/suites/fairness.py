"""What can be said against a suite without running anything: the static part of `tally suite check`.

| code | finding |
|---|---|
| `empty_instruction` | the agent is told nothing |
| `answer_visible` | a file of the workspace equals one of grader or solution |
| `idle_passes` | no assertion can fail an agent that does nothing |
| `missing_script` | an assertion names a grader script that is not in the grader tree |
| `unused_grader` | a grader tree that no assertion uses |
| `no_solution` | nothing shows that the task can be solved |
| `solution_not_allowed` | the solution changes a path that the grade workspace leaves out |
| `few_cheats` | a task without a cheat |
| `bad_cheat` | a cheat says that an assertion fails which the task does not have |
| `never_fails` | no cheat is caught by this assertion |
| `too_big` | a tree of more than 64 MiB or 10,000 files |
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tallystick.core.digest import Digest
from tallystick.records.base import UNSET
from tallystick.records.task import Cheat, FileExists, Grader, OnlyChanged, Task, Unchanged
from tallystick.records.tree import Overlay, Tree
from tallystick.suites.allowed import grade_tree
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import LoadedSuite, overlaid

__all__ = ["Finding", "find_unfair"]

TRIVIAL_BYTES: Final = 32
"""Files up to this size are equal by chance (empty `__init__.py`, a version line)."""
MOST_BYTES: Final = 64 * 1024 * 1024
MOST_FILES: Final = 10_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One objection to a task."""

    task_id: str
    code: str
    message: str


def find_unfair(suite: LoadedSuite) -> tuple[Finding, ...]:
    """All findings, in the order of the tasks."""
    findings: list[Finding] = []
    for task in suite.tasks:
        cheats = [cheat for cheat in suite.cheats if cheat.task_id == task.id]
        said = [*_told(task), *_visible(suite, task), *_graded(suite, task), *_solved(suite, task), *_caught(task, cheats)]
        said += _sizes(suite, task, cheats)
        findings += [Finding(task.id, code, message) for code, message in said]
    return tuple(findings)


Said = Iterator[tuple[str, str]]
"""(code, message) pairs about one task."""


def _told(task: Task) -> Said:
    if not instruction(task).strip():
        yield "empty_instruction", "the file has no text below its frontmatter, and no steps"


def _visible(suite: LoadedSuite, task: Task) -> Said:
    base = suite.tree(task.workspace)
    seen = _contents(base)
    for name, tree in _hidden(suite, task):
        same_place = base.by_path()
        for record in tree.records:
            if record.digest is UNSET or record.digest not in seen or same_place.get(record.path) == record:
                continue
            yield "answer_visible", f"workspace file {seen[record.digest]} equals {name} file {record.path}"


def _contents(tree: Tree) -> dict[Digest, str]:
    """Paths by content, small files left out."""
    files = ((record.digest, record.size, record.path) for record in tree.records)
    return {digest: path for digest, size, path in files if digest is not UNSET and size is not UNSET and size > TRIVIAL_BYTES}


def _hidden(suite: LoadedSuite, task: Task) -> Iterator[tuple[str, Tree]]:
    if task.grader is not UNSET:
        yield "grader", suite.tree(task.grader)
    if task.solution is not UNSET:
        yield "solution", suite.tree(task.solution.tree)


def _graded(suite: LoadedSuite, task: Task) -> Said:
    base = {record.path for record in suite.tree(task.workspace).records}
    scripts = set() if task.grader is UNSET else {record.path for record in suite.tree(task.grader).records}
    used = [check for check in task.assertions if isinstance(check, Grader)]
    for check in used:
        if check.script not in scripts:
            yield "missing_script", f"assertion {check.id}: the grader tree has no {check.script}"
    if task.grader is not UNSET and not used:
        yield "unused_grader", "no assertion of kind grader uses the grader folder"
    idle = (OnlyChanged, Unchanged)
    if all(isinstance(c, idle) or (isinstance(c, FileExists) and c.path in base) for c in task.assertions):
        yield "idle_passes", "every assertion holds of the untouched workspace"


def _solved(suite: LoadedSuite, task: Task) -> Said:
    if task.solution is UNSET:
        yield "no_solution", "there is no solution folder"
        return
    for path, reason in _left_out(suite, task, task.solution):
        yield "solution_not_allowed", f"the solution changes {path}, which is not carried over ({reason})"


def _left_out(suite: LoadedSuite, task: Task, overlay: Overlay) -> list[tuple[str, str]]:
    _, excluded = grade_tree(task, suite.tree(task.workspace), overlaid(suite, task, overlay))
    return [(item.path, item.reason) for item in excluded]


def _caught(task: Task, cheats: list[Cheat]) -> Said:
    known = [check.id for check in task.assertions]
    if not cheats:
        yield "few_cheats", "there is no cheat, so nothing shows what the assertions catch"
        return
    caught = {name for cheat in cheats for name in cheat.fails}
    for cheat in cheats:
        for name in cheat.fails:
            if name not in known:
                yield "bad_cheat", f"cheat {cheat.name} should fail {name}, and the task has no such assertion"
    for name in known:
        if name not in caught:
            yield "never_fails", f"no cheat is caught by assertion {name}"


def _sizes(suite: LoadedSuite, task: Task, cheats: list[Cheat]) -> Said:
    named = [("workspace", task.workspace)] + ([] if task.grader is UNSET else [("grader", task.grader)])
    named += [] if task.solution is UNSET else [("solution", task.solution.tree)]
    named += [(f"cheat {cheat.name}", cheat.overlay.tree) for cheat in cheats]
    for name, digest in named:
        records = suite.tree(digest).records
        size = sum(record.size for record in records if record.size is not UNSET)
        if size > MOST_BYTES or len(records) > MOST_FILES:
            yield "too_big", f"{name}: {len(records)} files of {size} bytes"
