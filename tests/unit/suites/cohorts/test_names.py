"""Names that look alike, names that nearly are one, and addresses of one repository."""

from __future__ import annotations

import pytest

from tallystick.suites.cohorts.names import alike, near_miss
from tallystick.suites.cohorts.repositories import same_repository
from tallystick.suites.cohorts.samples import Shape, sample
from tests.support.cohorts import judged, told


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("task-001", "task-00l"),
        ("task-001", "task-OO1"),
        ("Worker", "worker"),
        ("WORKER-IN", "worker-in"),
        ("worker", "w\u043erker"),
        ("modern", "modem"),
        ("a-b", "a_b"),
        ("a.b", "a b"),
        ("\uff57orker", "worker"),
        ("caf\u00e9", "cafe"),
        ("Ill", "lll"),
        ("a\u2011b", "a-b"),
    ],
)
def test_alike(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("task-001", "task-002"), ("tail", "tall"), ("v1", "v2"), ("one", "two"), ("ab", "a-b")]
)
def test_unlike(one: str, other: str) -> None:
    assert not alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("role-specialized-two-independent-attempts-v2", "role-specialized-two-attempts-v2"),
        ("single-worker-v1", "single-worker-v2"),
        ("single-worker-v1", "singel-worker-v1"),
        ("worker", "worker-new"),
    ],
)
def test_near_misses(one: str, other: str) -> None:
    assert near_miss(one, other)
    assert near_miss(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("single-worker-v1", "two-workers-v1"),
        ("alpha-baseline", "omega-baseline"),
        ("a-b", "a-b-c-d"),
        ("single-worker-v1", "single-worker-v1"),
        ("one-two", "two-one"),
    ],
)
def test_no_near_misses(one: str, other: str) -> None:
    assert not near_miss(one, other)


def test_structures_of_one_task_may_be_near() -> None:
    made = sample(Shape(attempts=0))
    for task in made.cohort["tasks"]:
        task["declared_structural_signatures"] += ["two-attempts-v1", "two-independent-attempts-v1"]
    made.refit()
    assert judged(made).ok


def test_a_third_name_among_two_that_are_one_tasks_own() -> None:
    made = sample(Shape(attempts=0))
    for task in made.cohort["tasks"]:
        task["declared_structural_signatures"] += ["pair-v1", "pair-v2"]
    made.task(3)["declared_structural_signatures"][-2:] = ["pair-v3"]
    made.refit()
    report = judged(made)
    assert told(report) == ["near-miss-signature"] * 2
    assert {finding.task for finding in report.findings} == {"sample/0003"}


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/Team/repo",
        "https://example.org/team/repo.git",
        "https://EXAMPLE.org/team/repo/",
        "http://www.example.org:80/team//repo",
        "ssh://git@example.org/team/repo.git",
        "git@example.org:team/repo.git",
        "https://user:word@example.org:443/team/%72epo",
    ],
)
def test_one_repository(address: str) -> None:
    assert same_repository(address) == "example.org/team/repo"


@pytest.mark.parametrize(
    "address", ["https://example.org:8443/team/repo", "https://example.org/team/other", "https://[::1", "x"]
)
def test_other_repositories(address: str) -> None:
    assert same_repository(address) != "example.org/team/repo"
