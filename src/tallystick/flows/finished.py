"""From a finished attempt, as a run folder keeps it, to the evidence that a bundle is built of."""

from __future__ import annotations

from tallystick.attest.bundle import AttemptEvidence
from tallystick.recording.blobs import BlobStore
from tallystick.records.evidence import parse_grade
from tallystick.records.state import FinishedAttempt
from tallystick.records.traffic.cassette import parse_cassette

__all__ = ["evidence_of"]


def evidence_of(finished: FinishedAttempt, store: BlobStore) -> AttemptEvidence:
    """The attempt with the documents that its receipt names.

    Raises:
        StoreError, InputError: one of them is not in the store, or damaged.
    """
    grade, cassette = finished.receipt.link("grade"), finished.receipt.link("cassette")
    return AttemptEvidence(
        receipt=finished.receipt,
        grade=None if grade is None else parse_grade(store.read(grade)),
        observed=finished.observed,
        tries=finished.tries,
        cassette=None if cassette is None else parse_cassette(store.read(cassette)),
        opinion=finished.opinion,
    )
