"""Makes the bundle of a run: verdicts and numbers derived from evidence with the functions that a verifier uses, then signed.

Specification: docs/spec/bundle.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import msgspec

from tallystick.core.digest import EMPTY, Digest
from tallystick.core.errors import TallyError
from tallystick.core.exact import to_num
from tallystick.records.base import UNSET, UnsetType, digest_of
from tallystick.records.blobs import BlobReader, ChainedBlobs
from tallystick.records.bundle import Bundle, Harness, Observed, SchedulerConfig, Submitter, TaskResult, Try, bundle_hash
from tallystick.records.evidence import Agent, Config, Grade, Receipt
from tallystick.records.journal import WorkspaceSealed, coordination_root
from tallystick.records.judgement import parse_judgement
from tallystick.records.opinion import Opinion
from tallystick.records.task import Suite, Task
from tallystick.records.traffic.cassette import Cassette, parse_cassette
from tallystick.records.tree import Tree, parse_tree
from tallystick.scoring.coordination import coordinate
from tallystick.scoring.evidence import exchange_blobs, named_blobs
from tallystick.scoring.portable import Workspaces
from tallystick.scoring.quality import judged_quality
from tallystick.scoring.totals import Scored, Summary, summarise, telemetry_problem
from tallystick.scoring.verdict import Verdict, derive, event_of
from tallystick.suites.allowed import grade_tree
from tallystick.trust.jws import BUNDLE_TYP
from tallystick.trust.signing import Signer

__all__ = ["AttemptEvidence", "BundleInputs", "IncompleteRunError", "blobs_of", "build", "sign"]

HARNESS = "tallystick"


class IncompleteRunError(TallyError):
    """Attempts that are not exactly the declared ones, or evidence that does not hang together."""


@dataclass(frozen=True, slots=True)
class AttemptEvidence:
    """What one attempt left: its receipt, and where there are such: grade, measurements, earlier tries, recording."""

    receipt: Receipt
    grade: Grade | None = None
    observed: Observed | UnsetType = UNSET
    tries: tuple[Receipt, ...] = ()
    cassette: Cassette | None = None
    opinion: Opinion | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class BundleInputs:
    """Everything a bundle is made of.

    `evidence` has one entry per task (in suite order) and attempt. `blobs` has what receipts name; `suite_blobs` the files of
    the suite, which portable assertions compare with. `tasks` names the tasks of a partial run. `submitted_at` is in seconds
    since 1970.
    """

    suite: Suite
    agent: Agent
    config: Config
    evidence: tuple[AttemptEvidence, ...]
    attempts: int
    submitted_at: int
    harness_version: str
    blobs: BlobReader
    suite_blobs: BlobReader
    tasks: tuple[str, ...] | None = None
    withheld: frozenset[Digest] = field(default_factory=frozenset)

    @property
    def run_tasks(self) -> tuple[Task, ...]:
        """The tasks that were run, in suite order."""
        wanted = None if self.tasks is None else set(self.tasks)
        return tuple(task for task in self.suite.tasks if wanted is None or task.id in wanted)


def build(inputs: BundleInputs) -> Bundle:
    """The unsigned bundle of a run, receipts embedded, without blobs.

    Raises:
        IncompleteRunError: the evidence is not exactly that of the declared attempts, in order.
        EvidenceError, TelemetryError: evidence from which no verdict or total follows.
        MissingBlobError: a document or file that a verdict needs is not in the blobs.
    """
    _check_coverage(inputs)
    scored = list(_scored(inputs))
    results = tuple(_result(one, each.verdict) for one, each in zip(inputs.evidence, scored, strict=True))
    bundle = _assemble(inputs, results, summarise(len(inputs.run_tasks), scored))
    return _hashed(bundle)


def _quality(task: Task, one: AttemptEvidence, blobs: BlobReader) -> Fraction | None:
    """What the judgement of an attempt is worth, or None for an unjudged one."""
    named = UNSET if one.grade is None else one.grade.judgement
    judgement = None if named is UNSET else parse_judgement(blobs.read(named))
    return judged_quality(task, judgement, None if one.opinion is UNSET else one.opinion)


def _check_coverage(inputs: BundleInputs) -> None:
    wanted = [(task.id, index) for task in inputs.run_tasks for index in range(1, inputs.attempts + 1)]
    found = [(one.receipt.task_id, one.receipt.attempt.index) for one in inputs.evidence]
    if not wanted or wanted != found:
        raise IncompleteRunError(f"a bundle needs {len(wanted)} attempts in suite order; {len(found)} were given")
    for one in inputs.evidence:
        problem = telemetry_problem(one.observed)
        if problem:
            raise IncompleteRunError(f"{one.receipt.task_id} attempt {one.receipt.attempt.index}: {problem}")


def _scored(inputs: BundleInputs) -> Iterator[Scored]:
    tasks = {task.id: task for task in inputs.suite.tasks}
    trees = {digest_of(tree): tree for tree in inputs.suite.trees}
    contents = ChainedBlobs(inputs.blobs, inputs.suite_blobs)
    for one in inputs.evidence:
        task = tasks[one.receipt.task_id]
        verdict = derive(task, one.receipt, one.grade, _workspaces(task, trees[task.workspace], one, contents))
        yield Scored(verdict, one.observed, _quality(task, one, inputs.blobs))


def _workspaces(task: Task, base: Tree, one: AttemptEvidence, blobs: BlobReader) -> Workspaces | None:
    sealed = event_of(one.receipt, WorkspaceSealed)
    if sealed is None or one.grade is None:
        return None
    final = parse_tree(blobs.read(sealed.tree))
    graded, excluded = grade_tree(task, base, final)
    if digest_of(graded) != one.grade.graded or excluded != one.grade.excluded:
        where = f"{one.receipt.task_id} attempt {one.receipt.attempt.index}"
        raise IncompleteRunError(f"{where}: the grade speaks of another workspace than the task allows")
    return Workspaces(base=base, final=final, graded=graded, refused_total=sealed.refused_total, blobs=blobs)


def _result(one: AttemptEvidence, verdict: Verdict) -> TaskResult:
    receipt = one.receipt
    return TaskResult(
        task_id=receipt.task_id,
        task_hash=receipt.task_hash,
        attempt=receipt.attempt,
        receipt_hash=digest_of(receipt),
        passed=verdict.passed,
        score=to_num(verdict.score),
        harness_output=verdict.output,
        receipt=receipt,
        tries=tuple(Try(receipt_hash=digest_of(earlier), receipt=earlier) for earlier in one.tries),
        observed=one.observed,
        opinion=one.opinion,
    )


def _assemble(inputs: BundleInputs, results: tuple[TaskResult, ...], summary: Summary) -> Bundle:
    roots: dict[str, list[Digest]] = {}
    for one in inputs.evidence:
        roots.setdefault(one.receipt.task_id, []).append(coordination_root(one.receipt.events))
    partial = tuple(task.id for task in inputs.run_tasks)
    return Bundle(
        bundle_hash=EMPTY,
        suite_hash=inputs.suite.suite_hash,
        suite_version=inputs.suite.version,
        submitted_at=inputs.submitted_at,
        scheduler_config=SchedulerConfig(attempts=inputs.attempts, order="suite"),
        agent=inputs.agent,
        harness=Harness(name=HARNESS, version=inputs.harness_version),
        config=inputs.config,
        totals=summary.totals,
        overall_score=summary.overall_score,
        pass_rate=summary.pass_rate,
        interval=summary.interval,
        components=summary.components,
        coordination=coordinate(roots),
        task_results=results,
        partial=UNSET if len(partial) == len(inputs.suite.tasks) else partial,
        withheld=tuple(sorted(inputs.withheld & _named(inputs))) if inputs.withheld else (),
    )


def _hashed(bundle: Bundle) -> Bundle:
    return msgspec.structs.replace(bundle, bundle_hash=bundle_hash(bundle))


def sign(bundle: Bundle, signer: Signer) -> Bundle:
    """The bundle as a claim of `signer`: its thumbprint goes into the bundle before the bundle is hashed and signed."""
    kid = signer.public.kid
    claimed = _hashed(msgspec.structs.replace(bundle, submitter=Submitter(kid=kid)))
    return msgspec.structs.replace(
        claimed,
        signature=signer.sign(BUNDLE_TYP, claimed.bundle_hash.encode("ascii")),
        signer_fingerprint=kid,
        signer_jwk=signer.public.jwk,
    )


def blobs_of(inputs: BundleInputs) -> frozenset[Digest]:
    """Digests of the blobs that the bundle's container holds: those its receipts name, less the withheld ones.

    Raises:
        MissingBlobError: a tree document is not in the blobs.
    """
    return _named(inputs) - inputs.withheld


def _named(inputs: BundleInputs) -> frozenset[Digest]:
    """The blobs that receipts name. What only a withheld document names is none: nobody could tell what it is for."""
    named: set[Digest] = set()
    for one in inputs.evidence:
        final, grade, cassette = (one.receipt.link(role) for role in ("workspace.final", "grade", "cassette"))
        tree = None if final is None or final in inputs.withheld else parse_tree(inputs.blobs.read(final))
        named.update(
            named_blobs(
                one.receipt,
                tree,
                None if grade in inputs.withheld else one.grade,
                one.observed,
                None if cassette in inputs.withheld else one.cassette,
            )
        )
        exchange = None if one.opinion is UNSET or one.opinion.cassette in inputs.withheld else one.opinion.cassette
        recorded = None if exchange is None else parse_cassette(inputs.blobs.read(exchange))
        named.update(exchange_blobs(one.opinion, recorded))
    return frozenset(named)
