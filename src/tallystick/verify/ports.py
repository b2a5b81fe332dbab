"""What a verification is given besides the file: the reader's suite, its options, and somebody who can run graders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from tallystick.core.digest import Digest
from tallystick.core.errors import TallyError
from tallystick.records.blobs import BlobReader
from tallystick.records.evidence import Grade, Receipt
from tallystick.records.opinion import ModelRubric
from tallystick.records.report import Level
from tallystick.records.task import Task
from tallystick.records.traffic.cassette import Cassette
from tallystick.records.traffic.prices import PriceTable
from tallystick.records.traffic.rules import RuleSet
from tallystick.records.tree import Tree
from tallystick.trust.policy import SignerPolicy

__all__ = [
    "CannotRegradeError",
    "CannotReplayError",
    "ReaderSuite",
    "RegradeFailedError",
    "Regrader",
    "Replayed",
    "Replayer",
    "VerifyOptions",
]


class CannotRegradeError(TallyError):
    """The graders cannot be run here; the message says why and what would help."""


class RegradeFailedError(TallyError):
    """The graders were started here and gave no grade for these files; the message says how they ended."""


class CannotReplayError(TallyError):
    """The agent cannot be run again here; the message says why and what would help."""


class ReaderSuite(Protocol):
    """A suite from the reader, never from the bundle (`suites.loading.LoadedSuite`)."""

    @property
    def version(self) -> str:
        """Its name."""
        ...

    @property
    def suite_hash(self) -> Digest:
        """Its content-derived name."""
        ...

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Its tasks, in order."""
        ...

    @property
    def blobs(self) -> BlobReader:
        """The contents of its files."""
        ...

    def tree(self, digest: Digest) -> Tree:
        """A tree that its tasks name."""
        ...


class Regrader(Protocol):
    """Runs the graders of the reader's suite again, in the reader's sandboxes."""

    def regrade(self, task: Task, final: Tree, refused_total: int, blobs: BlobReader) -> Grade:
        """Grade the sealed workspace `final` as the grade pass of an attempt does.

        Raises:
            CannotRegradeError: not on this machine, whatever the files.
            RegradeFailedError: with these files the graders came to no grade.
            MissingBlobError: a file of the workspace was withheld.
        """
        ...


@dataclass(frozen=True, slots=True)
class Replayed:
    """How an attempt came out on its recorded answers. `difference` is empty where the receipts are byte for byte the same."""

    difference: str
    spans: int
    """Places of its requests that declared rules touched; 0 means that the bytes' meaning was equal as it stood."""
    leaks: int = 0
    """Renamed values that stand in a later answer and are declared no handle: then equality is chance."""


class Replayer(Protocol):
    """Runs the agent's program again, in the reader's sandbox, on recorded answers and nothing else."""

    def replay(self, task: Task, receipt: Receipt, cassette: Cassette, blobs: BlobReader) -> Replayed:
        """One attempt from its start to its receipt.

        Raises:
            CannotReplayError: not on this machine: no such program, other pins, no sandbox.
        """
        ...


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """What the reader asks for.

    `level` is how far to go; `demand` is the least level with which the reader is content: a row that stays below it because
    it could not be graded again is NOT_REGRADED instead of MATCH.
    """

    policy: SignerPolicy = field(default_factory=SignerPolicy)
    level: Level = Level.regraded
    require_trusted_signer: bool = False
    rules: Mapping[Digest, RuleSet] = field(default_factory=dict)
    """Rule sets of the reader's own adapters, by digest; a bundle brings none."""
    prices: Mapping[Digest, PriceTable] = field(default_factory=dict)
    """Price tables that the reader has, by digest."""
    rubrics: Mapping[Digest, ModelRubric] = field(default_factory=dict)
    """Rubrics for model judges that the reader has, by digest."""
    demand: Level = Level.claimed
