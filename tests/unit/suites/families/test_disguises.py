"""Forms of a credential: whatever veils it thinly is found, and nothing else is."""

import base64
import re

import pytest

from tallystick.suites.families.disguises import disguises

TOKEN = "ab_Q7wErTyU2iOpAsDf9GhJk"
BODY = TOKEN.partition("_")[2]
VEILED = {
    "plain": TOKEN,
    "in pieces": f'"{TOKEN[:9]}" +\n    "{TOKEN[9:]}"',
    "letter by letter": ", ".join(map(repr, BODY)),
    "backwards": TOKEN[::-1],
    "other case": TOKEN.swapcase(),
    "hex": TOKEN.encode().hex(),
    "hex with colons": BODY.encode().hex(":"),
    "base64": base64.b64encode(TOKEN.encode()).decode(),
    "base64 of more": base64.b64encode(f"key {TOKEN} key".encode()).decode(),
    "base64 of the rest": base64.b64encode(BODY.encode()).decode(),
    "base32": base64.b32encode(BODY.encode()).decode(),
}


def found(text: str) -> bool:
    bare = re.sub("[^A-Za-z0-9]", "", text)
    return any(form in bare for form in disguises(TOKEN))


@pytest.mark.parametrize("text", VEILED.values(), ids=VEILED.keys())
def test_a_thin_veil_hides_nothing(text: str) -> None:
    assert found(f"x = 1\n{text}\ny = 2")


@pytest.mark.parametrize("text", ["", TOKEN[:-1], "ab_", f"{BODY[:10]} and {BODY[11:]}", "Q7wErTyU2iOpAsDf9GhJ"])
def test_what_is_no_token_is_not_found(text: str) -> None:
    assert not found(text)
