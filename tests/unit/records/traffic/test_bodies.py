"""Bodies as differences: what is stored, what comes back, and what is refused."""

import json
from collections.abc import Sequence

import msgspec
import pytest

from tallystick.core.digest import sha256
from tallystick.records.base import UNSET
from tallystick.records.blobs import MemoryBlobs, MissingBlobError
from tallystick.records.traffic import bodies as module
from tallystick.records.traffic.bodies import Bodies, BodyError, cut, restore, restore_all
from tallystick.records.traffic.cassette import Body, Call
from tests.unit.records.samples import CALL


def call(number: int, body: Body) -> Call:
    return msgspec.structs.replace(CALL, call=number, body=body, retry_of=UNSET)


def recorded(bodies: Sequence[bytes]) -> tuple[tuple[Call, ...], MemoryBlobs, int]:
    """Calls with these bodies, the blobs, and how many bytes those have."""
    writer, blobs, calls, size = Bodies(), MemoryBlobs(), [], 0
    for number, body in enumerate(bodies):
        said, part = writer.cut(body)
        blobs.put(part)
        size += len(part)
        calls.append(call(number, said))
    return tuple(calls), blobs, size


def conversation(turns: int, size: int = 500) -> list[bytes]:
    messages = [{"role": "user", "content": f"{turn} " + "x" * size} for turn in range(turns)]
    return [
        json.dumps({"messages": messages[: turn + 1], "model": "m", "tools": ["t" * 2000]}).encode() for turn in range(turns)
    ]


def test_a_conversation_is_kept_once() -> None:
    bodies = conversation(300)
    calls, blobs, size = recorded(bodies)
    assert list(restore_all(calls, blobs.read)) == bodies
    assert [restore(number, calls, blobs.read) for number in (0, 1, 17, 299)] == [bodies[n] for n in (0, 1, 17, 299)]
    assert size < 300 * 600 + 2 * len(bodies[module.LINKS + 1])
    assert sum(1 for one in calls if one.body.base is UNSET) == 2


def test_interleaved_conversations_find_their_own_beginning() -> None:
    one, other = conversation(20), [body[::-1] for body in conversation(20)]
    bodies = [body for pair in zip(one, other, strict=True) for body in pair]
    calls, blobs, size = recorded(bodies)
    assert list(restore_all(calls, blobs.read)) == bodies
    assert size < 2 * (20 * 600 + 2600)


@pytest.mark.parametrize(
    ("body", "earlier", "shared"),
    [
        (b"a" * 300, [b"a" * 300], (0, 300, 0)),
        (b"a" * 300 + b"x" + b"b" * 300, [b"a" * 300 + b"yy" + b"b" * 300], (0, 300, 300)),
        (b"a" * 600, [b"a" * 500], (0, 500, 0)),
        (b"a" * 500, [b"a" * 600], (0, 500, 0)),
        (b"x" + b"a" * 300, [b"a" * 300], (0, 0, 300)),
        (b"a" * 300, [b"a" * 300, b"b" * 300, None], (0, 300, 0)),
        (b"a" * 300, [b"a" * 299, b"a" * 300], (1, 300, 0)),
        (b"a" * 300, [b"a" * 300, b"a" * 300], (1, 300, 0)),
        (b"a" * 255, [b"a" * 255], None),
        (b"", [b""], None),
        (b"a" * 300, [], None),
        (b"a" * 300, [b"b" * 300], None),
        (b"a" * 300, [b"a" * 300] + [b"b"] * module.CANDIDATES, None),
    ],
)
def test_which_difference_is_made(body: bytes, earlier: list[bytes | None], shared: tuple[int, int, int] | None) -> None:
    said, part = cut(body, earlier)
    assert (said.whole, said.size, said.part) == (sha256(body), len(body), sha256(part))
    if shared is None:
        assert (said.base, said.prefix, said.suffix, part) == (UNSET, 0, 0, body)
    else:
        assert (said.base, said.prefix, said.suffix) == shared


@pytest.mark.parametrize("at", [0, 1, 4095, 4096, 4097, 9999])
def test_the_first_and_last_difference_are_found_to_the_byte(at: int) -> None:
    base = bytes(range(256)) * 40
    changed = base[:at] + bytes([base[at] ^ 1]) + base[at + 1 :]
    said, part = cut(changed, [base])
    assert (said.prefix, said.suffix, part) == (at, len(base) - at - 1, changed[at : at + 1])


WHOLE, PART = b"a" * 400 + b"-one", b"-two"
GOOD = Body(whole=sha256(b"a" * 400 + PART), size=404, part=sha256(PART), base=0, prefix=400)


def lied(**lie: object) -> tuple[tuple[Call, ...], MemoryBlobs]:
    blobs = MemoryBlobs()
    first = Body(whole=blobs.put(WHOLE), size=len(WHOLE), part=blobs.put(WHOLE))
    blobs.put(PART)
    return (call(0, first), call(1, msgspec.structs.replace(GOOD, **lie))), blobs


def test_the_honest_one() -> None:
    calls, blobs = lied()
    assert restore(1, calls, blobs.read) == b"a" * 400 + PART


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        ({"prefix": 401, "size": 405}, "is not the one"),
        ({"prefix": 405, "size": 409}, "takes more"),
        ({"suffix": 5, "size": 409}, "takes more"),
        ({"prefix": 2**30, "size": 2**30 + 4}, "at most"),
        ({"size": 403}, "has not the 403 bytes"),
        ({"size": module.BODY_BYTES + 1}, "at most"),
        ({"whole": sha256(b"")}, "is not the one"),
        ({"part": sha256(WHOLE)}, "has not the"),
        ({"base": UNSET}, "takes more"),
        ({"base": UNSET, "prefix": 0, "size": 4}, "is not the one"),
        ({"base": 1}, "no earlier one"),
        ({"base": 7}, "no earlier one"),
    ],
)
def test_a_lie_is_named_in_one_line(lie: dict[str, object], why: str) -> None:
    calls, blobs = lied(**lie)
    for read in (lambda: restore(1, calls, blobs.read), lambda: list(restore_all(calls, blobs.read))):
        with pytest.raises(BodyError, match=why) as caught:
            read()
        assert str(caught.value).startswith("call 1: ")
        assert "\n" not in str(caught.value)


def test_a_part_that_is_not_here_is_missing() -> None:
    calls, _ = lied()
    with pytest.raises(MissingBlobError):
        restore(1, calls, MemoryBlobs().read)


def test_bodies_that_would_fill_the_machine_are_refused_before_a_blob_is_read() -> None:
    """Each is small in the cassette: a long chain, and many copies of one large body."""
    size = module.BODY_BYTES
    first = Body(whole=sha256(b""), size=size, part=sha256(b""))
    linked = Body(whole=sha256(b""), size=size, part=sha256(b""), base=0, prefix=size)
    chain = [call(0, first), *(call(n, msgspec.structs.replace(linked, base=n - 1)) for n in range(1, module.LINKS + 2))]
    with pytest.raises(BodyError, match="takes more than"):
        restore(len(chain) - 1, chain, MemoryBlobs().read)
    many = [call(0, first), *(call(n, linked) for n in range(1, 300))]
    with pytest.raises(BodyError, match="have more than"):
        next(restore_all(many, MemoryBlobs().read))
