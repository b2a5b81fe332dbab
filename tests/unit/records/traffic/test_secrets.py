"""Secrets are found however they are spelled; placeholders and ordinary words are not."""

import base64
import json
import urllib.parse
from typing import Final

import pytest

from tallystick.records.traffic.secrets import FOUND, Found, find_secrets

# Put together here, so that no file of the repository holds what looks like a key.
LETTERS: Final = "Ab3dE" * 20
SHAPES: Final = {
    "anthropic key": "sk-" + "ant-api03-" + LETTERS[:60],
    "openai key": "sk-" + "proj-" + LETTERS[:48],
    "google key": "AI" + "za" + LETTERS[:35],
    "google token": "ya" + "29." + LETTERS[:60],
    "github token": "gh" + "p_" + LETTERS[:36],
    "aws key": "AK" + "IA" + "ABCDEFGH23456789",
    "slack token": "xox" + "b-" + "123456789012-" + LETTERS[:20],
    "jwt": f"ey{'J'}{LETTERS[:20]}.ey{'J'}{LETTERS[:40]}.{LETTERS[:40]}",
    "private key": "-----BEGIN RSA " + "PRIVATE KEY-----",
}
SECRET: Final = b'p@ss/w"ord\\+1'


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("around", ["{}", '"{}"', "key={}&x", "Bearer {}\n", "x {} y"])
def test_known_shapes(kind: str, around: str) -> None:
    data = around.format(SHAPES[kind]).encode()
    start = around.index("{")
    assert find_secrets(data) == (Found(kind, start, len(SHAPES[kind])),)


@pytest.mark.parametrize(
    "text",
    [
        "tally-" + "0123456789abcdef" * 2,
        "sk-" + "tally-" + "0123456789abcdef" * 2,
        "sk-" + "ant-" + "tally-" + "0123456789abcdef" * 2,
        "sk-" + "ant-" + "api03-" + "tally-" + "0123456789abcdef" * 2,
        "sk-estimator-doc-link-fitted-2",
        "task-" + LETTERS[:40],
        "disk-" + LETTERS[:40],
        "sk-short1A",
        "-----BEGIN PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----",
        "AKIA and ASIA",
        "xoxo",
        "toolu_" + LETTERS[:24],
        "req_" + LETTERS[:24],
    ],
)
def test_what_only_looks_like_one(text: str) -> None:
    assert find_secrets(text.encode()) == ()


def test_a_key_behind_a_placeholder_is_found() -> None:
    assert find_secrets(("tally-" + "0" * 32 + " " + SHAPES["openai key"]).encode())[0].kind == "openai key"


SPELLINGS: Final = {
    "as it is": SECRET,
    "in base64": base64.b64encode(SECRET),
    "in base64, one byte on": base64.b64encode(b"u" + SECRET + b"z"),
    "in base64, two bytes on": base64.b64encode(b"u:" + SECRET),
    "in base64 for URLs": base64.urlsafe_b64encode(b"user:" + SECRET + b"\xff\xfe"),
    "in a URL": urllib.parse.quote(SECRET, safe="").encode(),
    "in a URL in lower case": urllib.parse.quote(SECRET, safe="").lower().encode(),
    "in JSON": json.dumps(SECRET.decode()).encode(),
    "in JSON in JSON": json.dumps(json.dumps(SECRET.decode())).encode(),
    "in JSON with escaped slashes": json.dumps(SECRET.decode()).replace("/", "\\/").encode(),
    "in hex": SECRET.hex().encode(),
    "in HEX": SECRET.hex().upper().encode(),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_given_values_in_every_spelling(spelling: str) -> None:
    data = b'{"a":"x ' + SPELLINGS[spelling] + b' y"}'
    found = find_secrets(data, (SECRET,))
    assert found
    assert all(item.kind.startswith("given value") for item in found)
    assert find_secrets(data, (b"another one",)) == ()


def test_short_values_and_placeholders_are_not_looked_for() -> None:
    token = b"tally-" + b"0" * 32
    assert find_secrets(b"abc " + token, (b"abc", b"", token)) == ()


def test_findings_are_in_order_and_bounded() -> None:
    key = SHAPES["google key"].encode()
    found = find_secrets(b" ".join([key] * (FOUND + 10)))
    assert len(found) == FOUND
    assert [item.start for item in found] == sorted(item.start for item in found)


@pytest.mark.parametrize(
    "piece", [b"sk-", b"eyJ", b"eyJ" + b"a" * 10 + b".a", b"-----BEGIN ", b"AIza", b"xoxb- ", b"a" * 64, b"\0"]
)
def test_a_megabyte_of_beginnings_holds_nothing(piece: bytes) -> None:
    assert find_secrets(piece * (1_000_000 // len(piece)), (SECRET,)) == ()
