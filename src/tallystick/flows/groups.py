"""One bundle, or two of the same suite side by side: the attempts of each task, and who passed more of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tallystick.core.digest import short
from tallystick.core.errors import InputError
from tallystick.flows.words import plural
from tallystick.records.bundle import Bundle, TaskResult
from tallystick.records.task import Task
from tallystick.suites.loading import LoadedSuite

__all__ = ["Change", "TaskGroup", "UnlikeSuitesError", "changes", "group", "passed"]

Change = Literal["more", "fewer", "same", "only in A", "only in B"]
"""What B did with a task that A did: passed a larger or smaller share of its attempts, or the same."""


class UnlikeSuitesError(InputError):
    """Two bundles whose numbers are about different tasks."""


@dataclass(frozen=True, slots=True)
class TaskGroup:
    """The attempts at one task, of each bundle."""

    task: Task
    results: tuple[tuple[TaskResult, ...], ...]

    @property
    def change(self) -> Change | None:
        """From the first bundle to the second; None where there is one only."""
        if len(self.results) == 1:
            return None
        old, new = self.results
        if not old or not new:
            return "only in A" if old else "only in B"
        before, after = _rate(old), _rate(new)
        return "same" if before == after else "more" if after > before else "fewer"


def passed(results: Sequence[TaskResult]) -> int:
    """How many of these attempts passed, as the bundle says."""
    return sum(result.passed for result in results)


def _rate(results: Sequence[TaskResult]) -> Fraction:
    return Fraction(passed(results), len(results))


def group(bundles: Sequence[Bundle], suite: LoadedSuite, task: str | None = None) -> tuple[TaskGroup, ...]:
    """The tasks that any of `bundles` (one or two) has, in the order of the suite; only `task` where it is named.

    Raises:
        UnlikeSuitesError: the bundles are about different suites.
        InputError: a bundle speaks of a task that the suite does not have, or no bundle has `task`.
    """
    first, last = bundles[0], bundles[-1]
    if first.suite_hash != last.suite_hash:
        raise UnlikeSuitesError(
            f"A is about {first.suite_version} {short(first.suite_hash)}, B about {last.suite_version} "
            f"{short(last.suite_hash)}: scores of unlike suites cannot be compared"
        )
    held = [_by_task(bundle) for bundle in bundles]
    unknown = next((name for names in held for name in names if name not in {each.id for each in suite.tasks}), None)
    if unknown is not None:
        suite.task(unknown)  # raises, and says what there is
    tasks = [each for each in suite.tasks if any(each.id in names for names in held) and task in {None, each.id}]
    if not tasks:
        known = ", ".join(each.id for each in suite.tasks if any(each.id in names for names in held))
        raise InputError(f"there is no task {task!r} here; there is {known}")
    return tuple(TaskGroup(each, tuple(tuple(names.get(each.id, ())) for names in held)) for each in tasks)


def _by_task(bundle: Bundle) -> dict[str, list[TaskResult]]:
    found: dict[str, list[TaskResult]] = {}
    for result in bundle.task_results:
        found.setdefault(result.task_id, []).append(result)
    return found


def changes(groups: Sequence[TaskGroup]) -> str:
    """The differences of two bundles in one sentence."""
    counts = {word: sum(each.change == word for each in groups) for word in ("more", "fewer", "same")}
    alone = sum(each.change in {"only in A", "only in B"} for each in groups)
    said = f"B passes a larger share of the attempts at {plural(counts['more'], 'task')}, a smaller one at {counts['fewer']}"
    return f"{said}, the same at {counts['same']}" + (f"; {plural(alone, 'task')} in one of the two only" if alone else "")
