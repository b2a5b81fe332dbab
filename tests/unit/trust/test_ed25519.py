"""Which public keys are admitted."""

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tallystick.trust.ed25519 import KeyRefusedError, admit
from tests.unit.trust import curve

SEEDS = st.binary(min_size=32, max_size=32)
IDENTITY = curve.encode(curve.IDENTITY)
UNIVERSAL_SIGNATURE = IDENTITY + bytes(32)


def public(seed: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


@given(SEEDS)
def test_every_key_that_is_made_properly_is_admitted(seed: bytes) -> None:
    admit(public(seed))


@pytest.mark.parametrize("message", [b"", b"sha256:00", b"another claim"])
def test_the_identity_signs_everything_for_a_bare_verifier_and_is_refused_here(message: bytes) -> None:
    Ed25519PublicKey.from_public_bytes(IDENTITY).verify(UNIVERSAL_SIGNATURE, message)
    with pytest.raises(KeyRefusedError, match="small order"):
        admit(IDENTITY)


@pytest.mark.parametrize("point", curve.TORSION, ids=str)
def test_points_of_small_order_are_refused(point: curve.Point) -> None:
    with pytest.raises(KeyRefusedError, match="small order"):
        admit(curve.encode(point))


@pytest.mark.parametrize("torsion", curve.TORSION[1:], ids=str)
@pytest.mark.parametrize("seed", [bytes(32), b"\xff" * 32])
def test_points_of_mixed_order_are_refused(seed: bytes, torsion: curve.Point) -> None:
    proper = curve.decode(public(seed))
    assert proper
    with pytest.raises(KeyRefusedError, match="prime-order subgroup"):
        admit(curve.encode(curve.add(proper, torsion)))


def test_there_are_second_encodings_to_refuse() -> None:
    assert len(curve.second_encodings()) > 10


@pytest.mark.parametrize("key", curve.second_encodings(), ids=bytes.hex)
def test_second_encodings_are_refused(key: bytes) -> None:
    with pytest.raises(KeyRefusedError, match="not canonically encoded"):
        admit(key)


@given(st.binary(max_size=80).filter(lambda key: len(key) != 32))
def test_other_lengths_are_refused(key: bytes) -> None:
    with pytest.raises(KeyRefusedError, match="32 bytes"):
        admit(key)


def test_a_refused_key_is_refused_again() -> None:
    for _ in range(3):
        with pytest.raises(KeyRefusedError):
            admit(IDENTITY)


@settings(max_examples=40)
@given(SEEDS)
@example((2).to_bytes(32, "little"))
@example(bytes(32))
def test_any_32_bytes_are_admitted_exactly_if_they_encode_a_point_of_prime_order(key: bytes) -> None:
    point = curve.decode(key)
    proper = point is not None and point != curve.IDENTITY and curve.times(curve.L, point) == curve.IDENTITY
    assert is_admitted(key) == proper


def is_admitted(key: bytes) -> bool:
    try:
        admit(key)
    except KeyRefusedError:
        return False
    return True


def test_some_small_order_keys_verify_forgeries_elsewhere_which_is_why_they_are_refused() -> None:
    """The forgery for a key of order n fits every n-th message or so, without any private key."""
    fooled = 0
    for point in curve.TORSION:
        for number in range(32):
            try:
                Ed25519PublicKey.from_public_bytes(curve.encode(point)).verify(UNIVERSAL_SIGNATURE, str(number).encode())
                fooled += 1
            except (InvalidSignature, ValueError):
                continue
    assert fooled > 32
