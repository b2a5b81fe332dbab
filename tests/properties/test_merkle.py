"""Every proof that we make is accepted, and no other leaf, place, size or root is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core import merkle

leaves = st.lists(st.binary(max_size=4), min_size=1, max_size=40)


def naive_root(hashes: list[bytes]) -> bytes:
    """RFC 9162 section 2.1.1, as it is written there."""
    if len(hashes) == 1:
        return hashes[0]
    cut = 1
    while cut * 2 < len(hashes):
        cut *= 2
    return merkle.node_hash(naive_root(hashes[:cut]), naive_root(hashes[cut:]))


@given(leaves)
def test_the_one_pass_root_is_the_recursive_one(values: list[bytes]) -> None:
    hashes = [merkle.leaf_hash(value) for value in values]
    assert merkle.root_of_hashes(hashes) == naive_root(hashes)
    assert merkle.root(values) == "sha256:" + naive_root(hashes).hex()


@given(leaves, st.data())
def test_every_leaf_is_proven_to_be_in_its_tree(values: list[bytes], data: st.DataObject) -> None:
    hashes = [merkle.leaf_hash(value + bytes([i])) for i, value in enumerate(values)]
    index = data.draw(st.integers(0, len(hashes) - 1))
    proof, root = merkle.inclusion_proof(hashes, index), merkle.root_of_hashes(hashes)
    merkle.verify_inclusion(hashes[index], index, len(hashes), proof, root)
    other = data.draw(st.integers(-1, len(hashes) + 1).filter(lambda place: place != index))
    with pytest.raises(merkle.ProofError):
        merkle.verify_inclusion(hashes[index], other, len(hashes), proof, root)
    with pytest.raises(merkle.ProofError):
        merkle.verify_inclusion(hashes[index], index, len(hashes), [*proof, bytes(32)], root)


@given(leaves, st.data())
def test_every_prefix_is_proven_to_be_one(values: list[bytes], data: st.DataObject) -> None:
    hashes = [merkle.leaf_hash(value + bytes([i])) for i, value in enumerate(values)]
    old = data.draw(st.integers(1, len(hashes)))
    proof = merkle.consistency_proof(hashes, old)
    roots = merkle.root_of_hashes(hashes[:old]), merkle.root_of_hashes(hashes)
    merkle.verify_consistency(old, len(hashes), proof, *roots)
    if old < len(hashes):
        with pytest.raises(merkle.ProofError):
            merkle.verify_consistency(old, len(hashes), proof, roots[1], roots[0])
    with pytest.raises(merkle.ProofError):
        merkle.verify_consistency(old, len(hashes), [*proof, bytes(32)], *roots)
    with pytest.raises(merkle.ProofError):
        merkle.verify_consistency(0, len(hashes), proof, *roots)


@given(leaves, st.data())
def test_a_flipped_bit_in_a_proof_is_refused(values: list[bytes], data: st.DataObject) -> None:
    hashes = [merkle.leaf_hash(value + bytes([i])) for i, value in enumerate([*values, b"more"])]
    index = data.draw(st.integers(0, len(hashes) - 1))
    proof = merkle.inclusion_proof(hashes, index)
    at, bit = data.draw(st.integers(0, len(proof) - 1)), data.draw(st.integers(0, 255))
    flipped = (int.from_bytes(proof[at], "big") ^ (1 << bit)).to_bytes(32, "big")
    changed = [*proof[:at], flipped, *proof[at + 1 :]]
    with pytest.raises(merkle.ProofError):
        merkle.verify_inclusion(hashes[index], index, len(hashes), changed, merkle.root_of_hashes(hashes))
