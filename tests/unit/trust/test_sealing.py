"""Escrows: opened by their key alone, and by the library alone."""

from __future__ import annotations

import pytest
from cryptography.fernet import Fernet

from tallystick.trust.sealing import EscrowError, seal, unseal


def test_the_key_opens_the_escrow() -> None:
    made = seal(b"a plan")
    assert b"a plan" not in made.escrow
    assert unseal(made.escrow, made.key) == b"a plan"
    assert Fernet(made.key.strip()).decrypt(made.escrow.strip()) == b"a plan"


def test_no_two_are_alike() -> None:
    one, two = seal(b"a plan"), seal(b"a plan")
    assert one.escrow != two.escrow
    assert one.key != two.key


def test_another_key_does_not() -> None:
    with pytest.raises(EscrowError, match="does not open"):
        unseal(seal(b"a plan").escrow, seal(b"a plan").key)


@pytest.mark.parametrize("place", [0, 20, 60, -5])
def test_a_changed_escrow_does_not_open(place: int) -> None:
    made = seal(b"a plan")
    changed = bytearray(made.escrow)
    changed[place] = ord("A") if changed[place] != ord("A") else ord("B")
    with pytest.raises(EscrowError):
        unseal(bytes(changed), made.key)


@pytest.mark.parametrize("key", [b"", b"short", b"\xff" * 44, b"A" * 42, "é".encode() * 22])
def test_no_key(key: bytes) -> None:
    with pytest.raises(EscrowError):
        unseal(seal(b"a plan").escrow, key)


@pytest.mark.parametrize("escrow", [b"", b"no escrow", b"\xff" * 100])
def test_no_escrow(escrow: bytes) -> None:
    with pytest.raises(EscrowError):
        unseal(escrow, seal(b"a plan").key)
