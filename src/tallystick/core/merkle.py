"""Merkle trees of RFC 6962 / RFC 9162 section 2.1 over SHA-256: leaf prefix 0x00, node prefix 0x01.

One construction serves journals, spines and the transparency log. A proof is a list of 32-byte hashes from the leaf upwards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from tallystick.core.digest import Digest
from tallystick.core.errors import TallyError

__all__ = [
    "EMPTY_ROOT",
    "ProofError",
    "consistency_proof",
    "inclusion_proof",
    "leaf_hash",
    "root",
    "root_of_hashes",
    "verify_consistency",
    "verify_inclusion",
]

HASH_BYTES = 32
EMPTY_ROOT = hashlib.sha256(b"").digest()
"""Root of the tree without leaves (RFC 9162 section 2.1.1)."""


class ProofError(TallyError):
    """A Merkle proof that does not prove what it is offered for."""


def leaf_hash(data: bytes) -> bytes:
    """Hash of a leaf: SHA-256(0x00 || data)."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash of an inner node: SHA-256(0x01 || left || right)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(leaves: Iterable[bytes]) -> Digest:
    """Root over the leaves' bytes, as digest text."""
    return Digest("sha256:" + root_of_hashes(leaf_hash(leaf) for leaf in leaves).hex())


def root_of_hashes(hashes: Iterable[bytes]) -> bytes:
    """Root over leaf hashes, in one pass and O(log n) memory."""
    stack: list[bytes] = []
    for count, leaf in enumerate(hashes):
        stack.append(leaf)
        size = count + 1
        while size % 2 == 0:
            right = stack.pop()
            stack[-1] = node_hash(stack[-1], right)
            size //= 2
    if not stack:
        return EMPTY_ROOT
    result = stack.pop()
    while stack:
        result = node_hash(stack.pop(), result)
    return result


def _split(size: int) -> int:
    """The largest power of two smaller than `size` (size > 1)."""
    return 1 << ((size - 1).bit_length() - 1)


def inclusion_proof(hashes: Sequence[bytes], index: int) -> list[bytes]:
    """Audit path of leaf `index` among all leaf hashes (RFC 9162 section 2.1.3.1)."""
    if not 0 <= index < len(hashes):
        raise ProofError(f"no leaf {index} in a tree of {len(hashes)}")
    if len(hashes) == 1:
        return []
    cut = _split(len(hashes))
    if index < cut:
        return [*inclusion_proof(hashes[:cut], index), root_of_hashes(hashes[cut:])]
    return [*inclusion_proof(hashes[cut:], index - cut), root_of_hashes(hashes[:cut])]


def consistency_proof(hashes: Sequence[bytes], old_size: int) -> list[bytes]:
    """Proof that the first `old_size` leaves are a prefix of all (RFC 9162 section 2.1.4.1)."""
    if not 0 < old_size <= len(hashes):
        raise ProofError(f"no consistency proof from size {old_size} to size {len(hashes)}")
    return _subproof(hashes, old_size, whole=True)


def _subproof(hashes: Sequence[bytes], old_size: int, *, whole: bool) -> list[bytes]:
    if old_size == len(hashes):
        return [] if whole else [root_of_hashes(hashes)]
    cut = _split(len(hashes))
    if old_size <= cut:
        return [*_subproof(hashes[:cut], old_size, whole=whole), root_of_hashes(hashes[cut:])]
    return [*_subproof(hashes[cut:], old_size - cut, whole=False), root_of_hashes(hashes[:cut])]


def _check_shape(proof: Sequence[bytes], *roots: bytes) -> None:
    if any(len(item) != HASH_BYTES for item in (*proof, *roots)):
        raise ProofError("a hash in the proof is not 32 bytes long")


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], expected_root: bytes) -> None:
    """Check that the leaf with hash `leaf` is at `index` in the tree of `size` with `expected_root` (RFC 9162, 2.1.3.2).

    Raises:
        ProofError: it is not proven.
    """
    _check_shape(proof, leaf, expected_root)
    if not 0 <= index < size:
        raise ProofError(f"index {index} is outside a tree of {size}")
    node, last, current = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            raise ProofError("the inclusion proof is too long")
        if node % 2 == 1 or node == last:
            current = node_hash(sibling, current)
            while node % 2 == 0 and node != 0:
                node, last = node >> 1, last >> 1
        else:
            current = node_hash(current, sibling)
        node, last = node >> 1, last >> 1
    if last != 0:
        raise ProofError("the inclusion proof is too short")
    if current != expected_root:
        raise ProofError("the inclusion proof leads to another root")


def verify_consistency(old_size: int, new_size: int, proof: Sequence[bytes], old_root: bytes, new_root: bytes) -> None:
    """Check that the tree of `old_size` is a prefix of the tree of `new_size` (RFC 9162, 2.1.4.2).

    Raises:
        ProofError: it is not proven. An old size of 0 is an error: everything is consistent with nothing.
    """
    _check_shape(proof, old_root, new_root)
    if not 0 < old_size <= new_size:
        raise ProofError(f"no consistency between sizes {old_size} and {new_size}")
    if old_size == new_size:
        if proof or old_root != new_root:
            raise ProofError("trees of one size have one root and an empty proof")
        return
    path = [old_root, *proof] if old_size & (old_size - 1) == 0 else list(proof)
    if not path:
        raise ProofError("the consistency proof is empty")
    _climb(old_size - 1, new_size - 1, path, old_root, new_root)


def _climb(node: int, last: int, path: Sequence[bytes], old_root: bytes, new_root: bytes) -> None:
    while node % 2 == 1:
        node, last = node >> 1, last >> 1
    old = new = path[0]
    for sibling in path[1:]:
        if last == 0:
            raise ProofError("the consistency proof is too long")
        if node % 2 == 1 or node == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while node % 2 == 0 and node != 0:
                node, last = node >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        node, last = node >> 1, last >> 1
    if last != 0:
        raise ProofError("the consistency proof is too short")
    if old != old_root or new != new_root:
        raise ProofError("the consistency proof leads to other roots")
