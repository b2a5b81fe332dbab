"""What can be said against a suite without running anything: the static part of `tally suite check`.

| code | what is wrong |
|---|---|
| `empty_instruction` | the agent is told nothing |
| `answer_visible` | a file of the workspace equals one of grader or solution |
| `idle_passes` | no assertion can fail an agent that does nothing |
| `missing_script` | an assertion names a grader script that is not in the grader tree |
| `solution_not_allowed` | the solution changes a path that the grade workspace leaves out |
| `bad_cheat` | a cheat says that an assertion fails which the task does not have |
| `too_big` | a tree of more than 64 MiB or 10,000 files |

| code | what the suite does not show |
|---|---|
| `no_solution` | that the task can be solved |
| `few_cheats` | what the assertions catch |
| `never_fails` | that this assertion catches a cheat (it may still fail an idle agent) |
| `unused_grader` | what the grader folder is for |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from tallystick.core.digest import Digest
from tallystick.records.base import UNSET
from tallystick.records.task import Cheat, FileExists, Grader, OnlyChanged, Task, Unchanged
from tallystick.records.tree import Tree
from tallystick.suites.allowed import grade_tree
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import LoadedSuite, overlaid

__all__ = ["Finding", "find_gaps", "find_unfair"]

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


Said = Iterator[tuple[str, str]]
"""(code, message) pairs about one task."""
Rule = Callable[[LoadedSuite, Task], Said]


def find_unfair(suite: LoadedSuite) -> tuple[Finding, ...]:
    """Everything that is wrong with a suite (first table), in the order of its tasks."""
    return _find(suite, (_told, _visible, _graded, _solved, _stated, _sizes))


def find_gaps(suite: LoadedSuite) -> tuple[Finding, ...]:
    """What a suite does not show (second table), in the order of its tasks."""
    return _find(suite, (_unsolved, _uncaught, _unused))


def _find(suite: LoadedSuite, rules: tuple[Rule, ...]) -> tuple[Finding, ...]:
    said = [(task.id, pair) for task in suite.tasks for rule in rules for pair in rule(suite, task)]
    return tuple(Finding(task_id, code, message) for task_id, (code, message) in said)


def _told(_suite: LoadedSuite, task: Task) -> Said:
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
    for check in task.assertions:
        if isinstance(check, Grader) and check.script not in scripts:
            yield "missing_script", f"assertion {check.id}: the grader tree has no {check.script}"
    idle = (OnlyChanged, Unchanged)
    if all(isinstance(c, idle) or (isinstance(c, FileExists) and c.path in base) for c in task.assertions):
        yield "idle_passes", "every assertion holds of the untouched workspace"


def _solved(suite: LoadedSuite, task: Task) -> Said:
    if task.solution is UNSET:
        return
    _, excluded = grade_tree(task, suite.tree(task.workspace), overlaid(suite, task, task.solution))
    for item in excluded:
        yield "solution_not_allowed", f"the solution changes {item.path}, which is not carried over ({item.reason})"


def _stated(suite: LoadedSuite, task: Task) -> Said:
    known = {check.id for check in task.assertions}
    for cheat in _cheats(suite, task):
        for name in cheat.fails:
            if name not in known:
                yield "bad_cheat", f"cheat {cheat.name} should fail {name}, and the task has no such assertion"


def _cheats(suite: LoadedSuite, task: Task) -> list[Cheat]:
    return [cheat for cheat in suite.cheats if cheat.task_id == task.id]


def _unsolved(_suite: LoadedSuite, task: Task) -> Said:
    if task.solution is UNSET:
        yield "no_solution", "there is no solution folder"


def _uncaught(suite: LoadedSuite, task: Task) -> Said:
    caught = {name for cheat in _cheats(suite, task) for name in cheat.fails}
    if not caught:
        yield "few_cheats", "there is no cheat, so nothing shows what the assertions catch"
        return
    for check in task.assertions:
        if check.id not in caught:
            yield "never_fails", f"no cheat is caught by assertion {check.id}"


def _unused(_suite: LoadedSuite, task: Task) -> Said:
    if task.grader is not UNSET and not any(isinstance(check, Grader) for check in task.assertions):
        yield "unused_grader", "no assertion of kind grader uses the grader folder"


def _sizes(suite: LoadedSuite, task: Task) -> Said:
    named = [("workspace", task.workspace)] + ([] if task.grader is UNSET else [("grader", task.grader)])
    named += [] if task.solution is UNSET else [("solution", task.solution.tree)]
    named += [(f"cheat {cheat.name}", cheat.overlay.tree) for cheat in _cheats(suite, task)]
    for name, digest in named:
        records = suite.tree(digest).records
        size = sum(record.size for record in records if record.size is not UNSET)
        if size > MOST_BYTES or len(records) > MOST_FILES:
            yield "too_big", f"{name}: {len(records)} files of {size} bytes"
