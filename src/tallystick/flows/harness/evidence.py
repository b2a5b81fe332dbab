"""From the attempts of a verified bundle to what the golden score takes: verdict, measurements, and why one failed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from tallystick.core.digest import Digest
from tallystick.flows.harness.baselines import Baselines
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.blobs import ChainedBlobs, MissingBlobError
from tallystick.records.bundle import Observed, TaskResult
from tallystick.records.containers import BundleFile
from tallystick.records.evidence import Grade, Receipt, parse_grade
from tallystick.records.journal import AgentEnd, AttemptEnd, WorkspaceSealed
from tallystick.records.judgement import Judgement, parse_judgement
from tallystick.records.task import Task, Tier
from tallystick.records.traffic.cassette import parse_cassette
from tallystick.records.tree import Tree, parse_tree
from tallystick.scoring.clues import Attempted, clues_of_attempt
from tallystick.scoring.evaluated import Rated, unattempted
from tallystick.scoring.golden import measured
from tallystick.scoring.portable import Workspaces
from tallystick.scoring.quality import judged_quality
from tallystick.scoring.taxonomy import Failure, classify
from tallystick.scoring.verdict import event_of, has_crashed
from tallystick.suites.loaded import LoadedSuite, overlaid
from tallystick.suites.stdlib_names import STDLIB_NAMES

__all__ = ["EvidenceReader", "rate_bundle", "rate_result"]

T = TypeVar("T")


@dataclass
class EvidenceReader:
    """One opened bundle whose verdicts were verified, and the reader's suite."""

    file: BundleFile
    suite: LoadedSuite
    baselines: Baselines
    _references: dict[str, Tree | None] = field(default_factory=dict)

    def attempted(self, task: Task, result: TaskResult, receipt: Receipt) -> Attempted:
        """The evidence of an attempt that did not pass."""
        agent, end = event_of(receipt, AgentEnd), event_of(receipt, AttemptEnd)
        grade = self._grade(receipt)
        return Attempted(
            task=task,
            at=self._workspaces(task, receipt, grade),
            grade=grade,
            failed=result.harness_output.failed,
            limit=_set(agent.limit) if agent else None,
            exit=_set(agent.exit) if agent else None,
            signal=_set(agent.signal) if agent else None,
            cause=_set(end.cause) if end else None,
            baseline=None if grade is None else self.baselines.of(self.suite, task),
            reference=self._reference(task),
            outputs=tuple(self._outputs(result)),
            traffic=self._traffic(receipt),
            library=STDLIB_NAMES,
        )

    def quality(self, task: Task, result: TaskResult, receipt: Receipt) -> Fraction | None:
        """What counts as the quality of an attempt; None for an unjudged one, and where the bundle withholds the judgement."""
        if not self.file.bundle.components.judged:  # verified with the rest: nothing judged an attempt
            return None
        opinion = None if result.opinion is UNSET else result.opinion
        return judged_quality(task, self._judgement(receipt), opinion)

    def _judgement(self, receipt: Receipt) -> Judgement | None:
        grade = self._grade(receipt)
        if grade is None or grade.judgement is UNSET or grade.judgement in self.file.bundle.withheld:
            return None
        return parse_judgement(self.file.read(grade.judgement))

    def _grade(self, receipt: Receipt) -> Grade | None:
        digest = receipt.link("grade")
        return None if digest is None else parse_grade(self.file.read(digest))

    def _workspaces(self, task: Task, receipt: Receipt, grade: Grade | None) -> Workspaces | None:
        sealed = event_of(receipt, WorkspaceSealed)
        if sealed is None or grade is None:
            return None
        final = parse_tree(self.file.read(sealed.tree))
        graded = final if grade.graded == sealed.tree else parse_tree(self.file.read(grade.graded))
        blobs = ChainedBlobs(self.file, self.suite.blobs)
        return Workspaces(self.suite.tree(task.workspace), final, graded, sealed.refused_total, blobs)

    def _reference(self, task: Task) -> Tree | None:
        if task.id not in self._references:
            solution = task.solution
            self._references[task.id] = None if solution is UNSET else overlaid(self.suite, task, solution)
        return self._references[task.id]

    def _outputs(self, result: TaskResult) -> Iterator[tuple[str, bytes]]:
        named = () if result.observed is UNSET else result.observed.outputs
        for name, digest in named:
            if name.startswith("grade."):
                yield from ((name, data) for data in self._blob(digest))

    def _traffic(self, receipt: Receipt) -> tuple[bytes, ...] | None:
        """Answers, and what later requests add to earlier ones: the agent's tool calls and their results stand there."""
        digest = receipt.link("cassette")
        if digest is None or digest not in self.file.sizes:
            return None
        calls = parse_cassette(self.file.read(digest)).calls
        wanted = [call.body.part for call in calls if call.body.base is not UNSET] + [call.answer for call in calls]
        return tuple(data for each in wanted for data in self._blob(each))

    def _blob(self, digest: Digest) -> Iterator[bytes]:
        try:
            yield self.file.read(digest)
        except MissingBlobError:
            return


def _set(value: T | UnsetType) -> T | None:
    return None if isinstance(value, UnsetType) else value


def rate_bundle(reader: EvidenceReader, tiers: frozenset[Tier], source: int) -> Iterator[Rated]:
    """Every attempt that the suite's tasks of `tiers` ask for; those that a partial run leaves out count as not passed."""
    bundle = reader.file.bundle
    tasks = {task.id: task for task in reader.suite.tasks if task.tier in tiers}
    attempts = bundle.scheduler_config.attempts
    seen = set[str]()
    for result in bundle.task_results:
        task = tasks.get(result.task_id)
        if task is not None:
            seen.add(task.id)
            yield rate_result(reader, task, result, source)
    for task in tasks.values():
        if task.id not in seen:
            for index in range(1, attempts + 1):
                yield unattempted(task.id, task.tier, index, source, "left out of a partial run")


def rate_result(reader: EvidenceReader, task: Task, result: TaskResult, source: int) -> Rated:
    """One attempt of a verified bundle."""
    receipt = reader.file.receipt(result.receipt_hash)
    return Rated(
        task_id=task.id,
        tier=task.tier,
        attempt=result.attempt.index,
        passed=result.passed,
        measured=measured(result.observed),
        source=source,
        missing=tuple(_missing(result.observed)),
        crashed=has_crashed(receipt),
        quality=reader.quality(task, result, receipt),
        failure=None if result.passed else _failure(reader, task, result, receipt),
    )


def _missing(observed: Observed | UnsetType) -> Iterator[str]:
    if observed is UNSET:
        yield "all"
    elif observed.cost_usd is UNSET:
        yield "cost_usd"


def _failure(reader: EvidenceReader, task: Task, result: TaskResult, receipt: Receipt) -> Failure:
    return classify(clues_of_attempt(reader.attempted(task, result, receipt)))
