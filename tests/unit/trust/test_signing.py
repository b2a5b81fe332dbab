"""Private keys: bytes in, bytes out, and no second kind of signer."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed448, x25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from hypothesis import given
from hypothesis import strategies as st

from tallystick.trust.jws import BUNDLE_TYP, verify
from tallystick.trust.signing import Signer, SigningKeyError

SIGNER = Signer.generate()


def pem(key: ec.EllipticCurvePrivateKey | ed448.Ed448PrivateKey | x25519.X25519PrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


BAD = {
    "empty": b"",
    "text": b"hello",
    "public": SIGNER._key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
    "truncated": SIGNER.to_bytes()[:60],
    "encrypted": SIGNER._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x")),
    "EC": pem(ec.generate_private_key(ec.SECP256R1())),
    "Ed448": pem(ed448.Ed448PrivateKey.generate()),
    "X25519": pem(x25519.X25519PrivateKey.generate()),
    "DER": SIGNER._key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()),
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_anything_but_an_ed25519_key_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(SigningKeyError) as caught:
        Signer.from_bytes(data)
    assert "\n" not in str(caught.value)


@given(st.binary(max_size=300))
def test_garbage_raises_only_the_domains_error(data: bytes) -> None:
    with pytest.raises(SigningKeyError):
        Signer.from_bytes(data)


@given(st.integers(0, len(SIGNER.to_bytes()) - 1), st.integers(0, 255))
def test_a_bent_key_file_is_refused_or_another_whole_key(at: int, byte: int) -> None:
    data = bytearray(SIGNER.to_bytes())
    data[at] = byte
    try:
        signer = Signer.from_bytes(bytes(data))
    except SigningKeyError:
        return
    verify(signer.sign(BUNDLE_TYP, b"payload"), b"payload", BUNDLE_TYP, signer.public)


def test_a_key_comes_back_from_its_bytes() -> None:
    again = Signer.from_bytes(SIGNER.to_bytes())
    assert again.public == SIGNER.public
    assert again.sign(BUNDLE_TYP, b"payload") == SIGNER.sign(BUNDLE_TYP, b"payload")


def test_the_example_key_of_rfc_8410_is_read() -> None:
    """Sections 10.1 and 10.3."""
    public = "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="
    private = "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC"
    signer = Signer.from_bytes(f"-----BEGIN PRIVATE KEY-----\n{private}\n-----END PRIVATE KEY-----\n".encode())
    assert base64.b64encode(signer.public.raw).decode() == public


def test_a_signer_never_prints_its_key() -> None:
    assert repr(SIGNER) == f"Signer({SIGNER.public.kid})"


def test_two_keys_differ() -> None:
    assert Signer.generate().public != Signer.generate().public
