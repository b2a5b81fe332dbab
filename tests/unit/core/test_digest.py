"""Digest text has one spelling."""

import hashlib

import pytest

from tallystick.core.digest import EMPTY, Digest, Hasher, is_digest, raw, sha256, short

GOOD = "sha256:" + "0a" * 32
BAD = {
    "upper_case": GOOD.upper(),
    "upper_case_hex": "sha256:" + "0A" * 32,
    "too_short": GOOD[:-1],
    "too_long": GOOD + "0",
    "line_feed": GOOD + "\n",
    "no_prefix": GOOD[7:],
    "other_hash": "sha512:" + "0a" * 32,
    "other_digits": "sha256:" + "\u0660" * 64,
    "space": " " + GOOD,
    "empty": "",
    "none": None,
    "bytes": GOOD.encode(),
}


def test_hex_is_what_sha256sum_prints() -> None:
    assert sha256(b"abc") == "sha256:" + hashlib.sha256(b"abc").hexdigest()
    assert EMPTY == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert sha256(memoryview(b"abc")) == sha256(bytearray(b"abc")) == sha256(b"abc")


def test_pieces_make_the_same_digest() -> None:
    hasher = Hasher()
    hasher.update(b"a")
    hasher.update(memoryview(b"bc"))
    assert hasher.digest() == sha256(b"abc")


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_other_spellings_are_no_digest(text: object) -> None:
    assert not is_digest(text)


def test_one_spelling_is() -> None:
    assert is_digest(GOOD)
    assert raw(Digest(GOOD)) == b"\x0a" * 32


def test_short_is_for_the_screen() -> None:
    assert short(GOOD) == "0a0a0a0a…"
    assert short("?") == "?"
