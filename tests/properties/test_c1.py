"""Properties of C1: reading and writing are inverse, an outside oracle agrees, and no byte can change unseen."""

from decimal import Decimal
from typing import Any

import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from tallystick.core.c1 import C1Error, Tree, dumps, loads
from tallystick.core.exact import to_fraction, to_num
from tests.properties.strategies import c1_trees


def for_oracle(tree: Any) -> Any:
    """The tree with doubles for decimals: 15 digits survive, and RFC 8785 writes doubles."""
    if isinstance(tree, dict):
        return {name: for_oracle(value) for name, value in tree.items()}
    if isinstance(tree, list):
        return [for_oracle(value) for value in tree]
    return float(tree) if isinstance(tree, Decimal) else tree


def same(left: Any, right: Any) -> bool:
    """Equality that tells `True` from `1`."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[name], right[name]) for name in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


@given(c1_trees)
def test_read_and_write_are_inverse(tree: Tree) -> None:
    data = dumps(tree)
    assert same(loads(data), tree)
    assert dumps(loads(data)) == data


@given(c1_trees)
def test_bytes_are_those_of_rfc_8785(tree: Tree) -> None:
    assert dumps(tree) == rfc8785.dumps(for_oracle(tree))


@given(c1_trees, st.data())
def test_one_changed_byte_is_refused_or_another_tree(tree: Tree, data: st.DataObject) -> None:
    written = bytearray(dumps(tree))
    at = data.draw(st.integers(0, len(written) - 1))
    written[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != written[at]))
    try:
        read = loads(bytes(written))
    except C1Error:
        return
    assert not same(read, tree)
    assert dumps(read) == written


@given(c1_trees, st.data())
def test_one_byte_more_or_less_is_refused_or_another_tree(tree: Tree, data: st.DataObject) -> None:
    written = dumps(tree)
    at = data.draw(st.integers(0, len(written)))
    for changed in (
        written[:at] + data.draw(st.binary(min_size=1, max_size=1)) + written[at:],
        written[:at] + written[at + 1 :],
    ):
        if changed == written:
            continue
        try:
            read = loads(changed)
        except C1Error:
            continue
        assert not same(read, tree)


@given(st.binary(max_size=200) | st.text(max_size=100).map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b'{"a":NaN}')
@example(b"-")
def test_garbage_is_c1_or_refused(data: bytes) -> None:
    try:
        tree = loads(data)
    except C1Error:
        return
    assert dumps(tree) == data


JSONISH = st.lists(
    st.sampled_from([*'{}[],:"', "null", "true", '"a"', "0", "-", ".", "1", "e", "E+", "\\u", "d800", " ", "\\", "9" * 17])
).map("".join)


@given(JSONISH)
def test_what_looks_like_json_is_c1_or_refused(text: str) -> None:
    try:
        tree = loads(text.encode())
    except C1Error:
        return
    assert dumps(tree) == text.encode()


@given(st.fractions(-(10**8), 10**8))
def test_rounded_numbers_are_c1_and_near(value: Any) -> None:
    number = to_num(value)
    assert same(loads(dumps(number)), number)
    assert abs(to_fraction(number) - value) * 2_000_000 <= 1
