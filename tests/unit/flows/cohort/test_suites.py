"""From a cohort to its suite: which openings of its private folder are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tallystick.core import limits
from tallystick.core.errors import InputError
from tallystick.flows.cohort.from_suite import FromSuite, Made, make_from_suite
from tallystick.flows.cohort.opening import look
from tallystick.flows.cohort.suites import CohortSuite, cohort_suite
from tallystick.records.cohort.opening import OpeningError
from tallystick.suites.cohorts.sample_reveals import SALT
from tallystick.trust.signing import Signer
from tests.support.cohort_suites import small_suite


def hidden(root: Path) -> tuple[Made, Path]:
    made = make_from_suite(FromSuite(small_suite(), root / "co", root, hide=("Task_2",)), Signer.generate())
    assert made.private is not None
    return made, made.private


def suite_of(made: Made) -> CohortSuite:
    return cohort_suite(made.where, look(made.where).cohort)


def test_an_opening_of_something_else_is_passed_over(tmp_path: Path) -> None:
    made, private = hidden(tmp_path)
    (private / "000.opening.json").write_text(f'{{"plan": {{}}, "salt": "{SALT}"}}')
    assert suite_of(made).missing == ()


def test_what_is_no_opening_is_named(tmp_path: Path) -> None:
    made, private = hidden(tmp_path)
    (private / "000.opening.json").write_text("{")
    with pytest.raises(OpeningError, match=r"000\.opening\.json is no opening"):
        suite_of(made)


def test_so_many_openings_are_read_and_no_more(tmp_path: Path) -> None:
    """They are all one file, and it is no opening: were any of them read, that would be said."""
    made, private = hidden(tmp_path)
    bad = private / "0.opening.json"
    bad.write_text("{")
    for number in range(1, limits.COHORT_OPENINGS):
        (private / f"{number}.opening.json").hardlink_to(bad)
    with pytest.raises(InputError, match=f"has more than {limits.COHORT_OPENINGS} files"):
        suite_of(made)
    bad.unlink()
    with pytest.raises(OpeningError, match="is no opening"):
        suite_of(made)
