"""Equal attempt budgets: signatures are compared only where each had as many attempts as the others, at every task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tallystick.records.cohort.cohort import Cohort
from tallystick.records.cohort.vocabulary import TaskStatus

__all__ = ["attempt_counts", "find_unequal", "find_unequal_tasks"]


def attempt_counts(cohort: Cohort) -> dict[str, dict[str, int]]:
    """Attempts by signature and task, of every signature that a task declares, at the tasks that have any evidence."""
    tasks = [task for task in cohort.tasks if task.status is TaskStatus.VERIFIED]
    declared = dict.fromkeys(signature for task in tasks for signature in task.declared_structural_signatures)
    used = {task.id: Counter(attempt.structural_signature for attempt in task.attempts) for task in tasks}
    return {signature: {name: counts[signature] for name, counts in used.items()} for signature in declared}


def find_unequal(cohort: Cohort) -> Iterator[str]:
    """What is unequal, in words; nothing where budgets are equal or there is no evidence yet."""
    levels: dict[str, int] = {}
    for signature, counts in attempt_counts(cohort).items():
        low, high = min(counts.values(), default=0), max(counts.values(), default=0)
        if low != high:
            yield f"{signature} has from {low} to {high} attempts at a task; a budget is the same at every task"
        levels[signature] = high
    if len(set(levels.values())) > 1:
        listed = ", ".join(f"{signature} {count}" for signature, count in levels.items())
        yield f"attempts at each task are not equal: {listed}"


def find_unequal_tasks(cohort: Cohort) -> Iterator[tuple[str, str]]:
    """The same by task: (id, what is unequal there); nothing exactly where `find_unequal` finds nothing."""
    by_signature = attempt_counts(cohort)
    most = max((count for counts in by_signature.values() for count in counts.values()), default=0)
    for task in cohort.tasks:
        if task.status is TaskStatus.VERIFIED and any(counts[task.id] != most for counts in by_signature.values()):
            listed = ", ".join(f"{signature} {counts[task.id]}" for signature, counts in by_signature.items())
            yield task.id, f"signatures have unlike numbers of attempts: {listed}, where {most} of each are an equal budget"
