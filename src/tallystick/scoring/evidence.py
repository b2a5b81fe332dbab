"""Which blobs a bundle must hold: defined once, for whoever writes a bundle and whoever reads it.

For every receipt: the agent and config documents, the tree document of the sealed workspace and all its files (also those that
the suite has, so that the file stands alone), the grade document, the tree document of the grade workspace, the judgement that
the grade names, the raw outputs that `observed` names, and the cassette document with every request part and answer in it.
Files of the grade workspace come from the sealed workspace or from the suite, and are not named again. Receipts of earlier
tries name no blobs: nothing is derived from them. An opinion names the cassette of its interview, with all of that one's parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tallystick.core.digest import Digest
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.bundle import Observed
from tallystick.records.evidence import Grade, Receipt
from tallystick.records.opinion import Opinion
from tallystick.records.traffic.cassette import Cassette
from tallystick.records.tree import Tree

__all__ = ["documents", "exchange_blobs", "named_blobs"]

_DOCUMENT_ROLES: Final = ("agent", "config", "cassette", "workspace.final", "grade")


def documents(receipt: Receipt) -> Iterator[Digest]:
    """Digests of the documents that a receipt's spine names and a bundle holds."""
    for role in _DOCUMENT_ROLES:
        digest = receipt.link(role)
        if digest is not None:
            yield digest


def exchange_blobs(opinion: Opinion | UnsetType, cassette: Cassette | None) -> Iterator[Digest]:
    """Digests of the blobs of a model judge's interview; `cassette` is None where the bundle withholds it."""
    if opinion is not UNSET:
        yield opinion.cassette
    for call in () if cassette is None else cassette.calls:
        yield call.body.part
        yield call.answer


def named_blobs(
    receipt: Receipt, final: Tree | None, grade: Grade | None, observed: Observed | UnsetType, cassette: Cassette | None = None
) -> Iterator[Digest]:
    """Digests of every blob that a bundle holds because of this receipt; some may come twice.

    `final`, `grade` and `cassette` are None where the receipt has none, or where the bundle withholds them.
    """
    yield from documents(receipt)
    for call in () if cassette is None else cassette.calls:
        yield call.body.part
        yield call.answer
    if grade is not None:
        yield grade.graded
        if grade.judgement is not UNSET:
            yield grade.judgement
    if final is not None:
        yield from (record.digest for record in final.records if record.digest is not UNSET)
    if observed is not UNSET:
        yield from (digest for _, digest in observed.outputs)
