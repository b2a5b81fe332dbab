"""What a verification knows while it goes from step to step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import TallyError
from tallystick.records.base import UNSET, digest_of
from tallystick.records.blobs import BlobReader, ChainedBlobs
from tallystick.records.bundle import Bundle, TaskResult
from tallystick.records.containers import BundleFile
from tallystick.records.evidence import Excluded, Grade, Receipt, run_id_of
from tallystick.records.judgement import Judgement, Size
from tallystick.records.report import Level, Status, Step
from tallystick.records.task import Task
from tallystick.records.traffic.cassette import Cassette
from tallystick.records.traffic.usage import Answered
from tallystick.records.tree import Difference, Tree, apply_overlay, compare_trees, parse_tree, tree_digest
from tallystick.scoring.verdict import Verdict
from tallystick.suites.allowed import grade_tree
from tallystick.suites.changed import byte_measures, reference_of
from tallystick.suites.instruction import instruction
from tallystick.verify.ports import ReaderSuite, VerifyOptions

__all__ = ["Evidence", "Finding", "RefusedError", "RowState", "SealedWorkspace", "TaskFacts", "Verification"]


class RefusedError(TallyError):
    """A step that a row or the bundle does not pass. Raised inside `verify` only, and always turned into a finding."""

    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Finding:
    """Where verification failed, and why."""

    step: Step
    status: Status
    reason: str


class SealedWorkspace:
    """A final workspace of one task and what follows from it; made once for all attempts that left the same files."""

    def __init__(self, tree: Tree, facts: TaskFacts) -> None:
        self.tree = tree
        self._facts = facts
        self._measured: dict[str, Any] | None = None

    @cached_property
    def _grade_tree(self) -> tuple[Tree, tuple[Excluded, ...]]:
        return grade_tree(self._facts.task, self._facts.base, self.tree)

    @property
    def graded(self) -> Tree:
        """The tree that is checked."""
        return self._grade_tree[0]

    @property
    def excluded(self) -> tuple[Excluded, ...]:
        """What the grade workspace left out."""
        return self._grade_tree[1]

    @cached_property
    def graded_digest(self) -> Digest:
        """Digest of the tree that is checked."""
        return tree_digest(self.graded)

    @cached_property
    def difference(self) -> Difference:
        """What changed against the base workspace."""
        return compare_trees(self._facts.base, self.tree)

    def byte_measures(self, blobs: BlobReader) -> dict[str, Any]:
        """The members of a judgement of it that are functions of bytes. Raises `MissingBlobError`."""
        if self._measured is None:
            facts = self._facts
            self._measured = byte_measures(facts.base, self.graded, self.excluded, facts.reference_size, blobs)
        return self._measured


class TaskFacts:
    """A task of the reader's suite and what follows from it, for all its attempts."""

    _KEPT = 8
    """Final workspaces kept: attempts of one task stand together, and many leave the same files."""

    def __init__(self, task: Task, suite: ReaderSuite) -> None:
        self.task = task
        self._suite = suite
        self._sealed: dict[Digest, SealedWorkspace] = {}

    @cached_property
    def base(self) -> Tree:
        """The base workspace."""
        return self._suite.tree(self.task.workspace)

    @cached_property
    def instruction(self) -> Digest:
        """Digest of the text an agent is given."""
        return sha256(instruction(self.task).encode())

    @cached_property
    def reference(self) -> Digest | None:
        """Digest of the workspace that the reference solution makes, or None without one."""
        solution = self.task.solution
        if solution is UNSET:
            return None
        return digest_of(apply_overlay(self.base, self._suite.tree(solution.tree), solution.removes))

    @cached_property
    def reference_size(self) -> Size | None:
        """How much the reference solution changes, or None without one."""
        solution = self.task.solution
        tree = None if solution is UNSET else self._suite.tree(solution.tree)
        return reference_of(self.task, self.base, tree, self._suite.blobs)

    def sealed(self, digest: Digest, blobs: BlobReader) -> SealedWorkspace:
        """The final workspace of `digest`. Errors as `parse_tree` and `MissingBlobError`."""
        found = self._sealed.get(digest)
        if found is None:
            found = SealedWorkspace(parse_tree(blobs.read(digest)), self)
            if len(self._sealed) >= self._KEPT:
                self._sealed.pop(next(iter(self._sealed)))
            self._sealed[digest] = found
        return found


@dataclass(slots=True)
class Evidence:
    """What a row's steps look at while it is its turn; dropped afterwards, so that memory stays flat."""

    facts: TaskFacts
    receipt: Receipt
    tries: tuple[Receipt, ...]
    sealed: SealedWorkspace | None = None
    grade: Grade | None = None
    cassette: Cassette | None = None
    judgement: Judgement | None = None
    exchange: Cassette | None = None
    """The recorded interview of a model judge."""
    withheld: Digest | None = None
    """A document without which no verdict can be derived, where the bundle withholds one."""


@dataclass(slots=True)
class RowState:
    """What is known of one attempt at one task."""

    task_id: str
    attempt: int
    result: TaskResult | None = None
    finding: Finding | None = None
    level: Level = Level.claimed
    verdict: Verdict | None = None
    coordination: Digest | None = None
    journal: Digest | None = None
    asked: int = 0
    """Calls to models in its journal."""
    cassette: bool = False
    """Whether the recording of its calls is in the file."""
    cached: int | None = None
    """The first call that a response cache answered, where there is such."""
    final: Digest | None = None
    grade: Digest | None = None
    refused_total: int = 0
    equals_reference: bool | None = None
    quality: Fraction | None = None
    """What counts as its quality; None for an attempt that is not judged."""
    opinion: Fraction | None = None
    """What a model judge's scores are worth; None without any."""
    in_process: bool = False
    recorded: bool = False
    """Whether a recording of its model calls was opened and is the journal's."""
    unreplayable: str = ""
    """Why the attempt cannot be run again on its recording, where that is known without trying."""
    note: str = ""

    def refuse(self, step: Step, status: Status, reason: str) -> None:
        """Record the first failure; later ones do not replace it."""
        if self.finding is None:
            self.finding = Finding(step, status, reason)


@dataclass
class Verification:
    """One verification under way."""

    file: BundleFile
    suite: ReaderSuite
    options: VerifyOptions
    rows: list[RowState] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: dict[Step, str] = field(default_factory=dict)
    skipped: set[Step] = field(default_factory=set)
    named: set[Digest] = field(default_factory=set)
    broken: dict[Digest, str] = field(default_factory=dict)
    """Blobs that were read and whose bytes are not those of their digest; see `breakage`."""
    told: dict[tuple[str, str, Digest], Answered] = field(default_factory=dict)
    """What answers say of themselves, by api, content type and digest."""
    body_bytes: int = 0
    """Bytes of request bodies that the recordings so far put together."""
    answers: dict[Digest, str] = field(default_factory=dict)
    """The attempt in which a model's answer was seen first: no answer counts in two."""
    _read: set[Digest] = field(default_factory=set)
    signer: str = "none"

    @property
    def bundle(self) -> Bundle:
        """The claim, without receipts and blobs."""
        return self.file.bundle

    @cached_property
    def facts(self) -> dict[str, TaskFacts]:
        """The reader's tasks by id."""
        return {task.id: TaskFacts(task, self.suite) for task in self.suite.tasks}

    @cached_property
    def contents(self) -> BlobReader:
        """File contents: from the bundle, else from the suite."""
        return ChainedBlobs(self.file, self.suite.blobs)

    @cached_property
    def withheld(self) -> frozenset[Digest]:
        """Blobs that the bundle says it does not hold."""
        return frozenset(self.bundle.withheld)

    @cached_property
    def agent(self) -> Digest:
        """Digest of the bundle's agent document."""
        return digest_of(self.bundle.agent)

    @cached_property
    def config(self) -> Digest:
        """Digest of the bundle's config document."""
        return digest_of(self.bundle.config)

    @cached_property
    def run_id(self) -> Digest:
        """The run that every receipt belongs to."""
        return run_id_of(self.bundle.suite_hash, self.bundle.agent, self.bundle.config)

    def note(self, step: Step, text: str) -> None:
        """Add to what is said of a step, once."""
        said = self.notes.get(step, "")
        if text not in said:
            self.notes[step] = f"{said}; {text}" if said else text

    def breakage(self, digest: Digest) -> str | None:
        """What was found where a blob's bytes are not those of its digest. Reads each blob once, and only those asked for."""
        if digest not in self._read and digest in self.file.sizes:
            self._read.add(digest)
            try:
                self.file.read(digest)
            except TallyError as error:
                self.broken[digest] = str(error)
        return self.broken.get(digest)

    def verified_rows(self) -> Iterator[RowState]:
        """Rows of which nothing failed."""
        return (row for row in self.rows if row.finding is None)
