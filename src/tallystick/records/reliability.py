"""The reliability receipt (`tallystick/reliability/v1`): how often an agent passes when it is asked k times, and all evidence.

The bundle of the k attempts is embedded whole, with its receipts and blobs. `receipt_hash` is the digest of the C1 bytes of
everything except `receipt_hash`, `signature`, `signer_fingerprint`, `signer_jwk` and `bundle`, which its `bundle_hash` binds.
Specification: docs/spec/reliability.md.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final, Literal

import msgspec

from tallystick.core import c1, limits
from tallystick.core.digest import Digest, sha256
from tallystick.records.base import UNSET, Count, Id, Num, Record, Sha, UnsetType, parse
from tallystick.records.bundle import Bundle, Harness, Jwk, SchedulerConfig, Submitter, Thumbprint
from tallystick.records.report import Report, Row, Status, StepResult

__all__ = [
    "DETERMINISTIC",
    "FLOOR_STEPS",
    "INFORMATION",
    "ClusteredInterval",
    "FloorStep",
    "Information",
    "PassRate",
    "Reliability",
    "ReliabilityReport",
    "TaskReliability",
    "parse_reliability",
    "reliability_hash",
]


class ClusteredInterval(Record):
    """A 95 % interval of a mean over tasks, clustered by task: statistics about a number, not part of it."""

    method: Literal["wilson_clustered"]
    low: Num
    high: Num


class PassRate(Record):
    """For `j` attempts picked from the k: that one of them passes, and that all do; means over tasks, unbiased."""

    j: Annotated[int, msgspec.Meta(ge=1, le=limits.FLOOR_ATTEMPTS)]
    pass_at: Num
    pass_at_interval: ClusteredInterval
    pass_caret: Num
    pass_caret_interval: ClusteredInterval


Information = Literal["deterministic", "unexplained", "sampled", "unrecorded"]
"""What k attempts tell more than one; see `INFORMATION`."""

DETERMINISTIC: Final = "deterministic: k attempts carry one attempt's information"
INFORMATION: Final[dict[Information, str]] = {
    "deterministic": DETERMINISTIC,
    "unexplained": "no attempt asked a model, and attempts differ: nothing in the evidence says by what",
    "sampled": "attempts asked a model, and no answer counts in two of them",
    "unrecorded": "attempts asked a model and answers were not recorded: nothing shows that each asked anew",
}
"""What is said of each: the same in the document, on screen and in the specification."""


class TaskReliability(Record):
    """What k attempts at one task came to. `coordination_hash` is the root of the first one's coordination lane."""

    task_id: Id
    task_hash: Sha
    attempts: Count
    passes: Count
    infra_errors: Count
    coordination_hash: Sha
    coordination_identical: bool


class Reliability(Record, tag_field="_type", tag="tallystick/reliability/v1"):
    """A claim about k attempts at every task.

    `pass_at_1` is the share of tasks with at least one pass of k (elsewhere called pass@k), `pass_caret_k` of those with k
    passes of k (pass^k). `bundle` stands in the file and is not part of what is hashed here.
    """

    receipt_hash: Sha
    bundle_hash: Sha
    suite_hash: Sha
    suite_version: Id
    k: Annotated[int, msgspec.Meta(ge=1, le=limits.FLOOR_ATTEMPTS)]
    scheduler_config: SchedulerConfig
    harness: Harness
    emitted_at: Count
    pass_at_1: Num
    pass_caret_k: Num
    rates: Annotated[tuple[PassRate, ...], msgspec.Meta(max_length=limits.FLOOR_ATTEMPTS)]
    infra_errors: Count
    coordination_ok: bool
    information: Information
    information_says: Annotated[str, msgspec.Meta(max_length=256)]
    task_results: Annotated[tuple[TaskReliability, ...], msgspec.Meta(max_length=limits.TASKS)]
    flip_rate: Num | UnsetType = UNSET
    submitter: Submitter | UnsetType = UNSET
    signature: Annotated[str, msgspec.Meta(max_length=1024)] | UnsetType = UNSET
    signer_fingerprint: Thumbprint | UnsetType = UNSET
    signer_jwk: Jwk | UnsetType = UNSET
    bundle: Bundle | UnsetType = UNSET


_UNHASHED: Final = ("receipt_hash", "signature", "signer_fingerprint", "signer_jwk", "bundle")


def reliability_hash(document: Reliability) -> Digest:
    """Digest over everything but the unhashed members (see the head of this file)."""
    tree = {
        name: value
        for name in Reliability.__struct_fields__
        if name not in _UNHASHED and (value := getattr(document, name)) is not UNSET
    }
    tree["_type"] = "tallystick/reliability/v1"
    return sha256(c1.encode(tree))


def parse_reliability(data: bytes) -> Reliability:
    """Read a reliability receipt, its bundle included; errors as `records.base.parse`.

    `records.containers.open_reliability` reads the bundle so that one bad receipt spoils no other.
    """
    return parse(data, Reliability, limits.BUNDLE_JSON_BYTES)


class FloorStep(IntEnum):
    """The steps of verifying a reliability receipt, numbered alike in code, report and docs/spec/reliability.md."""

    container = 1
    canonical = 2
    schema = 3
    receipt_hash = 4
    key = 5
    signature = 6
    evidence = 7
    binding = 8
    coverage = 9
    answers = 10
    coordination = 11
    floor = 12
    report = 13


FLOOR_STEPS: Final[dict[FloorStep, str]] = {
    FloorStep.container: "file within its limits",
    FloorStep.canonical: "canonical bytes (C1)",
    FloorStep.schema: "type and closed schema",
    FloorStep.receipt_hash: "receipt hash",
    FloorStep.key: "signing key admitted",
    FloorStep.signature: "signature and submitter",
    FloorStep.evidence: "the embedded bundle, by every step of its own",
    FloorStep.binding: "bundle, suite, schedule and times are those of the bundle",
    FloorStep.coverage: "k, tasks and attempts are those of the bundle",
    FloorStep.answers: "every attempt asked anew",
    FloorStep.coordination: "coordination",
    FloorStep.floor: "floor, rates and intervals from verdicts",
    FloorStep.report: "report",
}


class ReliabilityReport(Record, tag_field="_type", tag="tallystick/reliability-report/v1"):
    """What a verifier found of a reliability receipt: its own steps and tasks, and the report on the embedded bundle.

    Numbers are the derived ones; they are absent where none could be derived. `rows` has one row per task, its `attempt` the
    one where the row fails.
    """

    status: Status
    level: str
    k: Count
    receipt_hash: str
    steps: tuple[StepResult, ...]
    rows: tuple[Row, ...]
    reasons: tuple[str, ...] = ()
    signer: str = "none"
    signer_kid: str = ""
    passed_once: Count = 0
    passed_all: Count = 0
    tasks: Count = 0
    rates: tuple[PassRate, ...] = ()
    flip_rate: Num | UnsetType = UNSET
    infra_errors: Count = 0
    information: str = ""
    bundle: Report | UnsetType = UNSET
