"""The attestation of a VerificationResult: it stands for every byte of it, and for no other key."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tallystick.core.pyjson import read
from tallystick.trust.attested import attest, attestation_problem
from tallystick.trust.signing import Signer

SIGNER = Signer.generate()
RESULT: dict[str, Any] = {
    "id": "a/verification",
    "decision_support": {"recommendation": "reject_candidate", "confidence": 1.0},
    "extensions": {"org.example": {"x": 1}, "tallystick": {"level": "regraded"}},
}


def made() -> dict[str, Any]:
    return attest(copy.deepcopy(RESULT), SIGNER.public, SIGNER.sign)


def test_it_holds_and_names_its_key() -> None:
    result = made()
    assert attestation_problem(result) is None
    assert result["attestation"]["signer_id"] == SIGNER.public.kid
    assert result["extensions"]["org.example"] == {"x": 1}
    assert result["extensions"]["tallystick"]["level"] == "regraded"


def test_signing_again_replaces_it() -> None:
    other = Signer.generate()
    again = attest(made(), other.public, other.sign)
    assert attestation_problem(again) is None
    assert again["attestation"]["signer_id"] == other.public.kid


def test_spelling_and_order_of_the_file_do_not_matter() -> None:
    result = made()
    assert attestation_problem(dict(reversed(result.items()))) is None


def _verdict(result: dict[str, Any]) -> None:
    result["decision_support"]["recommendation"] = "accept_candidate"


def _confidence(result: dict[str, Any]) -> None:
    result["decision_support"]["confidence"] = 1  # equal, and written otherwise


def _key(result: dict[str, Any]) -> None:
    result["extensions"]["tallystick"]["signer_jwk"]["x"] = Signer.generate().public.jwk.x


def _name(result: dict[str, Any]) -> None:
    result["attestation"]["signer_id"] = Signer.generate().public.kid


def _algorithm(result: dict[str, Any]) -> None:
    result["attestation"]["algorithm"] = "none"


def _signature(result: dict[str, Any]) -> None:
    result["attestation"]["signature"] = made()["attestation"]["signature"][:-4] + "AAAA"


def _no_key(result: dict[str, Any]) -> None:
    del result["extensions"]["tallystick"]["signer_jwk"]


def _nothing(result: dict[str, Any]) -> None:
    del result["attestation"]


@pytest.mark.parametrize("lie", [_verdict, _confidence, _key, _name, _algorithm, _signature, _no_key, _nothing])
def test_it_does_not_stand_for_anything_else(lie: Any) -> None:
    result = made()
    lie(result)
    assert attestation_problem(result)


def test_a_number_too_strange_to_be_hashed_is_a_problem_and_no_crash() -> None:
    result = made()
    result["id"] = read(rb'"\ud800"', strict=False)
    assert "surrogate" in (attestation_problem(result) or "")
