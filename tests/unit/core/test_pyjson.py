"""The foreign rule, held against digests that others recorded and against every way in which JSON readers differ."""

import pytest

from tallystick.core import pyjson


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("[1, 1.0, 1e0, -0, -0.0, 0.0]", "[1,1.0,1.0,0,-0.0,0.0]"),
        ("[1e16, 1e-7, 0.000095, 123456789012345678901234567890]", "[1e+16,1e-07,9.5e-05,123456789012345678901234567890]"),
        ('{"b":1,"a":{"d":[],"c":null}}', '{"a":{"c":null,"d":[]},"b":1}'),
        ('{"\ufb01":1,"\U0001f600":2,"z":3}', '{"z":3,"\ufb01":1,"\U0001f600":2}'),  # code points, not UTF-16 units
        (r'"\u00e9\/\u007f\u2028\ud83d\ude00"', '"é/\x7f\u2028\U0001f600"'),
        (r'"\b\t\n\f\r\u0000\u001f\"\\"', r'"\b\t\n\f\r\u0000\u001f\"\\"'),
        (' {"a" : [ ] }\r\n', '{"a":[]}'),
    ],
)
def test_canonical_bytes(text: str, written: str) -> None:
    for strict in (True, False):
        assert pyjson.canonical(pyjson.read(text.encode(), strict=strict)) == written.encode()


def test_a_digest_is_that_of_the_canonical_bytes() -> None:
    assert pyjson.digest({"b": 1, "a": 0.0}) == "sha256:df5a6664b5add9d47a7d97a272810dfdfd7f74f483580fe7656a70779bbf21f7"


def test_pretty_is_for_people() -> None:
    assert pyjson.pretty({"b": ["é"], "a": {}}) == '{\n  "a": {},\n  "b": [\n    "\\u00e9"\n  ]\n}'
