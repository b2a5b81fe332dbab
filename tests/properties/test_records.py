"""Every document is read back as it was written, and whatever else is read ends in the domain's errors only."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.schema import documents
from tallystick.core import c1
from tallystick.core.errors import TallyError
from tallystick.records.base import Record, parse, type_name, write
from tests.properties.strategies import c1_trees, documents_of
from tests.unit.records.samples import DOCUMENTS

CLASSES = documents()
each_class = pytest.mark.parametrize("cls", CLASSES, ids=type_name)
SAMPLES = {name: write(sample) for name, sample in DOCUMENTS.items()}
each_sample = pytest.mark.parametrize("name", DOCUMENTS)


def refused_or_same(data: bytes, cls: type[Record]) -> None:
    """What is read must write the same bytes; what is refused must be refused in one line."""
    message = ""
    try:
        assert write(parse(data, cls)) == data
    except TallyError as error:
        message = str(error)
    assert "\n" not in message


@each_class
@given(data=st.data())
@settings(max_examples=25)
def test_parse_and_write_are_inverse(cls: type[Record], data: st.DataObject) -> None:
    value = data.draw(documents_of(cls))
    written = write(value)
    assert parse(written, cls) == value
    assert write(parse(written, cls)) == written


@each_class
@given(garbage=st.binary(max_size=100) | c1_trees.map(c1.dumps))
@settings(max_examples=25)
def test_garbage_is_refused_or_written_alike(cls: type[Record], garbage: bytes) -> None:
    refused_or_same(garbage, cls)


@each_sample
@given(data=st.data())
@settings(max_examples=50)
def test_changed_bytes_are_refused_or_written_alike(name: str, data: st.DataObject) -> None:
    changed = bytearray(SAMPLES[name])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
        if not changed:
            return
    refused_or_same(bytes(changed), type(DOCUMENTS[name]))


@each_sample
@given(data=st.data())
@settings(max_examples=50)
def test_a_replaced_member_is_refused_or_written_alike(name: str, data: st.DataObject) -> None:
    tree: Any = c1.loads(SAMPLES[name])
    node = tree
    while isinstance(node, dict | list) and node:
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        if not isinstance(node[key], dict | list) or not node[key] or data.draw(st.booleans()):
            node[key] = data.draw(c1_trees)
            break
        node = node[key]
    refused_or_same(c1.dumps(tree), type(DOCUMENTS[name]))
