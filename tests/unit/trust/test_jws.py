"""Detached JWS: what we sign others verify, what others sign we verify, and nothing else passes."""

import json
import warnings
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from joserfc import jws as joserfc
from joserfc.jwk import OKPKey

from tallystick.trust import base64url, jws
from tallystick.trust.jws import BUNDLE_TYP, SignatureError, Typ, verify
from tallystick.trust.signing import Signer
from tests import vectors

PAYLOAD = b"sha256:" + b"5" * 64
SIGNER = Signer.generate()
KEY = SIGNER.public
TOKEN = SIGNER.sign(BUNDLE_TYP, PAYLOAD)
SIGNATURE = TOKEN.rpartition(".")[2]
CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/"
L = 2**252 + 27742317777372353535851937790883648493


def refuses(token: str, payload: bytes = PAYLOAD, typ: Typ = BUNDLE_TYP) -> bool:
    with pytest.raises(SignatureError) as caught:
        verify(token, payload, typ, KEY)
    return "\n" not in str(caught.value)


def test_a_signature_verifies() -> None:
    verify(TOKEN, PAYLOAD, BUNDLE_TYP, KEY)


def test_the_header_is_canonical_and_holds_three_members() -> None:
    header = base64url.decode(TOKEN.partition(".")[0])
    assert header == f'{{"alg":"EdDSA","kid":"{KEY.kid}","typ":"tallystick-bundle+jws"}}'.encode()


def oracle_key() -> OKPKey:
    return OKPKey.import_key(SIGNER.to_bytes())


def test_joserfc_verifies_what_we_sign() -> None:
    with warnings.catch_warnings(action="ignore"):  # RFC 9864 deprecates the name EdDSA
        found = joserfc.deserialize_compact(TOKEN, oracle_key(), algorithms=["EdDSA"], payload=PAYLOAD)
    assert found.headers() == {"alg": "EdDSA", "kid": KEY.kid, "typ": BUNDLE_TYP}


def signed_by_joserfc(header: dict[str, Any], payload: bytes = PAYLOAD) -> str:
    with warnings.catch_warnings(action="ignore"):  # as above
        registry = joserfc.JWSRegistry(algorithms=["EdDSA", "Ed25519"], strict_check_header=False)
        return joserfc.detach_content(joserfc.serialize_compact(header, payload, oracle_key(), registry=registry))


def test_we_verify_what_joserfc_signs() -> None:
    token = signed_by_joserfc({"alg": "EdDSA", "kid": KEY.kid, "typ": BUNDLE_TYP})
    verify(token, PAYLOAD, BUNDLE_TYP, KEY)
    assert token == TOKEN


OTHER_HEADERS: dict[str, dict[str, Any]] = {
    "without kid": {"alg": "EdDSA", "typ": BUNDLE_TYP},
    "without typ": {"alg": "EdDSA", "kid": KEY.kid},
    "another order": {"typ": BUNDLE_TYP, "kid": KEY.kid, "alg": "EdDSA"},
    "another kind of document": {"alg": "EdDSA", "kid": KEY.kid, "typ": "tallystick-reliability+jws"},
    "another kid": {"alg": "EdDSA", "kid": "A" * 43, "typ": BUNDLE_TYP},
    "the other name of the algorithm": {"alg": "Ed25519", "kid": KEY.kid, "typ": BUNDLE_TYP},
    "a key inside": {"alg": "EdDSA", "jwk": {"kty": "OKP"}, "kid": KEY.kid, "typ": BUNDLE_TYP},
    "an address of keys": {"alg": "EdDSA", "jku": "https://example.org", "kid": KEY.kid, "typ": BUNDLE_TYP},
}


@pytest.mark.parametrize("header", OTHER_HEADERS.values(), ids=OTHER_HEADERS)
def test_valid_signatures_under_another_header_are_refused(header: dict[str, Any]) -> None:
    assert refuses(signed_by_joserfc(header))


HEADER_BYTES = {
    "none": {"alg": "none", "kid": KEY.kid, "typ": BUNDLE_TYP},
    "HS256": {"alg": "HS256", "kid": KEY.kid, "typ": BUNDLE_TYP},
    "crit": {"alg": "EdDSA", "crit": ["exp"], "exp": 1, "kid": KEY.kid, "typ": BUNDLE_TYP},
    "b64 false": {"alg": "EdDSA", "b64": False, "crit": ["b64"], "kid": KEY.kid, "typ": BUNDLE_TYP},
    "x5c": {"alg": "EdDSA", "kid": KEY.kid, "typ": BUNDLE_TYP, "x5c": ["AAAA"]},
}


def signed_under(header: bytes) -> str:
    """A token with any header bytes, with a signature that is right for them."""
    protected = base64url.encode(header)
    signature = SIGNER._key.sign(f"{protected}.{base64url.encode(PAYLOAD)}".encode())
    return f"{protected}..{base64url.encode(signature)}"


def test_the_forger_of_headers_can_make_a_valid_token() -> None:
    verify(signed_under(base64url.decode(TOKEN.partition(".")[0])), PAYLOAD, BUNDLE_TYP, KEY)


@pytest.mark.parametrize("header", HEADER_BYTES.values(), ids=HEADER_BYTES)
def test_dishonest_headers_are_refused_though_signed(header: dict[str, Any]) -> None:
    assert refuses(signed_under(json.dumps(header, separators=(",", ":")).encode()))


@pytest.mark.parametrize(
    "header",
    [
        f'{{"alg":"none","alg":"EdDSA","kid":"{KEY.kid}","typ":"{BUNDLE_TYP}"}}',
        f'{{"alg":"EdDSA","kid":"{KEY.kid}","kid":"{KEY.kid}","typ":"{BUNDLE_TYP}"}}',
        f'{{"alg":"EdDSA", "kid":"{KEY.kid}","typ":"{BUNDLE_TYP}"}}',
        f'{{"\\u0061lg":"EdDSA","kid":"{KEY.kid}","typ":"{BUNDLE_TYP}"}}',
        f'{{"alg":"EdDSA","kid":"{KEY.kid}","typ":"{BUNDLE_TYP}"}}\n',
        "{}",
        "",
    ],
    ids=["alg twice", "kid twice", "white space", "escaped name", "trailing line feed", "empty object", "nothing"],
)
def test_second_spellings_of_the_header_are_refused_though_signed(header: str) -> None:
    assert refuses(signed_under(header.encode()))


def test_other_forms_of_the_signature_are_refused() -> None:
    header = TOKEN.partition(".")[0]
    raw = base64url.decode(SIGNATURE)
    raised = raw[:32] + (int.from_bytes(raw[32:], "little") + L).to_bytes(32, "little")
    last = CHARACTERS.index(SIGNATURE[-1])
    forms = {
        "S + L": f"{header}..{base64url.encode(raised)}",
        "spare bits": TOKEN[:-1] + CHARACTERS[last ^ 1],
        "padding": TOKEN + "==",
        "attached payload": f"{header}.{base64url.encode(PAYLOAD)}.{SIGNATURE}",
        "four parts": TOKEN + ".",
        "no signature": f"{header}..",
        "one dot": f"{header}.{SIGNATURE}",
        "a byte more": f"{header}..{base64url.encode(raw + b'0')}",
        "a byte less": f"{header}..{base64url.encode(raw[:-1])}",
        "line end": TOKEN + "\n",
        "empty": "",
        "JSON": json.dumps({"protected": header, "signature": SIGNATURE}),
    }
    assert all(refuses(form) for form in forms.values())


def test_another_key_another_kind_and_another_payload_are_refused() -> None:
    assert refuses(Signer.generate().sign(BUNDLE_TYP, PAYLOAD))
    assert refuses(TOKEN, typ=Typ("tallystick-reliability+jws"))
    assert refuses(TOKEN, payload=PAYLOAD[7:])


def test_a_signature_by_another_key_under_our_name_is_refused() -> None:
    other = Signer.generate()
    signature = other._key.sign(jws.signing_input(BUNDLE_TYP, KEY.kid, PAYLOAD))
    assert refuses(jws.assemble(BUNDLE_TYP, KEY.kid, signature))


@given(st.integers(0, len(TOKEN) - 1), st.sampled_from(CHARACTERS))
def test_any_changed_character_is_refused(at: int, character: str) -> None:
    assume(TOKEN[at] != character)
    assert refuses(TOKEN[:at] + character + TOKEN[at + 1 :])


@given(st.integers(0, len(TOKEN) * 8 - 1))
def test_any_flipped_bit_of_the_token_is_refused(bit: int) -> None:
    data = bytearray(TOKEN.encode())
    data[bit // 8] ^= 1 << bit % 8
    assert refuses(data.decode("latin-1"))


@given(st.integers(0, len(PAYLOAD) * 8 - 1))
def test_any_flipped_bit_of_the_payload_is_refused(bit: int) -> None:
    data = bytearray(PAYLOAD)
    data[bit // 8] ^= 1 << bit % 8
    assert refuses(TOKEN, payload=bytes(data))


@given(st.integers(0, len(TOKEN)), st.integers(0, len(TOKEN)), st.text(max_size=5))
def test_any_cut_and_paste_is_refused(start: int, end: int, insert: str) -> None:
    changed = TOKEN[:start] + insert + TOKEN[end:]
    assume(changed != TOKEN)
    assert refuses(changed)


@given(st.text() | st.text(CHARACTERS) | st.text(CHARACTERS).map(lambda rest: f"{TOKEN.partition('.')[0]}..{rest}"))
def test_garbage_raises_only_the_domains_error(token: str) -> None:
    assume(token != TOKEN)
    assert refuses(token)


@given(st.binary())
def test_whatever_is_signed_verifies(payload: bytes) -> None:
    verify(SIGNER.sign(BUNDLE_TYP, payload), payload, BUNDLE_TYP, KEY)


@vectors.needed
def test_jws_of_wycheproof_and_the_rfcs_are_all_refused() -> None:
    """None is an EdDSA signature of ours: other algorithms, `none`, bent encodings, JSON forms."""
    groups = vectors.load("wycheproof/json_web_signature_test.json")["testGroups"]
    tokens = [test["jws"] for group in groups for test in group["tests"]]
    tokens += [vectors.load("rfc8037/appendix_a.json")["compact"], vectors.load("rfc8037/rfc7797_4_2.json")["detached"]]
    assert len(tokens) == 403
    for token in tokens:
        text = token if isinstance(token, str) else json.dumps(token)
        assert refuses(text)
        if text.count(".") == 2:
            protected, payload, signature = text.split(".")
            assert refuses(f"{protected}..{signature}", payload=payload.encode())


def test_bent_spellings_of_a_token_are_refused() -> None:
    bends = [lambda t: t + "=", lambda t: t + "\n", lambda t: t.replace("..", ". ."), lambda t: t.replace("..", "=..")]
    bends += [lambda t: t[:40] + "\r\n" + t[40:], lambda t: "." + t, str.lower, str.swapcase]
    assert all(refuses(bend(TOKEN)) for bend in bends)
