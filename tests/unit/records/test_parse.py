"""Every document has one door: what each `parse_*` reads, and that no coercion, addition or omission gets through."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from tallystick.core import c1
from tallystick.core.digest import sha256
from tallystick.core.errors import InputError
from tallystick.records import base, bundle, evidence, shard, state, task, tree
from tallystick.records.base import MalformedError, NewerVersionError, Record, digest_of, parse, type_name, write
from tests.unit.records.samples import DOCUMENTS, GRADE

SAMPLES = {name: write(sample) for name, sample in DOCUMENTS.items()}
each = pytest.mark.parametrize("name", DOCUMENTS)
DOORS: dict[str, Callable[[bytes], Record]] = {
    "agent": evidence.parse_agent,
    "bundle": bundle.parse_bundle,
    "bundle-signed": bundle.parse_bundle,
    "config": evidence.parse_config,
    "finished-attempt": state.parse_finished,
    "grade": evidence.parse_grade,
    "receipt": evidence.parse_receipt,
    "run": state.parse_run_state,
    "shard": shard.parse_shard,
    "suite": task.parse_suite,
    "tree": tree.parse_tree,
}


@pytest.mark.parametrize("name", DOORS)
def test_each_door_reads_what_is_written(name: str) -> None:
    assert DOORS[name](SAMPLES[name]) == DOCUMENTS[name]


@pytest.mark.parametrize("name", DOORS)
def test_each_door_refuses_every_other_document(name: str) -> None:
    for other, data in SAMPLES.items():
        if type(DOCUMENTS[other]) is not type(DOCUMENTS[name]):
            with pytest.raises(MalformedError, match="expected tallystick/"):
                DOORS[name](data)


@each
def test_bytes_are_c1_and_named_by_their_digest(name: str) -> None:
    sample, data = DOCUMENTS[name], SAMPLES[name]
    assert c1.dumps(c1.loads(data)) == data
    assert digest_of(sample) == sha256(data)
    assert parse(data, type(sample)) == sample


def edits(tree: Any) -> Iterator[tuple[Callable[[], None], Callable[[], None]]]:
    """For every place of a tree: what puts each value of another type there, and what takes it back."""
    for key in list(tree) if isinstance(tree, dict) else range(len(tree)):
        value = tree[key]
        yield from ((putter(tree, key, other), putter(tree, key, value)) for other in of_other_types(value))
        if isinstance(value, dict | list):
            yield from edits(value)


def putter(tree: Any, key: Any, value: Any) -> Callable[[], None]:
    return lambda: tree.__setitem__(key, value)


def of_other_types(value: Any) -> list[Any]:
    """Values of every other type, nearest first: the number as text, the boolean as a number, and so on."""
    others: dict[type, list[Any]] = {
        bool: [int(value), str(value).lower()] if isinstance(value, bool) else [],
        int: [str(value), value == 1, [value]],
        Decimal: [str(value), [value]],
        str: [1, True, [value], {"a": value}],
        list: ["", {}, 0, {"0": 1}],
        dict: ["", [], 0, [value]],
    }
    return [None, *others[type(value)]]


@each
def test_a_value_of_another_type_is_refused_everywhere(name: str) -> None:
    tree = c1.loads(SAMPLES[name])
    count = 0
    for put, take_back in edits(tree):
        put()
        with pytest.raises(InputError) as caught:
            parse(c1.encode(tree), type(DOCUMENTS[name]))
        assert "\n" not in str(caught.value)
        take_back()
        count += 1
    assert count
    assert c1.encode(tree) == SAMPLES[name]


def objects(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        yield tree
    for value in tree.values() if isinstance(tree, dict) else tree:
        if isinstance(value, dict | list):
            yield from objects(value)


@each
def test_an_unknown_member_is_refused_everywhere(name: str) -> None:
    tree = c1.loads(SAMPLES[name])
    for found in objects(tree):
        found["a_new_member"] = 1
        with pytest.raises(MalformedError, match="a_new_member"):
            parse(c1.encode(tree), type(DOCUMENTS[name]))
        del found["a_new_member"]


@each
def test_type_is_compared_first(name: str) -> None:
    tree: Any = c1.loads(SAMPLES[name])
    cls = type(DOCUMENTS[name])
    stem = type_name(cls).rpartition("/v")[0]
    found = {
        f"{stem}/v2": NewerVersionError,
        f"{stem}/v10": NewerVersionError,
        f"{stem}/v0": MalformedError,
        f"{stem}/v01": MalformedError,
        f"{stem}/v1\n": MalformedError,
        f"{stem}": MalformedError,
        "tallystick/other/v2": MalformedError,
        "": MalformedError,
    }
    for text, kind in found.items():
        with pytest.raises(kind) as caught:
            parse(c1.encode({"_type": text, "anything": "else"}), cls)
        assert type(caught.value) is kind
    del tree["_type"]
    with pytest.raises(MalformedError, match="_type is missing"):
        parse(c1.encode(tree), cls)
    for value in (1, True, [stem], {}):
        with pytest.raises(MalformedError, match="_type is missing"):
            parse(c1.encode({**tree, "_type": value}), cls)


@each
def test_other_spellings_are_refused(name: str) -> None:
    data, cls = SAMPLES[name], type(DOCUMENTS[name])
    for changed in (data + b"\n", b" " + data, data.replace(b",", b", ", 1), data[:-1], data + data, data[1:]):
        with pytest.raises(InputError):
            parse(changed, cls)


@pytest.mark.parametrize("data", [b"[]", b"1", b'"text"', b"true"])
def test_not_an_object(data: bytes) -> None:
    with pytest.raises(MalformedError, match="expected a JSON object"):
        evidence.parse_grade(data)


@pytest.mark.parametrize("score", ["NaN", "Infinity", "0", "1", "1e400", "0.5", "-0"])
def test_a_number_as_text_is_no_number(score: str) -> None:
    tree: Any = c1.loads(SAMPLES["bundle"])
    tree["overall_score"] = score
    with pytest.raises(MalformedError):
        bundle.parse_bundle(c1.encode(tree))


def test_writing_checks_what_memory_does_not() -> None:
    """A struct made by hand may hold anything; nothing invalid leaves."""
    for bad in (
        evidence.Agent(adapter="Not a slug", name="x", self_test=False),
        evidence.Agent(adapter="x", name="\ud800", self_test=False),
        evidence.Agent(adapter="x", name="", self_test=False),
        evidence.Agent(adapter="x", name="y", self_test=1),  # type: ignore[arg-type]
        evidence.Agent(adapter="x", name="y", self_test=None),  # type: ignore[arg-type]
    ):
        with pytest.raises(InputError):
            write(bad)


def test_sizes_are_limited() -> None:
    with pytest.raises(c1.C1Error, match="at most 10"):
        parse(SAMPLES["grade"], evidence.Grade, 10)
    assert parse(SAMPLES["grade"], evidence.Grade, len(SAMPLES["grade"])) == GRADE


def test_parts_are_closed_too() -> None:
    with pytest.raises(MalformedError, match="blobs"):
        base.part_from_tree({"index": [], "data": "", "x": 1}, bundle.Blobs, "blobs")
    assert base.part_from_tree({"index": [], "data": ""}, bundle.Blobs, "blobs") == bundle.Blobs(index=(), data="")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("agent", "adapter"),
        ("receipt", "task_id"),
        ("receipt", "task_hash"),
        ("bundle-signed", "signer_fingerprint"),
        ("suite", "version"),
    ],
)
def test_no_pattern_lets_a_trailing_line_feed_pass(name: str, text: str) -> None:
    """Python's `$` matches before a last line feed."""
    tree: Any = c1.loads(SAMPLES[name])
    tree[text] += "\n"
    with pytest.raises(MalformedError, match=text):
        parse(c1.encode(tree), type(DOCUMENTS[name]))
