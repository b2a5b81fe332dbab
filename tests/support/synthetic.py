"""A tiny suite and honest bundles about it, made in memory: what attack tests start from.

`honest_run()` gives a `Run`, which can be changed member by member; `seal` makes every hash fit and signs, as a dishonest
submitter would. The `change_*` members of an attempt change its evidence after the claim was derived, so that the two no longer
fit. `edited` changes a finished bundle as it stands, `rehashed` hashes it again, `resigned` hashes and signs it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from io import BytesIO
from typing import Any, Literal

import msgspec

from tallystick.attest.bundle import AttemptEvidence, BundleInputs, blobs_of, build, sign
from tallystick.core import c1, limits
from tallystick.core.digest import Digest, sha256
from tallystick.records.base import UNSET, digest_of, write
from tallystick.records.blobs import BlobReader, ChainedBlobs, MemoryBlobs
from tallystick.records.bundle import Bundle, Observed, bundle_hash
from tallystick.records.containers import BlobView, BundleFile, open_bundle, receipts_of, write_bundle
from tallystick.records.evidence import (
    Agent,
    Attempt,
    Config,
    Grade,
    GradeResult,
    Receipt,
    SpineEntry,
    TestOutcome,
    run_id_of,
    spine_root,
)
from tallystick.records.journal import (
    AgentEnd,
    AgentStart,
    AttemptBegin,
    AttemptEnd,
    Event,
    GradeDone,
    ModelCall,
    OtherCall,
    WorkspaceSealed,
    journal_root,
)
from tallystick.records.judgement import Judgement
from tallystick.records.task import Command, Grader, SyntaxValid, Task
from tallystick.records.traffic.cassette import Call, Cassette
from tallystick.records.tree import Tree, compare_trees
from tallystick.suites.allowed import grade_tree
from tallystick.suites.instruction import instruction
from tallystick.trust.signing import Signer
from tests.support.tiny import LIMITS, SUITE, MemorySuite, files, make_suite

__all__ = [
    "CONFIG",
    "LIMITS",
    "SUITE",
    "MemorySuite",
    "Run",
    "attempt",
    "edited",
    "honest_run",
    "make_suite",
    "opened",
    "resigned",
    "seal",
    "signer",
]

ORACLE = Agent(adapter="oracle", name="oracle", self_test=True)
COMMAND = Agent(adapter="command", name="fake-agent", self_test=False, argv=("fake-agent",))
CONFIG = Config(sandbox="bwrap", network="none", policy="v1")
SUBMITTED_AT = 1_790_000_000


@cache
def signer(name: str = "submitter") -> Signer:
    """A signing key per name, the same for a whole test session."""
    del name  # the cache's key
    return Signer.generate()


def honest_results(task: Task, *, passes: bool = True) -> tuple[GradeResult, ...]:
    """What a grade pass would report of a workspace that does, or does not, what the task asks."""
    outcome: Literal["pass", "fail"] = "pass" if passes else "fail"
    results = []
    for check in task.assertions:
        if isinstance(check, SyntaxValid):
            results.append(GradeResult(assertion=check.id, outcome=outcome))
        elif isinstance(check, Command):
            results.append(GradeResult(assertion=check.id, outcome=outcome, exit=0 if passes else 1))
        elif isinstance(check, Grader):
            tests = tuple(TestOutcome(id=name, outcome=outcome) for name in check.tests)
            results.append(GradeResult(assertion=check.id, outcome=outcome, tests=tests))
    return tuple(results)


@dataclass
class AttemptParts:
    """One attempt before its hashes are made; change a member and seal the run again."""

    task: Task
    attempt: Attempt
    final: Tree
    results: tuple[GradeResult, ...]
    ending: AttemptEnd = field(default_factory=lambda: AttemptEnd(seq=0, outcome="graded"))
    agent_end: AgentEnd = field(default_factory=lambda: AgentEnd(seq=0, exit=0))
    observed: Any = field(default_factory=lambda: Observed(wall_ms=1500, cost_usd=0))
    tries: tuple[Receipt, ...] = ()
    cassette: Cassette | None = None
    judgement: Judgement | None = None
    change_events: Callable[[tuple[Event, ...]], tuple[Event, ...]] = lambda events: events
    change_spine: Callable[[tuple[SpineEntry, ...]], tuple[SpineEntry, ...]] = lambda spine: spine
    change_grade: Callable[[Grade], Grade] = lambda grade: grade
    change_receipt: Callable[[Receipt], Receipt] = lambda receipt: receipt


@dataclass
class Run:
    """A run before it is sealed."""

    suite: MemorySuite
    agent: Agent
    config: Config
    attempts: int
    parts: list[AttemptParts]
    blobs: MemoryBlobs
    tasks: tuple[str, ...] | None = None
    withheld: frozenset[Digest] = frozenset()

    def part(self, task_id: str, attempt_index: int = 1) -> AttemptParts:
        """The parts of one attempt."""
        return next(p for p in self.parts if p.task.id == task_id and p.attempt.index == attempt_index)

    def put(self, contents: Mapping[str, str]) -> Tree:
        """A tree of text files whose bytes the bundle will hold."""
        return files(self.blobs, contents)


def attempt(suite: MemorySuite, task: Task, index: int = 1, of: int = 1, *, passes: bool = True) -> AttemptParts:
    """An attempt that left the reference solution, or an untouched workspace."""
    final = suite.solved(task) if passes else suite.tree(task.workspace)
    return AttemptParts(task, Attempt(index=index, of=of), final, honest_results(task, passes=passes))


def honest_run(attempts: int = 1, *, agent: Agent = ORACLE, failing: tuple[str, ...] = (), suite: MemorySuite = SUITE) -> Run:
    """An honest run of the tiny suite; the tasks of `failing` do not pass."""
    parts = [
        attempt(suite, task, index, attempts, passes=task.id not in failing)
        for task in suite.tasks
        for index in range(1, attempts + 1)
    ]
    return Run(suite, agent, CONFIG, attempts, parts, MemoryBlobs())


def _events(run: Run, part: AttemptParts, grade: Digest) -> tuple[Event, ...]:
    task, ending = part.task, part.ending
    changes = compare_trees(run.suite.tree(task.workspace), part.final)
    added, modified, removed = len(changes.added), len(changes.modified), len(changes.removed)
    told = sha256(instruction(task).encode())
    events: list[Event] = [
        AttemptBegin(seq=0, task_hash=task.task_hash, workspace=task.workspace),
        AgentStart(seq=1, adapter=run.agent.adapter, instruction=told),
        *_called(part),
        msgspec.structs.replace(part.agent_end, seq=2),
        WorkspaceSealed(seq=3, tree=digest_of(part.final), added=added, modified=modified, removed=removed),
        GradeDone(seq=4, grade=grade),
    ]
    kept = len(events)
    if ending.outcome != "graded":
        sealed = ending.cause in {"grader_failed", "provider_failed"}
        kept = kept - 1 if sealed else 2 if ending.outcome == "infra_error" else 1
    events = [msgspec.structs.replace(event, seq=place) for place, event in enumerate(events[:kept])]
    return (*events, msgspec.structs.replace(ending, seq=len(events)))


def _called(part: AttemptParts) -> list[Event]:
    """What the journal says of the calls of a recording."""
    calls = () if part.cassette is None else part.cassette.calls
    return [_event_of(call) for call in calls]


def _event_of(call: Call) -> Event:
    said = {name: getattr(call, name) for name in ("call", "request", "status", "answer", "complete")}
    return OtherCall(seq=0, **said) if call.api == "other" else ModelCall(seq=0, api=call.api, **said)


def evidence_of(run: Run, part: AttemptParts, *, changed: bool = True) -> AttemptEvidence:
    """The receipt and grade of an attempt, hashes made to fit; its documents and files go into the run's blobs.

    Without `changed` the `change_*` members are left aside: the evidence from which the claim is derived.
    """
    task, base = part.task, run.suite.tree(part.task.workspace)
    graded, excluded = grade_tree(task, base, part.final)
    grade = Grade(
        task_hash=task.task_hash,
        workspace=digest_of(part.final),
        graded=digest_of(graded),
        excluded=excluded,
        mode=task.grading.mode,
        results=part.results,
        judgement=UNSET if part.judgement is None else digest_of(part.judgement),
    )
    grade = part.change_grade(grade) if changed else grade
    events = _events(run, part, digest_of(grade))
    events = part.change_events(events) if changed else events
    spine = _spine(run, part, events)
    spine = part.change_spine(spine) if changed else spine
    receipt = Receipt(
        run_id=run_id_of(run.suite.suite_hash, run.agent, run.config),
        task_id=task.id,
        task_hash=task.task_hash,
        attempt=part.attempt,
        journal_head=journal_root(events),
        spine_head=spine_root(spine),
        spine=spine,
        events=events,
    )
    receipt = part.change_receipt(receipt) if changed else receipt
    _keep(run, part, grade, graded)
    has_grade = any(isinstance(event, GradeDone) for event in events)
    return AttemptEvidence(
        receipt=receipt,
        grade=grade if has_grade else None,
        observed=part.observed,
        tries=part.tries,
        cassette=part.cassette,
    )


def _spine(run: Run, part: AttemptParts, events: tuple[Event, ...]) -> tuple[SpineEntry, ...]:
    task = part.task
    links = [
        SpineEntry(role="suite", digest=run.suite.suite_hash),
        SpineEntry(role="task", digest=task.task_hash),
        SpineEntry(role="workspace.base", digest=task.workspace),
        SpineEntry(role="agent", digest=digest_of(run.agent)),
        SpineEntry(role="config", digest=digest_of(run.config)),
    ]
    for event in events:
        if isinstance(event, AgentEnd) and part.cassette is not None:
            links.append(SpineEntry(role="cassette", digest=sha256(write(part.cassette, limits.RECEIPT_BYTES))))
        elif isinstance(event, WorkspaceSealed):
            links.append(SpineEntry(role="workspace.final", digest=event.tree))
        elif isinstance(event, GradeDone):
            links.append(SpineEntry(role="grade", digest=event.grade))
    return tuple(links)


def _keep(run: Run, part: AttemptParts, grade: Grade, graded: Tree) -> None:
    for document in (run.agent, run.config, part.final, graded, grade):
        run.blobs.put(write(document))
    if part.judgement is not None:
        run.blobs.put(write(part.judgement))
    if part.cassette is not None:
        run.blobs.put(write(part.cassette, limits.RECEIPT_BYTES))
    everything = ChainedBlobs(run.blobs, run.suite.blobs)
    for record in part.final.records:
        if record.digest is not UNSET:
            run.blobs.put(everything.read(record.digest))


def inputs_of(run: Run, *, changed: bool = False) -> BundleInputs:
    """What `attest` builds the bundle of a run from, or with `changed` the evidence that the file holds instead."""
    return BundleInputs(
        suite=run.suite.document,
        agent=run.agent,
        config=run.config,
        evidence=tuple(evidence_of(run, part, changed=changed) for part in run.parts),
        attempts=run.attempts,
        submitted_at=SUBMITTED_AT,
        harness_version="0.1.0",
        blobs=run.blobs,
        suite_blobs=run.suite.blobs,
        tasks=run.tasks,
        withheld=run.withheld,
    )


@dataclass(frozen=True)
class Sealed:
    """A bundle with its receipts embedded, and the blobs that belong to it."""

    bundle: Bundle
    digests: frozenset[Digest]
    blobs: BlobReader
    suite: MemorySuite = SUITE


def seal(run: Run, by: Signer | None = None, *, signed: bool = True) -> Sealed:
    """The bundle of a run: a claim derived from the evidence, the evidence as changed by `change_*`, and a signature."""
    bundle, changed = build(inputs_of(run)), inputs_of(run, changed=True)
    results = tuple(
        msgspec.structs.replace(result, receipt=one.receipt, receipt_hash=digest_of(one.receipt))
        for result, one in zip(bundle.task_results, changed.evidence, strict=True)
    )
    bundle = msgspec.structs.replace(bundle, task_results=results)
    bundle = msgspec.structs.replace(bundle, bundle_hash=bundle_hash(bundle))
    return Sealed(sign(bundle, by or signer()) if signed else bundle, blobs_of(changed), run.blobs, run.suite)


def edited(sealed: Sealed, **members: Any) -> Sealed:
    """The bundle with members changed as it stands: nothing is hashed or signed again."""
    return replace(sealed, bundle=msgspec.structs.replace(sealed.bundle, **members))


def rehashed(sealed: Sealed, **members: Any) -> Sealed:
    """The bundle with members changed and its `bundle_hash` made to fit, the old signature kept."""
    bundle = msgspec.structs.replace(sealed.bundle, **members)
    return replace(sealed, bundle=msgspec.structs.replace(bundle, bundle_hash=bundle_hash(bundle)))


def resigned(sealed: Sealed, by: Signer | None = None, **members: Any) -> Sealed:
    """The bundle with members changed, hashed and signed again."""
    return replace(sealed, bundle=sign(msgspec.structs.replace(sealed.bundle, **members), by or signer()))


def with_result(sealed: Sealed, place: int, **members: Any) -> tuple[Any, ...]:
    """`task_results` with members of one result changed."""
    results = list(sealed.bundle.task_results)
    results[place] = msgspec.structs.replace(results[place], **members)
    return tuple(results)


def file_bytes(sealed: Sealed, container: str = "json") -> bytes:
    """The bundle's file."""
    view = BlobView(sealed.digests, sealed.blobs)
    written = write_bundle(sealed.bundle, receipts_of(sealed.bundle), view, container)  # type: ignore[arg-type]
    return b"".join(written.chunks)


def opened(sealed: Sealed, container: str = "json") -> BundleFile:
    """The bundle, written to its file and opened again."""
    return open_bundle(BytesIO(file_bytes(sealed, container)))


def document(data: bytes) -> Any:
    """The tree of a `.json` bundle, for edits that no typed value can hold."""
    return c1.loads(data, len(data))
