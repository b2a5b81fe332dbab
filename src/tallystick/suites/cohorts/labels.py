"""What a cohort calls the tasks of a suite: family, difficulty, kind of work, and the cheat that is its seeded negative.

A suite has categories of its own and tiers; a cohort has six families and four difficulties. The tables below are defaults that
the author of a cohort can overrule before it is frozen; afterwards they are part of its definition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tallystick.records.cohort.vocabulary import Difficulty, Family, NegativeCategory
from tallystick.records.task import Assertion, Cheat, OnlyChanged, Task, Tier, Unchanged
from tallystick.suites.loaded import LoadedSuite, SuiteError

__all__ = ["category_of", "difficulty_of", "expected_category", "family_of", "kind_of", "negative_of"]

_FAMILIES: Final[Mapping[str, Family]] = {
    "bug_fix": Family.BUG_FIX,
    "build": Family.TEST_FAILURE,
    "configuration": Family.BOUNDED_FEATURE,
    "documentation": Family.DOCUMENTATION_CONTRACT,
    "feature": Family.BOUNDED_FEATURE,
    "implementation": Family.BOUNDED_FEATURE,
    "lint": Family.REFACTOR,
    "maintenance": Family.REFACTOR,
    "migration": Family.REFACTOR,
    "refactor": Family.REFACTOR,
    "requirements": Family.BOUNDED_FEATURE,
    "specification": Family.BUG_FIX,
    "test_failure": Family.TEST_FAILURE,
}
_DIFFICULTIES: Final[Mapping[Tier, Difficulty]] = {
    "smoke": Difficulty.SMALL,
    "standard": Difficulty.MEDIUM,
    "stretch": Difficulty.LARGE,
    "adversarial": Difficulty.MEDIUM,
}
_KINDS: Final[Mapping[str, str]] = {"code_review": "review", "documentation": "documentation", "test_generation": "testing"}


def family_of(task: Task) -> Family:
    """The family of a task by its category; `other` where none fits."""
    return _FAMILIES.get(task.category, Family.OTHER)


def difficulty_of(task: Task) -> Difficulty:
    """The difficulty of a task by its tier."""
    return _DIFFICULTIES[task.tier]


def kind_of(task: Task) -> str:
    """The WorkUnit's word for the work."""
    return _KINDS.get(task.category, "coding")


def category_of(check: Assertion) -> NegativeCategory:
    """What a candidate did wrong at which this assertion fails: it touched what it should leave alone, or it is not right."""
    return NegativeCategory.SCOPE if isinstance(check, OnlyChanged | Unchanged) else NegativeCategory.CORRECTNESS


def expected_category(task: Task, cheat: Cheat) -> NegativeCategory:
    """The finding that a cheat must lead to: `correctness` where any assertion of that kind must fail, else `scope`."""
    checks = {check.id: check for check in task.assertions}
    found = {category_of(checks[name]) for name in cheat.fails}
    return NegativeCategory.CORRECTNESS if NegativeCategory.CORRECTNESS in found else NegativeCategory.SCOPE


def negative_of(suite: LoadedSuite, task: Task) -> Cheat:
    """The cheat that is the task's seeded negative: the first of the suite.

    Raises:
        SuiteError: the task has none.
    """
    found = next((cheat for cheat in suite.cheats if cheat.task_id == task.id), None)
    if found is None:
        raise SuiteError(f"task {task.id} has no cheat, so nothing shows that its grader rejects; add one or leave it out")
    return found
