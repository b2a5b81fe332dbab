"""What one attempt leaves behind: agent, config, grade and receipt documents."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from tallystick.core import c1, limits, merkle
from tallystick.core.digest import Digest
from tallystick.records.base import UNSET, Id, Record, Sha, Slug, UnsetType, digest_of, parse
from tallystick.records.journal import Event
from tallystick.records.task import GradeMode
from tallystick.records.tree import EMPTY_TREE

__all__ = [
    "SELF_TEST_ADAPTERS",
    "SELF_TEST_KINDS",
    "Agent",
    "Attempt",
    "AttemptLimits",
    "Config",
    "Excluded",
    "ExcludedReason",
    "Grade",
    "GradeResult",
    "Outcome",
    "Receipt",
    "SpineEntry",
    "TestOutcome",
    "parse_agent",
    "parse_config",
    "parse_grade",
    "parse_receipt",
    "run_id_of",
    "spine_root",
]

Outcome = Literal["pass", "fail", "error"]
SELF_TEST_ADAPTERS = frozenset({"oracle", "nop", "cheat", "ladder", "partial", "scripted", "mock", "stochastic-mock"})
"""Adapters that measure suite and harness, not an agent."""
SELF_TEST_KINDS = frozenset({"cheat", "ladder", "partial"})
"""Those among them that need a name, `KIND:NAME` as `--agent` takes it; the agent is then called `KIND-NAME`."""


class Agent(Record, tag_field="_type", tag="tallystick/agent/v1"):
    """What is measured. `program` is the tree digest of its mounted program files; name and version are declared.

    `home` is the tree digest of the files that stand in its home folder when it starts, `model` the model it was told to ask
    (declared: what answered stands in the cassettes), `rules` the digest of the rule set by which its requests are compared.
    """

    adapter: Slug
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
    self_test: bool
    version: Annotated[str, msgspec.Meta(max_length=128)] | UnsetType = UNSET
    argv: tuple[str, ...] = ()
    program: Sha = EMPTY_TREE
    home: Sha = EMPTY_TREE
    model: Annotated[str, msgspec.Meta(max_length=256)] | UnsetType = UNSET
    rules: Sha | UnsetType = UNSET


class AttemptLimits(Record):
    """Bounds on the model calls of one attempt, besides the cost that its task allows."""

    calls: Annotated[int, msgspec.Meta(ge=1)] | UnsetType = UNSET
    tokens: Annotated[int, msgspec.Meta(ge=1)] | UnsetType = UNSET


class Config(Record, tag_field="_type", tag="tallystick/config/v1"):
    """What was demanded of the machine: the same config on two machines asks for the same.

    `network` is `gateway` where models are reached through it; `hosts` are those that may be reached beside it (`host:port`).
    `recording` says whether attempts leave a cassette, `pins` what the sandbox held fixed, `prices` which price table counts.
    """

    sandbox: Literal["bwrap", "none"]
    network: Literal["none", "host", "gateway"]
    policy: Literal["v1"]
    env: tuple[str, ...] = ()
    pins: tuple[Slug, ...] = ()
    recording: Literal["none", "cassette"] = "none"
    hosts: tuple[str, ...] = ()
    prices: Sha | UnsetType = UNSET
    limits: AttemptLimits = AttemptLimits()


class TestOutcome(Record):
    """The outcome of one named test of a grader script."""

    __test__ = False  # not a test class, whatever pytest thinks of the name

    id: Id
    outcome: Outcome


class GradeResult(Record):
    """What one assertion came to. `exit` and `tests` are the evidence of executed ones."""

    assertion: Slug
    outcome: Outcome
    exit: int | UnsetType = UNSET
    tests: Annotated[tuple[TestOutcome, ...], msgspec.Meta(max_length=limits.TESTS)] | UnsetType = UNSET


ExcludedReason = Literal["not_owned", "protected", "steering", "leaves"]


class Excluded(Record):
    """A changed path that the grade workspace left out. `leaves`: a link that may lead out of the workspace."""

    path: str
    reason: ExcludedReason


class Grade(Record, tag_field="_type", tag="tallystick/grade/v1"):
    """The evidence of a check. `workspace` is the sealed tree, `graded` the tree that was checked.

    `judgement` is the digest of what the static judge measured; absent where the task names no judge, or none came of it.
    """

    task_hash: Sha
    workspace: Sha
    graded: Sha
    mode: GradeMode
    results: tuple[GradeResult, ...]
    excluded: Annotated[tuple[Excluded, ...], msgspec.Meta(max_length=limits.TREE_RECORDS)] = ()
    judgement: Sha | UnsetType = UNSET


class SpineEntry(Record):
    """One link of an attempt's lineage."""

    role: Literal["suite", "task", "workspace.base", "agent", "config", "cassette", "workspace.final", "grade"]
    digest: Sha


class Attempt(Record):
    """`index` of `of` attempts at one task, from 1."""

    index: Annotated[int, msgspec.Meta(ge=1, le=limits.ATTEMPTS)]
    of: Annotated[int, msgspec.Meta(ge=1, le=limits.ATTEMPTS)]

    def __post_init__(self) -> None:
        """An index lies within its count."""
        if self.index > self.of:
            raise ValueError(f"attempt {self.index} of {self.of}")


class Receipt(Record, tag_field="_type", tag="tallystick/receipt/v1"):
    """Journal and spine of one attempt. Two runs on the same inputs give byte-identical receipts."""

    run_id: Sha
    task_id: Id
    task_hash: Sha
    attempt: Attempt
    journal_head: Sha
    spine_head: Sha
    spine: tuple[SpineEntry, ...]
    events: Annotated[tuple[Event, ...], msgspec.Meta(max_length=limits.EVENTS_PER_ATTEMPT)]

    def link(self, role: str) -> Digest | None:
        """The digest of a role in the spine, or None."""
        return next((entry.digest for entry in self.spine if entry.role == role), None)


class RunId(Record, tag_field="_type", tag="tallystick/run-id/v1"):
    """What `run_id` is the digest of."""

    suite_hash: Sha
    agent: Sha
    config: Sha
    announcement: Sha | UnsetType = UNSET


def run_id_of(suite_hash: Digest, agent: Agent, config: Config) -> Digest:
    """The content-derived name of a run."""
    return digest_of(RunId(suite_hash=suite_hash, agent=digest_of(agent), config=digest_of(config)))


def spine_root(spine: tuple[SpineEntry, ...]) -> Digest:
    """`spine_head`: the Merkle root over the C1 bytes of the entries."""
    return merkle.root(c1.encode(entry) for entry in spine)


def parse_receipt(data: bytes) -> Receipt:
    """Read a receipt; errors as `records.base.parse`."""
    return parse(data, Receipt, limits.RECEIPT_BYTES)


def parse_grade(data: bytes) -> Grade:
    """Read a grade; errors as `records.base.parse`."""
    return parse(data, Grade)


def parse_agent(data: bytes) -> Agent:
    """Read an agent document; errors as `records.base.parse`."""
    return parse(data, Agent)


def parse_config(data: bytes) -> Config:
    """Read a config document; errors as `records.base.parse`."""
    return parse(data, Config)
