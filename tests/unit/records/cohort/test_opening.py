"""Openings: what one is, what its commitment is over, and which salts hide nothing."""

from __future__ import annotations

import hashlib
import json

import pytest

from tallystick.core import limits
from tallystick.records.cohort.opening import GuessableError, Opening, OpeningError, parse_opening
from tallystick.suites.cohorts.sample_reveals import OTHER_SALT, SALT

PLAN = {"id": "é", "version": 1.0}


def test_the_commitment_is_over_plan_and_salt() -> None:
    text = '{"plan":{"id":"é","version":1.0},"salt":"' + SALT + '"}'
    opening = Opening(PLAN, SALT)
    assert opening.commitment == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    assert Opening(PLAN, OTHER_SALT).commitment != opening.commitment
    assert Opening({**PLAN, "version": 1}, SALT).commitment != opening.commitment


def test_its_bytes_are_read_again() -> None:
    opening = Opening(PLAN, SALT)
    assert parse_opening(opening.to_bytes()) == opening
    assert parse_opening(json.dumps({"salt": SALT, "plan": PLAN}).encode()).to_bytes() == opening.to_bytes()


@pytest.mark.parametrize(
    "salt", ["", "0" * 64, "01" * 32, "0123456" * 9 + "0", SALT[:-1], SALT.upper(), SALT + "\n", SALT + "0"]
)
def test_a_salt_that_hides_nothing(salt: str) -> None:
    with pytest.raises(GuessableError):
        Opening(PLAN, salt)
    with pytest.raises(GuessableError):
        parse_opening(json.dumps({"plan": PLAN, "salt": salt}).encode())


@pytest.mark.parametrize("value", [PLAN, {"plan": PLAN}, {"plan": PLAN, "salt": 3}, {"plan": PLAN, "salt": None}])
def test_a_plan_without_a_salt(value: object) -> None:
    with pytest.raises(GuessableError, match="no salt"):
        parse_opening(json.dumps(value).encode())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        f'{{"plan": {{}}, "salt": "{SALT}", "more": 1}}'.encode(),
        f'{{"plan": [], "salt": "{SALT}"}}'.encode(),
        f'{{"salt": "{SALT}"}}'.encode(),
        f'{{"plan": {{}}, "plan": {{}}, "salt": "{SALT}"}}'.encode(),
        f'{{"plan": {{"n": NaN}}, "salt": "{SALT}"}}'.encode(),
        b" " * (limits.COHORT_OPENING_BYTES + 1),
    ],
)
def test_no_opening(data: bytes) -> None:
    with pytest.raises(OpeningError) as caught:
        parse_opening(data)
    assert not isinstance(caught.value, GuessableError)
