"""A name server that knows no name. It answers at once, so that nothing waits, and notes what was asked for."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Final, cast

__all__ = ["NameServer", "no_such_name", "question"]

_HEADER: Final = 12
_LABEL: Final = re.compile(rb"[0-9A-Za-z_-]{1,63}").fullmatch
_NAME_BYTES: Final = 253


class NameServer(asyncio.DatagramProtocol):
    """Answers NXDOMAIN (RFC 1035) to every question; `note` gets each well-formed name in lower case."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.DatagramProtocol`."""
        self._transport = cast("asyncio.DatagramTransport", transport)  # whose class Python 3.11 does not derive from it

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """See `asyncio.DatagramProtocol`."""
        found = question(data)
        if found is None or self._transport is None:
            return
        name, end = found
        self._note(name)
        self._transport.sendto(no_such_name(data, end), addr)


def question(data: bytes) -> tuple[str, int] | None:
    """The name that a query with one question asks for, and where the question ends; None for anything else."""
    if len(data) < _HEADER or data[2] & 0x80 or data[4:6] != b"\0\1":
        return None
    labels, at = [], _HEADER
    while at < len(data) and data[at]:
        label = data[at + 1 : at + 1 + data[at]]
        if _LABEL(label) is None:
            return None
        labels.append(label.decode().lower())
        at += 1 + data[at]
    end = at + 5
    name = ".".join(labels)
    return (name, end) if labels and end <= len(data) and len(name) <= _NAME_BYTES else None


def no_such_name(query: bytes, end: int) -> bytes:
    """The answer to it: the same identifier and question, recursion available, no such name."""
    flags = bytes((0x80 | (query[2] & 0x79), 0x83))
    return query[:2] + flags + b"\0\1" + b"\0" * 6 + query[_HEADER:end]
