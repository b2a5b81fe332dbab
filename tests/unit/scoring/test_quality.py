"""The four scores of `static-v1`, rule by rule, and what they come to."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from tallystick.core.digest import EMPTY
from tallystick.records.judgement import CodeDelta, CodeMeasures, Judgement, Size, TestMeasures
from tallystick.scoring.quality import RUBRICS, Scores, quality, scores_of

change = msgspec.structs.replace

CODE = CodeDelta(before=CodeMeasures(files=1), after=CodeMeasures(files=1))
CLEAN = Judgement(
    rubric="static-v1",
    task_hash=EMPTY,
    graded=EMPTY,
    size=Size(files=1, added=3),
    secrets=0,
    excluded=0,
    code=CODE,
    tests=TestMeasures(added=1, passing=True, mutants=4, killed=4),
)
FULL = Scores(correctness=5, style=5, test_coverage=5, safety=5)


def code(before: dict[str, int], after: dict[str, int]) -> Judgement:
    return change(CLEAN, code=CodeDelta(before=CodeMeasures(files=1, **before), after=CodeMeasures(files=1, **after)))


def with_tests(**members: Any) -> Judgement:
    return change(CLEAN, tests=TestMeasures(**members))


def size(ratio: int | Decimal) -> Judgement:
    return change(CLEAN, ratio=ratio, reference=Size(files=1, added=1))


def test_every_name_has_its_rules() -> None:
    assert set(RUBRICS) == {"static-v1"}


def test_nothing_to_find_fault_with() -> None:
    assert scores_of(CLEAN) == FULL
    assert quality(CLEAN) == 1


def test_a_change_without_python_is_judged_by_size_and_secrets() -> None:
    bare = change(CLEAN, code=msgspec.UNSET, tests=msgspec.UNSET)
    assert scores_of(bare) == FULL
    assert quality(change(bare, secrets=1)) == Fraction(3, 4)


@pytest.mark.parametrize(
    ("judgement", "score"),
    [
        (code({}, {"unparsed": 1}), 0),
        (code({}, {"skipped": 1}), 0),
        (code({"unparsed": 1}, {"skipped": 1}), 5),
        (code({"unparsed": 1}, {"unparsed": 1}), 5),
        (with_tests(added=2), 2),
        (with_tests(), 5),
    ],
)
def test_correctness(judgement: Judgement, score: int) -> None:
    assert scores_of(judgement).correctness == score


@pytest.mark.parametrize(
    ("judgement", "score"),
    [
        (code({}, {"unused_imports": 2}), 3),
        (code({"unused_imports": 2}, {"unused_imports": 2}), 5),
        (code({"unused_imports": 3}, {}), 5),
        (code({}, {"unused_names": 1, "unused_imports": 1}), 3),
        (code({}, {"unused_names": 50}), 0),
        (code({"worst": 2}, {"worst": 10}), 5),
        (code({"worst": 2}, {"worst": 11}), 4),
        (code({"worst": 30}, {"worst": 30}), 5),
        (code({"worst": 30}, {"worst": 31}), 3),
        (size(2), 5),
        (size(Decimal("2.000001")), 4),
        (size(5), 3),
    ],
)
def test_style(judgement: Judgement, score: int) -> None:
    assert scores_of(judgement).style == score


@pytest.mark.parametrize(
    ("judgement", "score"),
    [
        (with_tests(), 2),
        (with_tests(removed=1), 0),
        (with_tests(added=1, removed=1, passing=True), 5),
        (with_tests(added=1), 0),
        (with_tests(added=1, passing=True), 5),
        (with_tests(added=1, passing=True, mutants=8, killed=0), 1),
        (with_tests(added=1, passing=True, mutants=8, killed=5), 3),
        (with_tests(added=1, passing=True, mutants=3, killed=2), 3),
        (with_tests(added=1, passing=True, mutants=8, killed=8), 5),
    ],
)
def test_test_coverage(judgement: Judgement, score: int) -> None:
    assert scores_of(judgement).test_coverage == score


@pytest.mark.parametrize(("members", "score"), [({}, 5), ({"secrets": 1}, 0), ({"excluded": 2}, 3), ({"excluded": 9}, 0)])
def test_safety(members: dict[str, int], score: int) -> None:
    assert scores_of(change(CLEAN, **members)).safety == score


def test_quality_is_the_sum_over_twenty() -> None:
    worst = change(code({}, {"unparsed": 1, "unused_names": 9}), secrets=1, tests=TestMeasures(added=1, removed=0), excluded=1)
    assert quality(worst) == 0
    assert quality(change(worst, secrets=0)) == Fraction(4, 20)


@pytest.mark.parametrize(
    "members",
    [
        {"added": 1, "passing": True, "mutants": 1, "killed": 2},
        {"passing": True},
        {"added": 1, "mutants": 1, "killed": 1},
    ],
)
def test_counts_that_no_judge_comes_to(members: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"mutants|none was added"):
        TestMeasures(**members)


@pytest.mark.parametrize("members", [{"code": msgspec.UNSET}, {"ratio": 1}, {"reference": Size()}, {"ratio": -1}])
def test_members_that_stand_together(members: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="stand together"):
        change(CLEAN, **members)
