"""Roots and proofs of RFC 6962 against the public vectors of transparency-dev/merkle and by hand."""

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tallystick.core import merkle
from tallystick.core.errors import TallyError
from tallystick.core.merkle import ProofError
from tests import vectors

FOLDER = vectors.DATA / "vectors/merkle/testdata"
INCLUSION = sorted((FOLDER / "inclusion").rglob("*.json"))
CONSISTENCY = sorted((FOLDER / "consistency").rglob("*.json"))


def name(path: Path) -> str:
    return path.relative_to(FOLDER).with_suffix("").as_posix()


def decoded(text: str | None) -> bytes:
    return base64.b64decode(text or "")


def proven(check: Callable[[], None]) -> bool:
    try:
        check()
    except ProofError:
        return False
    return True


@pytest.mark.parametrize("path", INCLUSION, ids=name)
def test_inclusion_vectors(path: Path) -> None:
    case: dict[str, Any] = vectors.load(f"merkle/testdata/{name(path)}.json")
    proof = [decoded(item) for item in case["proof"] or ()]
    assert proven(
        lambda: merkle.verify_inclusion(
            decoded(case["leafHash"]), case["leafIdx"], case["treeSize"], proof, decoded(case["root"])
        )
    ) == (not case["wantErr"])


def stricter(case: dict[str, Any]) -> bool:
    """Whether a vector that passes elsewhere is an error here, by design: an old size of 0, or roots that are no hashes."""
    right = not case["wantErr"]
    return right and (case["size1"] == 0 or {len(decoded(case["root1"])), len(decoded(case["root2"]))} != {32})


@pytest.mark.parametrize("path", CONSISTENCY, ids=name)
def test_consistency_vectors(path: Path) -> None:
    case: dict[str, Any] = vectors.load(f"merkle/testdata/{name(path)}.json")
    sizes, roots = (case["size1"], case["size2"]), (decoded(case["root1"]), decoded(case["root2"]))
    proof = [decoded(item) for item in case["proof"] or ()]
    wanted = not case["wantErr"] and not stricter(case)
    assert proven(lambda: merkle.verify_consistency(*sizes, proof, *roots)) == wanted


@vectors.needed
def test_all_vectors_are_there() -> None:
    assert (len(INCLUSION), len(CONSISTENCY)) == (98, 98)
    assert sum(stricter(vectors.load(f"merkle/testdata/{name(path)}.json")) for path in CONSISTENCY) == 1


def hashes(count: int) -> list[bytes]:
    return [merkle.leaf_hash(bytes([i])) for i in range(count)]


def test_roots_by_hand() -> None:
    a, b, c = hashes(3)
    inner = hashlib.sha256(b"\x01" + a + b).digest()
    assert merkle.root_of_hashes([]) == hashlib.sha256(b"").digest()
    assert merkle.root_of_hashes([a]) == a == hashlib.sha256(b"\x00\x00").digest()
    assert merkle.root_of_hashes([a, b]) == inner
    assert merkle.root_of_hashes([a, b, c]) == hashlib.sha256(b"\x01" + inner + c).digest()
    assert merkle.root([b"\x00", b"\x01"]) == "sha256:" + inner.hex()


def test_a_leaf_is_never_a_node() -> None:
    a, b = hashes(2)
    assert merkle.root([a + b]) != merkle.root([b"\x00", b"\x01"])


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0)])
def test_no_proof_for_a_leaf_that_is_not_there(index: int, size: int) -> None:
    with pytest.raises(ProofError):
        merkle.inclusion_proof(hashes(size), index)


@pytest.mark.parametrize("old", [-1, 0, 4])
def test_no_consistency_with_nothing_or_with_more(old: int) -> None:
    with pytest.raises(ProofError):
        merkle.consistency_proof(hashes(3), old)


def test_a_hash_of_another_length_is_refused() -> None:
    with pytest.raises(ProofError, match="32 bytes"):
        merkle.verify_inclusion(b"short", 0, 1, [], b"short")
    with pytest.raises(ProofError, match="32 bytes"):
        merkle.verify_consistency(1, 1, [b""], bytes(32), bytes(32))


def test_a_failed_proof_is_no_bad_input() -> None:
    assert ProofError("x").exit_code == TallyError.exit_code == 1
