"""Withholding blobs of a bundle: the same claim without some of its evidence, and with their names where everybody sees them.

What is withheld stays bound: every digest of it stands where it stood. The list of what is withheld is part of the claim, so
the bundle gets another hash and is signed anew, by whoever withholds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tallystick.attest.bundle import sign
from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.flows.publishing import ENDINGS, write_file
from tallystick.flows.verify import open_file
from tallystick.flows.writing import find_place, written_name
from tallystick.records.base import UNSET
from tallystick.records.blobs import MissingBlobError
from tallystick.records.bundle import Bundle, TaskResult, bundle_hash
from tallystick.records.containers import BlobView, BundleFile, named_receipts, open_bundle, write_bundle
from tallystick.records.evidence import parse_grade
from tallystick.records.traffic.cassette import Cassette, parse_cassette
from tallystick.records.tree import parse_tree
from tallystick.scoring.evidence import exchange_blobs, named_blobs
from tallystick.trust.signing import Signer

__all__ = ["RedactRequest", "Redacted", "withhold"]

_LEAST_HEX = 8


@dataclass(frozen=True, slots=True)
class RedactRequest:
    """What to withhold of the file at `path`: blobs by digest or its first 8 or more hex digits, and whole groups."""

    path: Path
    out: Path
    blobs: tuple[str, ...] = ()
    recordings: bool = False
    outputs: bool = False


@dataclass(frozen=True, slots=True)
class Redacted:
    """The bundle that was written, where, and what it withholds that the first one did not."""

    bundle: Bundle
    path: Path
    withheld: tuple[Digest, ...]


def withhold(request: RedactRequest, signer: Signer | None) -> Redacted:
    """Write the bundle without the named blobs.

    Raises:
        InputError: not a bundle, a name that is no blob of it, nothing to withhold, or `out` is the file itself.
        StoreError: the new file cannot be written.
    """
    if request.out.exists() and request.path.exists() and request.out.samefile(request.path):
        raise InputError(f"--out {request.out} is the file itself, and what is withheld would be gone; name another file")
    find_place(request.out)
    with open_file(request.path) as stream:
        file = open_bundle(stream)
        chosen = frozenset(_chosen(file, request))
        if not chosen:
            raise InputError("nothing to withhold: name blobs with --blob, or give --recordings or --outputs")
        bundle = _without(file.bundle, chosen)
        signed = bundle if signer is None else sign(bundle, signer)
        receipts = {digest: file.receipt_bytes(digest) for digest in named_receipts(file.bundle)}
        blobs = BlobView(_kept(file, chosen), file)
        written = write_bundle(signed, receipts, blobs, None)
        target = written_name(request.out, ENDINGS, f".{written.container}")
        write_file(target, written.chunks)
    return Redacted(signed, target, tuple(sorted(chosen)))


def _without(bundle: Bundle, chosen: frozenset[Digest]) -> Bundle:
    bare = msgspec.structs.replace(
        bundle,
        withheld=tuple(sorted({*bundle.withheld, *chosen})),
        submitter=UNSET,
        signature=UNSET,
        signer_fingerprint=UNSET,
        signer_jwk=UNSET,
        blobs=UNSET,
    )
    return msgspec.structs.replace(bare, bundle_hash=bundle_hash(bare))


def _kept(file: BundleFile, chosen: frozenset[Digest]) -> frozenset[Digest]:
    """What stays in the file: what its receipts name. What only a withheld document names is named no more."""
    gone = chosen | frozenset(file.bundle.withheld)
    named: set[Digest] = set()
    for result in file.bundle.task_results:
        receipt = file.receipt(result.receipt_hash)
        final, grade, cassette = (receipt.link(role) for role in ("workspace.final", "grade", "cassette"))
        named.update(
            named_blobs(
                receipt,
                None if final is None or final in gone else parse_tree(file.read(final)),
                None if grade is None or grade in gone else parse_grade(file.read(grade)),
                result.observed,
                None if cassette is None or cassette in gone else parse_cassette(file.read(cassette)),
            )
        )
        named.update(exchange_blobs(result.opinion, _exchange(file, result, gone)))
    return frozenset(named & set(file.sizes)) - chosen


def _exchange(file: BundleFile, result: TaskResult, gone: frozenset[Digest]) -> Cassette | None:
    """The recorded interview of a model judge, where there is one and it stays."""
    if result.opinion is UNSET or result.opinion.cassette in gone:
        return None
    return parse_cassette(file.read(result.opinion.cassette))


def _chosen(file: BundleFile, request: RedactRequest) -> Iterator[Digest]:
    for name in request.blobs:
        yield _one(file, name)
    if request.recordings:
        yield from _recordings(file)
    if request.outputs:
        named = {digest for result in file.bundle.task_results if result.observed for _, digest in result.observed.outputs}
        yield from named & set(file.sizes)


def _one(file: BundleFile, name: str) -> Digest:
    digits = name.removeprefix("sha256:").lower()
    found = [digest for digest in file.sizes if digest.removeprefix("sha256:").startswith(digits)]
    if len(digits) < _LEAST_HEX or not found:
        raise InputError(f"no blob {name[:80]!r} in the file; give its digest, or the first {_LEAST_HEX} or more hex digits")
    if len(found) > 1:
        raise InputError(f"{len(found)} blobs begin with {name[:80]!r}; give more digits")
    return found[0]


def _recordings(file: BundleFile) -> Iterator[Digest]:
    """Bodies and answers of all recordings; the cassettes themselves stay, so that calls, tokens and cost can be read."""
    for result in file.bundle.task_results:
        digest = file.receipt(result.receipt_hash).link("cassette")
        if digest is None or digest not in file.sizes:
            continue
        try:
            cassette = parse_cassette(file.read(digest))
        except MissingBlobError:  # pragma: no cover - in `sizes`, so it is here
            continue
        for call in cassette.calls:
            yield from {call.body.part, call.answer} & set(file.sizes)
