"""Public keys, their names, their JWK form and raw signatures."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc.jwk import OKPKey

from tallystick.core import c1
from tallystick.core.errors import InputError
from tallystick.records.bundle import Jwk
from tallystick.trust import base64url
from tallystick.trust.keys import KeyRefusedError, PublicKey, SignatureError, read_jwk, thumbprint
from tallystick.trust.signing import Signer
from tests import vectors

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def rfc8037() -> Any:
    return vectors.load("rfc8037/appendix_a.json")


def jwk(x: str) -> Jwk:
    return Jwk(crv="Ed25519", kty="OKP", x=x)


@vectors.needed
def test_rfc_8037_thumbprint_and_signature() -> None:
    given_ = rfc8037()
    key = PublicKey.from_jwk(jwk(given_["jwk_public"]["x"]))
    assert key.kid == thumbprint(key.jwk) == given_["thumbprint_sha256"]
    protected, payload, signature = given_["compact"].split(".")
    assert payload == base64url.encode(given_["payload_utf8"].encode())
    key.verify(base64url.decode(signature), f"{protected}.{payload}".encode())
    with pytest.raises(SignatureError):
        key.verify(base64url.decode(signature), f"{protected}.{payload}A".encode())


def wycheproof() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    groups = vectors.load("wycheproof/ed25519_test.json").get("testGroups", [])
    return [(group, test) for group in groups for test in group["tests"]]


@vectors.needed
def test_wycheproof_ed25519() -> None:
    wrong = []
    for group, test in wycheproof():
        key = PublicKey.from_jwk(jwk(group["publicKeyJwk"]["x"]))
        assert key.raw == bytes.fromhex(group["publicKey"]["pk"])
        if accepts(key, bytes.fromhex(test["sig"]), bytes.fromhex(test["msg"])) != (test["result"] == "valid"):
            wrong.append(test["tcId"])
    assert wrong == []
    assert len(wycheproof()) == 151


def accepts(key: PublicKey, signature: bytes, message: bytes) -> bool:
    try:
        key.verify(signature, message)
    except SignatureError:
        return False
    return True


def test_joserfc_names_a_key_as_we_do() -> None:
    key = Signer.generate().public
    assert OKPKey.import_key({"kty": "OKP", "crv": "Ed25519", "x": key.jwk.x}).thumbprint() == key.kid


def test_a_jwk_comes_back_as_the_same_key() -> None:
    key = Signer.generate().public
    assert PublicKey.from_jwk(key.jwk) == key
    assert read_jwk(c1.dumps({"crv": "Ed25519", "kty": "OKP", "x": key.jwk.x})) == key


def test_a_key_cannot_be_changed() -> None:
    key = Signer.generate().public
    with pytest.raises(dataclasses.FrozenInstanceError):
        key.raw = bytes(32)  # type: ignore[misc]


def test_there_is_no_way_around_the_admission() -> None:
    identity = b"\x01" + bytes(31)
    with pytest.raises(KeyRefusedError):
        PublicKey(identity)
    with pytest.raises(KeyRefusedError):
        PublicKey.from_jwk(jwk(base64url.encode(identity)))
    with pytest.raises(KeyRefusedError):
        dataclasses.replace(Signer.generate().public, raw=identity)


def test_spare_bits_padding_and_another_alphabet_are_refused() -> None:
    x = Signer.generate().public.jwk.x
    last = ALPHABET.index(x[-1])
    spare = [x[:-1] + ALPHABET[last + bits] for bits in (1, 2, 3)]
    for spelling in (*spare, x + "=", x + "\n", " " + x, x[:-1], x + "A", "+" + x[1:], "/" + x[1:], "ä" + x[1:], ""):
        with pytest.raises(KeyRefusedError):
            PublicKey.from_jwk(jwk(spelling))


@given(st.binary(max_size=100))
def test_base64url_is_an_inverse(data: bytes) -> None:
    assert base64url.decode(base64url.encode(data)) == data


@given(st.text(ALPHABET + "=+/ \n", max_size=12))
def test_base64url_has_one_spelling(text: str) -> None:
    try:
        data = base64url.decode(text)
    except base64url.Base64Error:
        return
    assert base64url.encode(data) == text


KEY = Signer.generate().public

BAD_FILES = {
    "empty": b"",
    "not JSON": b"-----BEGIN PUBLIC KEY-----",
    "array": b"[]",
    "100,000 brackets": b"[" * 100_000,
    "too big": b'{"x":"' + b"A" * 5000 + b'"}',
    "no x": b'{"crv":"Ed25519","kty":"OKP"}',
    "x a number": b'{"crv":"Ed25519","kty":"OKP","x":1}',
    "another curve": f'{{"crv":"X25519","kty":"OKP","x":"{KEY.jwk.x}"}}'.encode(),
    "another type": f'{{"crv":"Ed25519","kty":"EC","x":"{KEY.jwk.x}"}}'.encode(),
    "private": f'{{"crv":"Ed25519","d":"{KEY.jwk.x}","kty":"OKP","x":"{KEY.jwk.x}"}}'.encode(),
    "another kid": f'{{"crv":"Ed25519","kid":"mine","kty":"OKP","x":"{KEY.jwk.x}"}}'.encode(),
    "kid a number": f'{{"crv":"Ed25519","kid":7,"kty":"OKP","x":"{KEY.jwk.x}"}}'.encode(),
    "not UTF-8": b"\xff\xfe",
}


@pytest.mark.parametrize("data", BAD_FILES.values(), ids=BAD_FILES)
def test_bad_jwk_files_are_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(InputError) as caught:
        read_jwk(data)
    assert "\n" not in str(caught.value)
    assert str(caught.value)


def test_a_jwk_of_others_may_be_spelled_otherwise_and_say_more() -> None:
    data = f'{{ "use": "sig",\n "x": "{KEY.jwk.x}", "kty": "OKP", "crv": "Ed25519", "kid": "{KEY.kid}" }}\n'
    assert read_jwk(data.encode()) == KEY


@given(st.binary(max_size=200))
def test_garbage_raises_only_the_domains_errors(data: bytes) -> None:
    with pytest.raises(InputError):
        read_jwk(data)
