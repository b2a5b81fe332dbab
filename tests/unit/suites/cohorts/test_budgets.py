"""Equal attempt budgets: at every task, and of every signature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tallystick.records.cohort.cohort import Cohort, parse_cohort
from tallystick.suites.cohorts.budgets import attempt_counts, find_unequal, find_unequal_tasks
from tallystick.suites.cohorts.samples import Shape, sample


def with_attempts(*tasks: Mapping[str, int]) -> Cohort:
    """A cohort whose tasks have so many attempts of each signature; a task without any is pending."""
    value: Any = sample(Shape(tasks=len(tasks))).cohort
    names = list(dict.fromkeys(name for task in tasks for name in task))
    for task, wanted in zip(value["tasks"], tasks, strict=True):
        one = task["evidence"]["attempts"][0]
        task["declared_structural_signatures"] = names
        task["evidence"]["attempts"] = [
            {**one, "attempt_id": f"{name}-{index}", "structural_signature": name}
            for name, count in wanted.items()
            for index in range(count)
        ]
        task["evidence"]["status"] = "verified" if any(wanted.values()) else "pending"
    return parse_cohort(value)


@pytest.mark.parametrize(
    "tasks",
    [
        [{"a": 2, "b": 2}, {"a": 2, "b": 2}],
        [{"a": 3}, {"a": 3}],
        [{"a": 1, "b": 1}, {"a": 0, "b": 0}],  # the second has no evidence yet
        [{"a": 0, "b": 0}],
    ],
)
def test_equal(tasks: list[dict[str, int]]) -> None:
    assert list(find_unequal(with_attempts(*tasks))) == []
    assert list(find_unequal_tasks(with_attempts(*tasks))) == []


@pytest.mark.parametrize(
    ("tasks", "says"),
    [
        ([{"a": 3, "b": 1}], "attempts at each task are not equal: a 3, b 1"),
        ([{"a": 2, "b": 2}, {"a": 2, "b": 1}], "b has from 1 to 2 attempts at a task"),
        ([{"a": 2, "b": 2}, {"a": 1, "b": 1}], "a has from 1 to 2 attempts at a task"),
        ([{"a": 2, "b": 0}], "not equal: a 2, b 0"),
        ([{"a": 3, "b": 1, "c": 1}], "not equal: a 3, b 1, c 1"),
        ([{"a": 4, "b": 4, "c": 2}], "not equal: a 4, b 4, c 2"),
    ],
)
def test_unequal(tasks: list[dict[str, int]], says: str) -> None:
    assert any(says in line for line in find_unequal(with_attempts(*tasks)))


@pytest.mark.parametrize(
    ("tasks", "named"),
    [
        ([{"a": 2, "b": 2}, {"a": 1, "b": 1}], ["sample/0001"]),
        ([{"a": 1, "b": 0}, {"a": 0, "b": 1}], ["sample/0000", "sample/0001"]),
        ([{"a": 2, "b": 2}, {"a": 2, "b": 1}, {"a": 0, "b": 0}], ["sample/0001"]),
    ],
)
def test_the_tasks_with_another_budget_are_named(tasks: list[dict[str, int]], named: list[str]) -> None:
    assert [task for task, _ in find_unequal_tasks(with_attempts(*tasks))] == named


def test_counts_are_by_signature_and_task() -> None:
    assert attempt_counts(with_attempts({"a": 2, "b": 1})) == {"a": {"sample/0000": 2}, "b": {"sample/0000": 1}}
