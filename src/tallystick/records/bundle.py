"""The bundle (`tallystick/bundle/v1`): a signed claim about a run, with the evidence from which it follows.

`bundle_hash` is the digest of the C1 bytes of everything except `bundle_hash`, `signature`, `signer_fingerprint`, `signer_jwk`,
`blobs` and the `receipt` members, which their `receipt_hash` binds. So the two containers of one bundle have one hash.
Specification: docs/spec/bundle.md.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from tallystick.core import c1, limits
from tallystick.core.digest import Digest, sha256
from tallystick.records.base import UNSET, Count, Id, Num, Record, Sha, UnsetType, parse
from tallystick.records.evidence import Agent, Attempt, Config, Receipt
from tallystick.records.opinion import Opinion

__all__ = [
    "BlobEntry",
    "Blobs",
    "Bundle",
    "Components",
    "Coordination",
    "Harness",
    "HarnessOutput",
    "Interval",
    "Jwk",
    "Observed",
    "SchedulerConfig",
    "Submitter",
    "TaskCoordination",
    "TaskResult",
    "Totals",
    "Try",
    "bundle_hash",
    "parse_bundle",
    "strip",
]

Thumbprint = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{43}$(?!\n)")]
"""RFC 7638 JWK thumbprint, SHA-256, base64url without padding."""


class Jwk(Record):
    """A public Ed25519 key as RFC 8037 JWK."""

    crv: Literal["Ed25519"]
    kty: Literal["OKP"]
    x: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{43}$(?!\n)")]


class Submitter(Record):
    """Who claims the bundle: the thumbprint of the signing key."""

    kid: Thumbprint


class Harness(Record):
    """The program that made the bundle (declared)."""

    name: Annotated[str, msgspec.Meta(max_length=64)]
    version: Annotated[str, msgspec.Meta(max_length=64)]


class SchedulerConfig(Record):
    """How attempts were scheduled."""

    attempts: Annotated[int, msgspec.Meta(ge=1, le=limits.ATTEMPTS)]
    order: Literal["suite"]


class Interval(Record):
    """A 95 % confidence interval of a rate: statistics about a number, not part of it."""

    method: Literal["wilson"]
    low: Num
    high: Num


class Totals(Record):
    """Counts over tasks x attempts; every attempt counts in `attempts`, whatever became of it."""

    tasks: Count
    attempts: Count
    passed: Count
    failed: Count
    infra_errors: Count
    refused: Count
    wall_ms: Count
    cost_usd: Num | UnsetType = UNSET


class Components(Record):
    """Parts of the golden score: (0.5*task_success + 0.3*code_quality + 0.2*efficiency) * reliability * safety."""

    task_success: Num
    code_quality: Num
    efficiency: Num
    reliability: Num
    safety: Num
    judged: Count


class TaskCoordination(Record):
    """The coordination lane of a task's attempts: one root if they were identical."""

    task_id: Id
    identical: bool
    root: Sha


class Coordination(Record):
    """Whether the harness decided the same in every attempt of each task."""

    identical: bool
    tasks: tuple[TaskCoordination, ...]


class Observed(Record):
    """Measured beside the receipt: declared by the submitter, signed, never part of what must be reproducible."""

    wall_ms: Count
    cpu_ms: Count | UnsetType = UNSET
    max_rss_kb: Count | UnsetType = UNSET
    orphans: Count | UnsetType = UNSET
    cost_usd: Num | UnsetType = UNSET
    grade_wall_ms: Count | UnsetType = UNSET
    python: Annotated[str, msgspec.Meta(max_length=64)] | UnsetType = UNSET
    enforced: tuple[tuple[str, str], ...] = ()
    outputs: tuple[tuple[str, Sha], ...] = ()
    calls: Count | UnsetType = UNSET
    input_tokens: Count | UnsetType = UNSET
    output_tokens: Count | UnsetType = UNSET
    hosts: Annotated[tuple[str, ...], msgspec.Meta(max_length=1000)] = ()


class HarnessOutput(Record):
    """Why a verdict is what it is, derived from the grade."""

    outcome: Literal["passed", "failed", "infra_error", "refused"]
    assertions: Count
    failed: tuple[str, ...] = ()
    limit: str | UnsetType = UNSET
    cause: str | UnsetType = UNSET


class Try(Record):
    """An earlier try of an attempt that did not finish, kept for the record."""

    receipt_hash: Sha
    receipt: Receipt | UnsetType = UNSET


class TaskResult(Record):
    """One attempt at one task. `receipt` is absent in the `.tally` container's index, where it is a member of its own."""

    task_id: Id
    task_hash: Sha
    attempt: Attempt
    receipt_hash: Sha
    passed: bool
    score: Num
    harness_output: HarnessOutput
    receipt: Receipt | UnsetType = UNSET
    tries: Annotated[tuple[Try, ...], msgspec.Meta(max_length=1000)] = ()
    observed: Observed | UnsetType = UNSET
    opinion: Opinion | UnsetType = UNSET


class BlobEntry(Record):
    """A blob by digest and size in bytes."""

    digest: Sha
    size: Count


class Blobs(Record):
    """All blobs of the `.json` container: strict base64 of one raw-deflate stream of their bytes in the order of `index`."""

    index: tuple[BlobEntry, ...]
    data: str


class Bundle(Record, tag_field="_type", tag="tallystick/bundle/v1"):
    """A claim about a run."""

    bundle_hash: Sha
    suite_hash: Sha
    suite_version: Id
    submitted_at: Count
    scheduler_config: SchedulerConfig
    agent: Agent
    harness: Harness
    config: Config
    totals: Totals
    overall_score: Num
    pass_rate: Num
    interval: Interval
    components: Components
    coordination: Coordination
    task_results: Annotated[tuple[TaskResult, ...], msgspec.Meta(max_length=limits.TASK_RESULTS)]
    submitter: Submitter | UnsetType = UNSET
    partial: tuple[Id, ...] | UnsetType = UNSET
    withheld: tuple[Sha, ...] = ()
    signature: Annotated[str, msgspec.Meta(max_length=1024)] | UnsetType = UNSET
    signer_fingerprint: Thumbprint | UnsetType = UNSET
    signer_jwk: Jwk | UnsetType = UNSET
    blobs: Blobs | UnsetType = UNSET


def strip(bundle: Bundle) -> Bundle:
    """The bundle without receipts and blobs: what `bundle.json` of the `.tally` container holds."""
    results = tuple(
        msgspec.structs.replace(
            result,
            receipt=UNSET,
            tries=tuple(msgspec.structs.replace(earlier, receipt=UNSET) for earlier in result.tries),
        )
        for result in bundle.task_results
    )
    return msgspec.structs.replace(bundle, task_results=results, blobs=UNSET)


_UNHASHED = ("bundle_hash", "signature", "signer_fingerprint", "signer_jwk", "blobs")


def bundle_hash(bundle: Bundle) -> Digest:
    """Digest over everything but the unhashed members (see the head of this file)."""
    bare = strip(bundle)
    tree = {
        name: value
        for name in Bundle.__struct_fields__
        if name not in _UNHASHED and (value := getattr(bare, name)) is not UNSET
    }
    tree["_type"] = "tallystick/bundle/v1"
    return sha256(c1.encode(tree))


def parse_bundle(data: bytes) -> Bundle:
    """Read a bundle document (the `.json` container, or `bundle.json` of the other); errors as `records.base.parse`."""
    return parse(data, Bundle, limits.BUNDLE_JSON_BYTES)
