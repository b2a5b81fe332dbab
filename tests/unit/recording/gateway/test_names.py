"""The name server that knows no name."""

from __future__ import annotations

import struct

import pytest

from tallystick.recording.gateway.names import no_such_name, question

QUERY = struct.pack(">6H", 0x1234, 0x0100, 1, 0, 0, 0)
NAME = b"\x03api\x07example\x03com\x00"


def test_a_question_is_read_and_answered() -> None:
    data = QUERY + NAME + b"\0\x01\0\x01"
    assert question(data) == ("api.example.com", len(data))
    answer = no_such_name(data, len(data))
    assert struct.unpack(">6H", answer[:12]) == (0x1234, 0x8183, 1, 0, 0, 0)
    assert answer[12:] == data[12:]


def test_an_extension_is_left_out_of_the_answer() -> None:
    data = QUERY + NAME + b"\0\x1c\0\x01"
    assert no_such_name(data + b"\0\0\x29\x05\xc0\0\0\0\0\0\0", len(data))[12:] == data[12:]


MALFORMED = [
    b"",
    QUERY,
    QUERY[:-1],
    QUERY + NAME,
    QUERY + b"\0\0\x01\0\x01",
    QUERY + b"\xc0\x0c\0\x01\0\x01",
    QUERY + b"\x3fshort\0\0\x01\0\x01",
    QUERY + b"\x05a b\x1b[\0\0\x01\0\x01",
    QUERY + b"\x01a" * 200 + b"\0\0\x01\0\x01",
    struct.pack(">6H", 1, 0x8100, 1, 0, 0, 0) + NAME + b"\0\x01\0\x01",
    struct.pack(">6H", 1, 0x0100, 2, 0, 0, 0) + NAME + b"\0\x01\0\x01",
]


@pytest.mark.parametrize("data", MALFORMED)
def test_anything_else_is_not_answered(data: bytes) -> None:
    assert question(data) is None
