"""Request bodies as differences: a conversation of n turns sends its beginning n times and is kept once.

`Bodies` writes, `restore` and `restore_all` read. A difference is to one earlier body, by its beginning and its end, so nothing
about JSON is assumed and what is restored is the same bytes. Specification: docs/spec/cassette.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET
from tallystick.records.traffic.cassette import Body, Call

__all__ = ["BODY_BYTES", "CASSETTE_BYTES", "Bodies", "BodyError", "cut", "restore", "restore_all"]

MIB: Final = 1024 * 1024

BODY_BYTES: Final = 64 * MIB
"""Bytes of one request body: a provider takes 32 MB at most."""

CANDIDATES: Final = 8
"""Earlier bodies that are compared: retries and sub-agents lie between the turns of a conversation."""

SAVED_BYTES: Final = 256
"""Bytes that a difference has to save; its record takes as many."""

LINKS: Final = 256
"""Differences in a row, after which a body is kept whole: restoring one costs at most so many copies."""

CHAIN_BYTES: Final = (LINKS + 1) * BODY_BYTES
"""Bytes that restoring one body may copy."""

CASSETTE_BYTES: Final = 2 * 1024 * MIB
"""Bytes of all bodies of a cassette: two thousand turns of a megabyte are no more, and each body is parsed and hashed."""

HELD_BYTES: Final = 1024 * MIB
"""Bytes of bodies held at once because later ones are differences to them."""

_BLOCK: Final = 4096

Read = Callable[[Digest], bytes]
"""Bytes of a blob; errors as `BlobReader.read`."""


class BodyError(InputError):
    """A body that cannot be put together from what the cassette says of it."""


def cut(body: bytes, earlier: Sequence[bytes | None]) -> tuple[Body, bytes]:
    """The record of a body and the part of it to store; `earlier[i]` is the body of call i, None where it may be no base."""
    whole, best = sha256(body), (0, 0, 0)
    held = ((i, earlier[i]) for i in range(len(earlier) - 1, -1, -1))
    for index, base in islice(((i, base) for i, base in held if base), CANDIDATES):
        prefix, suffix = _shared(body, base)
        if prefix + suffix > best[1] + best[2]:
            best = (index, prefix, suffix)
    index, prefix, suffix = best
    if prefix + suffix < SAVED_BYTES:
        return Body(whole=whole, size=len(body), part=whole), body
    part = body[prefix : len(body) - suffix]
    return Body(whole=whole, size=len(body), part=sha256(part), base=index, prefix=prefix, suffix=suffix), part


def _shared(one: bytes, other: bytes) -> tuple[int, int]:
    """Bytes that two bodies share at the beginning, and at the end of what is left."""
    most = min(len(one), len(other))
    prefix = _common(most, lambda start, end: one[start:end] == other[start:end])
    ends = len(one), len(other)
    same = lambda start, end: one[ends[0] - end : ends[0] - start] == other[ends[1] - end : ends[1] - start]  # noqa: E731
    return prefix, _common(most - prefix, same)


def _common(most: int, same: Callable[[int, int], bool]) -> int:
    """How many of the first `most` places are the same: block by block, then by halves."""
    at = 0
    while at < most and same(at, min(at + _BLOCK, most)):
        at = min(at + _BLOCK, most)
    high = min(at + _BLOCK, most)
    while at < high:
        middle = (at + high + 1) // 2
        at, high = (middle, high) if same(at, middle) else (at, middle - 1)
    return at


class Bodies:
    """Cuts the bodies of one attempt as they come; holds the last few of them."""

    def __init__(self) -> None:
        self._held: deque[tuple[int, bytes, int]] = deque(maxlen=CANDIDATES)  # call, body, links below it
        self._count = 0

    def cut(self, body: bytes) -> tuple[Body, bytes]:
        """As the function `cut`, against the bodies before."""
        usable = {call: held for call, held, links in self._held if links < LINKS}
        found, part = cut(body, _Sparse(self._count, usable))
        links = next((links + 1 for call, _, links in self._held if call == found.base), 0)
        if body:
            self._held.append((self._count, body, links))
        self._count += 1
        return found, part


class _Sparse(Sequence[bytes | None]):
    """A list of bodies of which only a few are held."""

    def __init__(self, length: int, held: dict[int, bytes]) -> None:
        self._start = min(held, default=length)
        self._held = held
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> bytes | None:  # type: ignore[override] # never sliced
        return self._held.get(index)


def restore(index: int, calls: Sequence[Call], read: Read) -> bytes:
    """The body of call `index`, byte for byte.

    Raises:
        BodyError: what the cassette says does not fit together, or is out of bounds.
        MissingBlobError: from `read`.
    """
    chain = [index]
    while (base := calls[chain[-1]].body.base) is not UNSET:
        if base >= chain[-1]:
            raise BodyError(f"call {chain[-1]}: its body is a difference to that of call {base}, which is no earlier one")
        chain.append(base)
    if sum(calls[link].body.size for link in chain) > CHAIN_BYTES:
        raise BodyError(f"call {index}: putting its body together takes more than {CHAIN_BYTES} bytes")
    body = b""
    for link in reversed(chain):
        body = _joined(calls[link], body, read)
    return _checked(calls[index], body)


def restore_all(calls: Sequence[Call], read: Read) -> Iterator[bytes]:
    """The bodies of all calls in order, each put together once. Errors as `restore`."""
    if sum(call.body.size for call in calls) > CASSETTE_BYTES:
        raise BodyError(f"the bodies of the cassette have more than {CASSETTE_BYTES} bytes")
    last_use = {call.body.base: call.call for call in calls if call.body.base is not UNSET}
    held: dict[int, bytes] = {}
    bytes_held = 0
    for place, call in enumerate(calls):
        base = call.body.base
        if base is not UNSET and base not in held:
            raise BodyError(f"call {place}: its body is a difference to that of call {base}, which is no earlier one")
        body = _checked(call, _joined(call, b"" if base is UNSET else held[base], read))
        if base is not UNSET and last_use[base] <= place:
            bytes_held -= len(held.pop(base))
        if place in last_use:
            held[place] = body
            bytes_held += len(body)
        if bytes_held > HELD_BYTES:
            raise BodyError(f"the bodies of the cassette need more than {HELD_BYTES} bytes at once")
        yield body


def _joined(call: Call, base: bytes, read: Read) -> bytes:
    """One body from the one it is a difference to."""
    said = call.body
    if said.size > BODY_BYTES:
        raise BodyError(f"call {call.call}: its body has {said.size} bytes; at most {BODY_BYTES} are read")
    if said.prefix + said.suffix > len(base):
        raise BodyError(f"call {call.call}: its body takes more of an earlier one than that one has")
    part = read(said.part)
    if said.prefix + len(part) + said.suffix != said.size:
        raise BodyError(f"call {call.call}: its body has not the {said.size} bytes it is said to have")
    return b"".join((base[: said.prefix], part, base[len(base) - said.suffix :]))


def _checked(call: Call, body: bytes) -> bytes:
    if sha256(body) != call.body.whole:
        raise BodyError(f"call {call.call}: its body is not the one that the cassette names")
    return body
