"""Properties of model traffic: what is equal, what is not, and that bodies come back byte for byte."""

import json
import re
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tallystick.core.digest import sha256
from tallystick.core.errors import TallyError
from tallystick.records.base import UNSET
from tallystick.records.blobs import MemoryBlobs
from tallystick.records.traffic.answers import answer_texts
from tallystick.records.traffic.bijection import Bijection
from tallystick.records.traffic.bodies import Bodies, cut, restore, restore_all
from tallystick.records.traffic.cassette import Api, Body, Call
from tallystick.records.traffic.difference import first_difference
from tallystick.records.traffic.foreign import ForeignJsonError, read_json, write_json
from tallystick.records.traffic.patterns import compile_pattern, pattern_problem
from tallystick.records.traffic.rules import EMPTY_RULES
from tallystick.records.traffic.secrets import find_secrets
from tallystick.records.traffic.usage import read_answer
from tests.unit.records.samples import CALL
from tests.unit.records.traffic.requests import asked

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
uuids = st.uuids(version=4).map(str)
words = st.sampled_from(["", "see ", "\n", "<uuid:1>", '"', "Ran 2 tests in 0.003s", "session ID 77 ", "é"]) | texts
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
json_values = st.recursive(
    scalars, lambda below: st.lists(below, max_size=4) | st.dictionaries(texts, below, max_size=4), max_leaves=15
)
mixed = st.recursive(
    st.tuples(words, uuids, words).map("".join) | scalars,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(texts, below, max_size=4),
    max_leaves=15,
)
VOLATILE = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9.]{5,}(?=s)|(?<=session ID )[0-9]+")
UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.ASCII)


@given(json_values)
def test_foreign_json_is_read_and_written_alike(value: Any) -> None:
    written = write_json(read_json(json.dumps(value).encode()))
    assert json.loads(written) == value
    assert write_json(read_json(written.encode())) == written


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_garbage_is_json_for_both_or_refused(data: bytes) -> None:
    try:
        written = write_json(read_json(data))
    except ForeignJsonError:
        return
    assert json.loads(written) == json.loads(data)


@given(mixed, st.data())
def test_renamed_values_may_be_others(value: Any, data: st.DataObject) -> None:
    """Every UUID is replaced by another, one to one: the digest is the same and the values correspond."""
    text = json.dumps(value)
    found = list(dict.fromkeys(UUID.findall(json.dumps(value, ensure_ascii=False)) + UUID.findall(text)))
    fresh = data.draw(st.lists(uuids, min_size=len(found), max_size=len(found), unique=True))
    new = dict(zip(found, fresh, strict=True))
    changed = UUID.sub(lambda match: new[match[0]], text)
    one, other = asked(text.encode()), asked(changed.encode())
    assume(len(set(fresh) & set(found)) == 0)
    # A name of a member is compared as it is.
    if not any(UUID.search(name) for name in re.findall(r'"((?:[^"\\]|\\.)*)":', text)):
        assert one.digest == other.digest
        assert Bijection().join(one.values, other.values, one.handles) is None


def shuffled(value: Any, data: st.DataObject) -> Any:
    if isinstance(value, dict):
        names = data.draw(st.permutations(sorted(value)))
        return {name: shuffled(value[name], data) for name in names}
    return [shuffled(item, data) for item in value] if isinstance(value, list) else value


@given(mixed, st.data())
def test_the_order_of_members_never_matters(value: Any, data: st.DataObject) -> None:
    one, other = asked(value), asked(json.dumps(shuffled(value, data), indent=1).encode())
    assert (one.digest, one.values, one.spans) == (other.digest, other.values, other.spans)


@given(mixed, mixed)
def test_different_values_have_different_digests_unless_a_rule_made_them_equal(value: Any, other: Any) -> None:
    one, two = asked(value, EMPTY_RULES), asked(other, EMPTY_RULES)
    assert (one.digest == two.digest) == (one.text == two.text)
    if one.digest != two.digest:
        said = first_difference(one, two)
        assert said != "the requests do not differ"
        assert said.isprintable()


@given(mixed, st.data())
def test_a_changed_byte_that_no_rule_touches_changes_the_digest(value: Any, data: st.DataObject) -> None:
    """A byte of the canonical body is changed; what a rule marks may change, all else may not."""
    body = write_json(read_json(json.dumps(value).encode())).encode()
    at = data.draw(st.integers(0, len(body) - 1))
    byte = data.draw(st.integers(0x20, 0x7E).filter(lambda byte: byte != body[at]))
    changed = body[:at] + bytes([byte]) + body[at + 1 :]
    before, after = asked(body), asked(changed)
    if before.digest == after.digest:
        same_value = asked(body, EMPTY_RULES).digest == asked(changed, EMPTY_RULES).digest
        assert same_value or any(match.start() <= at < match.end() for match in VOLATILE.finditer(body.decode()))


@given(st.lists(texts, max_size=6), st.data())
def test_a_bijection_maps_there_and_back(recorded: list[str], data: st.DataObject) -> None:
    names = list(dict.fromkeys(recorded))
    fresh = data.draw(st.lists(texts, min_size=len(names), max_size=len(names), unique=True))
    new = dict(zip(names, fresh, strict=True))
    pairs = Bijection()
    assert pairs.join(recorded, [new[value] for value in recorded]) is None
    assert pairs.join(recorded, [new[value] for value in recorded]) is None
    for old, live in new.items():
        assert pairs.join((old,), (live + "x",)) is not None
        assert pairs.join((old + "\0",), (live,)) is not None


@given(st.lists(st.from_regex(r"\A[0-9]{3,8}\Z"), min_size=1, max_size=5, unique=True), st.binary(max_size=80))
def test_handles_come_back(handles: list[str], noise: bytes) -> None:
    live = [f"L{handle}" for handle in handles]
    pairs = Bijection()
    assert pairs.join(handles, live, set(handles)) is None
    answer = b" ".join([*(handle.encode() for handle in handles), noise.replace(b"L", b"")])
    assert pairs.to_recorded(pairs.to_live(answer)) == answer


def call(number: int, body: Body) -> Call:
    return msgspec.structs.replace(CALL, call=number, body=body)


pieces = st.binary(max_size=40) | st.sampled_from([b"a" * 300, b"b" * 5000, bytes(range(256)) * 3])
bodies = st.lists(st.lists(pieces, max_size=5).map(b"".join), max_size=12)


@given(bodies)
def test_bodies_come_back_byte_for_byte(sent: list[bytes]) -> None:
    writer, blobs, calls, earlier = Bodies(), MemoryBlobs(), [], []
    for number, body in enumerate(sent):
        said, part = writer.cut(body)
        again, _ = cut(body, earlier)
        assert said == again
        blobs.put(part)
        calls.append(call(number, said))
        earlier.append(body)
    assert list(restore_all(calls, blobs.read)) == sent
    assert [restore(number, calls, blobs.read) for number in range(len(sent))] == sent


hostile = st.builds(
    Body,
    whole=st.sampled_from([sha256(b""), sha256(b"abc"), sha256(b"ab")]),
    part=st.sampled_from([sha256(b""), sha256(b"abc"), sha256(b"ab"), sha256(b"missing")]),
    size=st.integers(0, 8) | st.integers(0, 2**60),
    base=st.just(UNSET) | st.integers(0, 6),
    prefix=st.integers(0, 4) | st.integers(0, 2**60),
    suffix=st.integers(0, 4) | st.integers(0, 2**60),
)


@given(st.lists(hostile, min_size=1, max_size=6))
def test_hostile_bodies_are_right_or_refused(said: list[Body]) -> None:
    blobs = MemoryBlobs()
    for data in (b"", b"abc", b"ab"):
        blobs.put(data)
    calls = [call(number, body) for number, body in enumerate(said)]
    message = ""
    for number, body in enumerate(said):
        try:
            assert sha256(restore(number, calls, blobs.read)) == body.whole
        except TallyError as error:
            message += str(error)
    try:
        assert [sha256(body) for body in restore_all(calls, blobs.read)] == [body.whole for body in said]
    except TallyError as error:
        message += str(error)
    assert "\n" not in message


@given(st.text(st.sampled_from("ab1[]-\\dws(?:|){,}^$ b+*."), max_size=20))
def test_a_pattern_is_refused_or_runs(pattern: str) -> None:
    problem = pattern_problem(pattern)
    if problem is None:
        assert compile_pattern(pattern).search("ab1-d ws" * 20) is None or compile_pattern(pattern).groups <= 1
    else:
        assert "\n" not in problem


@pytest.mark.parametrize("api", ["openai.chat", "openai.responses", "anthropic.messages", "google.generate", "other"])
@given(data=st.binary(max_size=80) | json_values.map(lambda value: b"data: " + json.dumps(value).encode() + b"\n\n"))
def test_answers_of_any_bytes_are_read(api: Api, data: bytes) -> None:
    for content_type in ("text/event-stream", "application/json", ""):
        read_answer(api, content_type, data)
        assert answer_texts(content_type, data)


@given(st.binary(max_size=40), st.binary(min_size=8, max_size=20), st.binary(max_size=40))
def test_a_given_secret_is_found_where_it_stands(before: bytes, secret: bytes, after: bytes) -> None:
    data = before + secret + after
    assert any(data[item.start : item.start + item.length] == secret for item in find_secrets(data, (secret,)))
