"""Documents made of a suite's tasks: labels, shapes, what binds them, and what a hidden one may not say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tallystick.core import pyjson
from tallystick.core.digest import sha256
from tallystick.records.cohort.checking import check
from tallystick.records.cohort.schemas import DocumentKind
from tallystick.records.cohort.vocabulary import Difficulty, Family, Metric, NegativeCategory, Split
from tallystick.suites.cohorts.from_tasks import (
    VALIDATORS,
    CohortHead,
    Placed,
    Source,
    cohort_document,
    number,
    plan,
    work_unit,
)
from tallystick.suites.cohorts.labels import difficulty_of, expected_category, family_of, kind_of, negative_of
from tallystick.suites.loaded import SuiteError
from tallystick.suites.loading import load_suite, packaged_names
from tests.support.cohort_suites import CATEGORIES, small_suite
from tests.support.many import reader

SUITE = small_suite()
TASK = SUITE.tasks[0]
SOURCE = Source("https://example.org/source", "a" * 40)
PART = (SUITE.version, SUITE.suite_hash)


def placed(*, hidden: bool = False, name: str = "cohort/x/001") -> Placed:
    unit = work_unit(name, TASK, SOURCE, PART, hidden=hidden)
    made = plan(f"{name}/evaluator", unit, TASK)
    return Placed(
        id=name,
        task=TASK,
        source=SOURCE,
        unit=unit,
        unit_path="c/work-units/1.json",
        plan=made,
        plan_path=None if hidden else "c/evaluators/1.json",
        commitment=sha256(b"salted") if hidden else pyjson.digest(made),
        cheat=negative_of(SUITE, TASK),
        family=Family.BUG_FIX,
        difficulty=Difficulty.SMALL,
    )


def head(**members: Any) -> CohortHead:
    return CohortHead(
        **{
            "id": "cohort/x",
            "title": "X",
            "description": "",
            "split": Split.HELD_OUT,
            "signatures": ("a", "b"),
            "metrics": (Metric.TOKENS,),
            "minimum": 5,
            "suite": ("c/suite", SUITE.suite_hash),
            **members,
        }
    )


@pytest.mark.parametrize("hidden", [False, True])
def test_documents_are_valid_strictly(*, hidden: bool) -> None:
    made = placed(hidden=hidden)
    assert check(DocumentKind.WORK_UNIT, made.unit, strict=True) == []
    assert check(DocumentKind.OWN_PLAN, made.plan, strict=True) == []
    assert check(DocumentKind.COHORT, cohort_document(head(), [made]), strict=True) == []


def test_a_plan_is_bound_to_its_unit_and_names_its_task() -> None:
    made = placed()
    bound: Any = made.plan
    assert bound["binding"]["work_unit_digest"] == pyjson.digest(made.unit)
    assert bound["binding"]["source_revision"] == "a" * 40
    assert bound["backend"]["task_hash"] == TASK.task_hash
    assert bound["required_validator_ids"] == list(VALIDATORS)


def test_limits_become_a_budget() -> None:
    unit: Any = placed().unit
    assert unit["budget"] == {"wall_seconds": 60, "project_spend_usd_max": 1, "paid_fallback_allowed": False}
    assert unit["constraints"]["allowed_paths"] == ["out.txt", "more.txt"]
    assert unit["constraints"]["forbidden_paths"] == ["in.txt"]
    assert number(Fraction(5, 2)) == 2.5
    assert isinstance(number(Fraction(3)), int)


def test_a_hidden_task_says_nothing_of_its_grading() -> None:
    made = placed(hidden=True)
    task: Any = cohort_document(head(), [made])["tasks"]
    said = pyjson.canonical([made.unit, task])
    secrets = [TASK.task_hash, SUITE.suite_hash, *(check.id for check in TASK.assertions), made.cheat.name]
    assert [secret for secret in secrets if f'"{secret}"'.encode() in said] == []
    assert made.cheat.name.encode() not in said
    assert task[0]["evaluator"]["plan_digest"] == sha256(b"salted")
    assert "plan_path" not in task[0]["evaluator"]


def test_a_cohort_grants_nothing_and_waits_for_everything() -> None:
    value: Any = cohort_document(head(), [placed(), placed(name="cohort/x/002")])
    assert set(value["authority"].values()) == {False}
    assert value["stage"] == "scaffold"
    assert value["required_families"] == ["bug_fix"]
    for task in value["tasks"]:
        assert task["evidence"] == {"status": "pending", "attempts": []}
        assert task["negative_case"]["evidence_status"] == "pending"
        assert "empty_words" in task["negative_case"]["description"]


def test_nothing_names_a_suite_where_all_is_hidden() -> None:
    value: Any = cohort_document(head(suite=None), [placed(hidden=True)])
    assert value["extensions"] == {"tallystick": {}}


def test_categories_become_families() -> None:
    assert [family_of(task).value for task in SUITE.tasks] == [
        "bug_fix",
        "test_failure",
        "bounded_feature",
        "refactor",
        "documentation_contract",
        "other",
    ]
    assert len(CATEGORIES) == len(set(map(family_of, SUITE.tasks)))


@pytest.mark.parametrize("name", packaged_names())
def test_every_packaged_task_has_labels_and_a_negative(name: str) -> None:
    suite = load_suite(name)
    for task in suite.tasks:
        assert family_of(task) in Family
        assert difficulty_of(task) in Difficulty
        assert kind_of(task) in {"coding", "documentation", "review", "testing"}
        assert expected_category(task, negative_of(suite, task)) in {NegativeCategory.CORRECTNESS, NegativeCategory.SCOPE}


def test_what_a_cheat_shows_decides_the_category() -> None:
    wrong, strays = (cheat for cheat in SUITE.cheats if cheat.task_id == TASK.id)
    assert expected_category(TASK, wrong) is NegativeCategory.CORRECTNESS
    assert expected_category(TASK, strays) is NegativeCategory.SCOPE


def test_a_task_without_a_cheat_has_no_negative() -> None:
    suite = reader(1)
    with pytest.raises(SuiteError, match="t01 has no cheat"):
        negative_of(suite, suite.tasks[0])
