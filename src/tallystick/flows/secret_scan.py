"""Keys in what is about to be published: recorded requests and answers, workspaces, what agents printed.

The gateway keeps the keys it holds out of recordings by itself. This is the second look, over every blob of a bundle, and the
only one at what an agent found elsewhere. Files of the suite are no find: they are published already.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tallystick.attest.bundle import AttemptEvidence, BundleInputs, blobs_of
from tallystick.core import c1
from tallystick.core.digest import Digest
from tallystick.records.base import UNSET
from tallystick.records.blobs import MissingBlobError
from tallystick.records.journal import WorkspaceSealed
from tallystick.records.traffic.secrets import find_secrets
from tallystick.records.tree import parse_tree
from tallystick.scoring.verdict import event_of

__all__ = ["SecretFound", "find_in_evidence"]


@dataclass(frozen=True, slots=True)
class SecretFound:
    """A blob that holds a key, what kind it is, and where the blob stands, for people. The key itself is never repeated."""

    blob: Digest | None
    """None where it stands in the bundle itself, which nobody can withhold a part of."""
    kind: str
    where: str


def find_in_evidence(inputs: BundleInputs, values: tuple[bytes, ...]) -> tuple[SecretFound, ...]:
    """Every blob that holds one. `values` are keys that are known; what only looks like a key is found too.

    Raises:
        MissingBlobError: a tree document is not in the blobs.
    """
    found = list(_in_receipts(inputs, values))
    for blob in sorted(blobs_of(inputs)):
        if _of_suite(inputs, blob):
            continue
        seen = find_secrets(inputs.blobs.read(blob), values)
        if seen:
            found.append(SecretFound(blob, seen[0].kind, _where(inputs, blob)))
    return tuple(found)


def _in_receipts(inputs: BundleInputs, values: tuple[bytes, ...]) -> Iterator[SecretFound]:
    for one in inputs.evidence:
        documents = [*map(c1.encode, (one.receipt, *one.tries)), *([] if one.observed is UNSET else [c1.encode(one.observed)])]
        seen = next((seen for data in documents if (seen := find_secrets(data, values))), None)
        if seen:
            where = f"{one.receipt.task_id} attempt {one.receipt.attempt.index}: a decision or a name in its journal"
            yield SecretFound(None, seen[0].kind, where)


def _of_suite(inputs: BundleInputs, blob: Digest) -> bool:
    try:
        inputs.suite_blobs.read(blob)
    except MissingBlobError:
        return False
    return True


def _where(inputs: BundleInputs, blob: Digest) -> str:
    for one in inputs.evidence:
        place = next((what for digest, what in _named(inputs, one) if digest == blob), None)
        if place is not None:
            return f"{one.receipt.task_id} attempt {one.receipt.attempt.index}: {place}"
    return "a document of the run"


def _named(inputs: BundleInputs, one: AttemptEvidence) -> Iterator[tuple[Digest, str]]:
    for call in () if one.cassette is None else one.cassette.calls:
        yield call.body.part, f"the body of call {call.call}"
        yield call.answer, f"the answer to call {call.call}"
    if one.observed is not UNSET:
        yield from ((digest, f"the output {name}") for name, digest in one.observed.outputs)
    sealed = event_of(one.receipt, WorkspaceSealed)
    for record in () if sealed is None else parse_tree(inputs.blobs.read(sealed.tree)).records:
        if record.digest is not UNSET:
            yield record.digest, f"the file {record.path}"
