"""Three golden examples of every category, from evidence as attempts leave it, and the order in which rules are tried."""

from __future__ import annotations

import dataclasses
import time
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.records.eval_run import FailureCategory
from tallystick.records.task import Command, Contains, FileExists, OnlyChanged, SyntaxValid, Unchanged
from tallystick.scoring.clues import Attempted, clues_of_attempt
from tallystick.scoring.taxonomy import DETAIL_CHARS, Clues, classify
from tests.unit.scoring.evidence import BASE, FIXED, attempted, task

FAILING: Final = {"behaviour": {"adds": "fail", "imports": "pass"}}
HALF_BEFORE: Final = {"behaviour": {"adds": "fail", "imports": "pass"}}
WRONG: Final = {**BASE, "app/core.py": b"import os\n\n\ndef add(a, b):\n    return b - a\n"}
OWN_TESTS: Final = Command(id="own-tests", argv=("python", "-m", "unittest"))


def wrong(**how: Any) -> Attempted:
    """The right file changed to something else that is wrong, with the same outcome as before."""
    return attempted(task(), WRONG, now=FAILING, before=HALF_BEFORE, **how)


def a_hidden_test_broken() -> Attempted:
    return attempted(task(), WRONG, now={"behaviour": {"adds": "pass", "imports": "fail"}}, before=HALF_BEFORE)


def a_test_no_longer_reported() -> Attempted:
    return attempted(task(), WRONG, now={"behaviour": {"adds": "pass"}}, before=HALF_BEFORE)


def the_visible_tests_broken() -> Attempted:
    return attempted(task(OWN_TESTS), WRONG, now={"own-tests": 1}, before={"own-tests": 0})


OWNED: Final = ("app/core.py",)
EXAMPLES: Final[dict[FailureCategory, tuple[Attempted, ...]]] = {
    FailureCategory.test_regression: (
        a_hidden_test_broken(),
        a_test_no_longer_reported(),
        the_visible_tests_broken(),
    ),
    FailureCategory.timeout: (
        wrong(limit="wall"),
        attempted(task(), BASE, now=FAILING, before=HALF_BEFORE, limit="wall", signal=9),
        attempted(task(), FIXED, now={"behaviour": {"adds": "pass", "imports": "pass"}}, before=HALF_BEFORE, limit="wall"),
    ),
    FailureCategory.scope_creep: (
        attempted(task(owned_files=OWNED), {**WRONG, "notes.md": b"x"}, now=FAILING, before=HALF_BEFORE),
        attempted(task(), {**WRONG, "conftest.py": b"x = 1\n"}, now=FAILING, before=HALF_BEFORE),
        attempted(
            task(OnlyChanged(id="nothing-else", paths=OWNED)), {**FIXED, "README.md": b"mine\n"}, failed=("nothing-else",)
        ),
    ),
    FailureCategory.conflict: (
        attempted(task(protected_files=("README.md",)), {**WRONG, "README.md": b"x"}, now=FAILING, before=HALF_BEFORE),
        attempted(task(Unchanged(id="documents", paths=("README.md",))), {**FIXED, "README.md": b"x"}, failed=("documents",)),
        attempted(
            task(),
            {**BASE, "app/core.py": b"<<<<<<< ours\nreturn a + b\n=======\nreturn b\n>>>>>>> theirs\n"},
            now=FAILING,
            before=HALF_BEFORE,
        ),
    ),
    FailureCategory.hallucination: (
        attempted(
            task(SyntaxValid(id="parses", path="app/core.py")),
            {**BASE, "app/core.py": b"def add(a, b:\n"},
            now={"parses": "fail"},
            before={"parses": "pass"},
        ),
        attempted(task(), {**BASE, "app/core.py": b"import quickmaths.core as q\n"}, now=FAILING, before=HALF_BEFORE),
        wrong(outputs=(("grade.behaviour.stderr", b"Trace\nAttributeError: module 'os' has no attribute 'adds'\n"),)),
    ),
    FailureCategory.orientation_miss: (
        attempted(task(), {**BASE, "README.md": b"# app, fixed\n"}, now=FAILING, before=HALF_BEFORE),
        attempted(task(), {**BASE, "app/plus.py": b"import os\n"}, now=FAILING, before=HALF_BEFORE),
        attempted(task(), BASE, now=FAILING, before=HALF_BEFORE, traffic=(b'{"cmd":"cat README.md"}',)),
    ),
    FailureCategory.incomplete: (
        attempted(task(), BASE, now=FAILING, before=HALF_BEFORE),
        attempted(
            task(FileExists(id="report", path="out/report.csv"), Contains(id="says", path="README.md", text="usage")),
            {**FIXED, "README.md": b"usage\n"},
            failed=("report",),
        ),
        wrong(limit="calls"),
    ),
    FailureCategory.context_miss: (
        wrong(),
        wrong(traffic=(b'{"cmd":"sed -i s/a/b/ app/co*"}',)),
        attempted(task(Contains(id="plus", path="app/core.py", text="a + b")), WRONG, failed=("plus",)),
    ),
}


@pytest.mark.parametrize(("category", "example"), [(name, each) for name, examples in EXAMPLES.items() for each in examples])
def test_golden_examples(category: FailureCategory, example: Attempted) -> None:
    found = classify(clues_of_attempt(example))
    assert found.category is category, found.details
    assert found.details


def test_every_category_has_three_examples() -> None:
    assert {name: len(examples) for name, examples in EXAMPLES.items()} == dict.fromkeys(FailureCategory, 3)


def test_the_closed_list_in_its_order() -> None:
    assert [category.value for category in FailureCategory] == [
        "test_regression",
        "timeout",
        "scope_creep",
        "conflict",
        "hallucination",
        "orientation_miss",
        "incomplete",
        "context_miss",
    ]
    assert [item.name for item in dataclasses.fields(Clues)] == [category.value for category in FailureCategory]


@given(st.sets(st.sampled_from(FailureCategory)))
def test_the_first_category_with_a_clue_wins(found: set[FailureCategory]) -> None:
    clues = Clues(**{category.value: ("a clue",) for category in found})
    first = next((category for category in FailureCategory if category in found), FailureCategory.context_miss)
    assert classify(clues).category is first


@given(st.lists(st.text(max_size=400), min_size=1, max_size=50))
def test_details_are_short(said: list[str]) -> None:
    assert 0 < len(classify(Clues(conflict=(*said, "x"))).details) <= DETAIL_CHARS


def test_evidence_with_everything_wrong_is_a_regression_first() -> None:
    of = task(OWN_TESTS, owned_files=OWNED, protected_files=("README.md",))
    final = {"app/core.py": b"import nowhere\n<<<<<<< a\n>>>>>>> b\n", "README.md": b"x", "notes.md": b"y"}
    everything = attempted(of, final, now={"own-tests": 1}, before={"own-tests": 0}, limit="wall")
    clues = clues_of_attempt(everything)
    order = []
    for category in FailureCategory:
        if getattr(clues, category.value):
            order.append(classify(clues).category)
            clues = dataclasses.replace(clues, **{category.value: ()})
    assert order == [
        FailureCategory.test_regression,
        FailureCategory.timeout,
        FailureCategory.scope_creep,
        FailureCategory.conflict,
        FailureCategory.hallucination,
    ]


def test_without_a_baseline_no_regression_is_invented() -> None:
    broken = dataclasses.replace(the_visible_tests_broken(), baseline=None)
    assert clues_of_attempt(broken).test_regression == ()


def test_what_failed_before_is_no_regression() -> None:
    assert clues_of_attempt(wrong()).test_regression == ()


def test_by_products_of_tools_are_no_change() -> None:
    final = {**BASE, "app/__pycache__/core.cpython-311.pyc": b"x", ".pytest_cache/v": b"y"}
    clues = clues_of_attempt(attempted(task(owned_files=OWNED), final, now=FAILING, before=HALF_BEFORE))
    assert clues.scope_creep == ()
    assert "it left the workspace as it was" in clues.incomplete


@pytest.mark.parametrize(
    "line",
    [b"import os.path\n", b"from app import core\n", b"from .core import add\n", b"    import nowhere\n", b"import json, re\n"],
)
def test_modules_that_are_somewhere_are_not_invented(line: bytes) -> None:
    assert clues_of_attempt(attempted(task(), {**BASE, "app/x.py": line}, now=FAILING)).hallucination == ()


def test_a_module_that_was_imported_before_is_known() -> None:
    base = {**BASE, "app/web.py": b"import flask\n"}
    final = {**base, "app/core.py": b"import flask\nimport flusk\n"}
    clues = clues_of_attempt(attempted(task(), final, now=FAILING, base=base))
    assert clues.hallucination == ("app/core.py imports flusk, which is nowhere",)


def test_long_lines_of_an_attacker_cost_no_time() -> None:
    lines = b"import " + b"a" * 250_000 + b"!\n", b"from " + b"a." * 120_000 + b" imp\n", b"<" * 250_000, b"import a" * 30_000
    final = {**BASE, **{f"app/x{number}.py": line for number, line in enumerate(lines)}}
    started = time.process_time()
    clues_of_attempt(attempted(task(), final, now=FAILING, outputs=tuple(("grade.o", line) for line in lines)))
    assert time.process_time() - started < 2


def test_an_attempt_that_was_not_graded() -> None:
    broken = Attempted(task=task(), at=None, grade=None, cause="sandbox_failed")
    assert classify(clues_of_attempt(broken)).details == "not graded: sandbox_failed"
