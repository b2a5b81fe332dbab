"""Whatever stands in a cohort's files, both validations end with findings, and strict ones only add to the original's."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from tallystick.core import pyjson
from tallystick.suites.cohorts import self_test
from tallystick.suites.cohorts.reporting import ORIGINAL_STEPS, Finding
from tallystick.suites.cohorts.samples import COHORT_PATH, MemoryFiles, Sample, Shape, sample
from tallystick.suites.cohorts.validating import Options, validate

ODD: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10**20),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["", "support", "verified", "hidden", "0.2", "tallystick-0.1", "sample/0000", "a" * 300, "x\n", "../x"]),
    st.just([]),
    st.just({}),
)
SHAPES: Final = st.sampled_from(
    [Shape(tasks=2), Shape(tasks=2, stage="collecting"), Shape(tasks=2, attempts=0, stage="scaffold")]
)


WORDS: Final = (
    *("support", "reject", "escalate", "accept_candidate", "reject_candidate", "passed", "failed", "succeeded", "timeout"),
    *("verified", "pending", "excluded", "frozen", "collecting", "public", "hidden", "regression", "security", "other"),
    *("bug_fix", "refactor", "sample/0000", "sample/0001", "sample-worker", "sample-verifier", "single-worker-v1"),
    *("manifest-schema", "independent-review", "patch-hash", "1998-01-01T00:00:00Z", "5" * 40, "sha256:" + "0" * 64),
    *("cohort/0000/plan.json", "cohort/0001/plan.json", "candidate.patch", "attempt-1"),
)
"""What stands in samples, and so may well stand in another place."""


def another(draw: st.DrawFn, value: Any) -> Any:
    """Another value, mostly of the same type."""
    if draw(st.integers(0, 4)) == 0:
        return draw(ODD)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return draw(st.sampled_from([0, 1, 2, 1.0, value + 1]))
    return draw(st.sampled_from(WORDS))


def change(draw: st.DrawFn, value: Any, depth: int = 0) -> Any:
    """The same value with one place of it replaced, taken out or doubled; rarely near the top."""
    if not isinstance(value, dict | list) or not value or (depth and draw(st.integers(0, 29)) == 0):
        return another(draw, value)
    name = draw(st.sampled_from(list(value) if isinstance(value, dict) else range(len(value))))
    copied = value.copy()
    if depth and draw(st.integers(0, 19)) == 0:
        del copied[name]
    elif isinstance(copied, list) and draw(st.integers(0, 9)) == 0:
        copied.append(copied[name])
    else:
        copied[name] = change(draw, copied[name], depth + 1)
    return copied


@st.composite
def changed(draw: st.DrawFn) -> Sample:
    """A sample with one to three documents changed, its digests made to hold again where that is possible."""
    made = sample(draw(SHAPES))
    for path in draw(st.lists(st.sampled_from([COHORT_PATH, COHORT_PATH, *made.documents]), min_size=1, max_size=3)):
        if path == COHORT_PATH:
            made.cohort = change(draw, made.cohort)
        else:
            made.documents[path] = change(draw, made.documents[path])
    if draw(st.booleans()):
        try:
            made.refit()
        except (AttributeError, KeyError, TypeError, ValueError, IndexError, pyjson.PyJsonError):
            return made
    return made


LIES: Final = (*self_test._BINDING, *self_test._COMPLETENESS, *self_test._STRICT)


@st.composite
def lied_about(draw: st.DrawFn) -> Sample:
    """A sample of which several lies of the self-test are told at once; one that finds nothing to change is left out."""
    made = sample(Shape(tasks=2))
    for lie in draw(st.lists(st.sampled_from(LIES), min_size=1, max_size=4)):
        try:
            lie.change(made)
            if lie.refit:
                made.refit()
        except (KeyError, IndexError):
            continue
    return made


def findings(files: dict[str, bytes], *, compat: bool, require_evidence: bool) -> tuple[Finding, ...]:
    return validate(MemoryFiles(files), COHORT_PATH, Options(compat, require_evidence)).findings


@settings(max_examples=200)
@given(made=st.one_of(changed(), lied_about()), require_evidence=st.booleans())
def test_strict_findings_follow_the_originals(made: Sample, *, require_evidence: bool) -> None:
    try:
        files = made.files()
    except pyjson.PyJsonError:
        return
    original = findings(files, compat=True, require_evidence=require_evidence)
    strict = findings(files, compat=False, require_evidence=require_evidence)
    theirs = tuple(finding for finding in strict if finding.step <= ORIGINAL_STEPS)
    if not any("tallystick-0.1" in finding.message for finding in original):
        assert theirs == original
    assert strict[: len(theirs)] == theirs


@settings(max_examples=100)
@given(data=st.binary(max_size=200), path=st.sampled_from([COHORT_PATH, "cohort/0000/plan.json", "cohort/0000/negative.json"]))
def test_any_bytes_are_findings(data: bytes, path: str) -> None:
    files = sample(Shape(tasks=1, attempts=1, stage="collecting")).files() | {path: data}
    for compat in (True, False):
        assert findings(files, compat=compat, require_evidence=False)
