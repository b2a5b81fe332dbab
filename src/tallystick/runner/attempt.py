"""One attempt, phase by phase: base workspace, agent, seal, grade pass, receipt; none writes into an earlier document."""

from __future__ import annotations

import dataclasses
import threading
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import TallyError
from tallystick.core.limits import RECEIPT_BYTES
from tallystick.recording.blobs import BlobStore
from tallystick.recording.journal import Journal
from tallystick.records.base import UNSET, UnsetType, digest_of, write
from tallystick.records.blobs import ChainedBlobs
from tallystick.records.bundle import Observed
from tallystick.records.evidence import Attempt, Config, Receipt, SpineEntry, run_id_of, spine_root
from tallystick.records.journal import (
    AgentEnd,
    AgentStart,
    AttemptBegin,
    AttemptEnd,
    Cause,
    GradeDone,
    WorkspaceSealed,
    journal_root,
    provider_failed,
)
from tallystick.records.task import Task
from tallystick.records.tree import Overlay, Tree, compare_trees
from tallystick.runner.adapters import Adapter, Launch
from tallystick.runner.gitseed import git_files
from tallystick.runner.grading import GradeFailedError, GradePass, GradePasser, task_limits
from tallystick.runner.interpreter import installed_packages
from tallystick.runner.models import DECISIONS, EitherStop, Models, Opened, note_traffic, used_of
from tallystick.runner.presets import fill_token
from tallystick.runner.workspace import Sealed, filler, seal, seal_records
from tallystick.sandbox.spec import Cancel, Outcome, Sandbox, SandboxError, SandboxUnavailableError, Spec
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import LoadedSuite, overlaid

if TYPE_CHECKING:
    from tallystick.recording.gateway import Traffic  # as in models

__all__ = [
    "AttemptDone",
    "CancelledError",
    "DivergedError",
    "Workbench",
    "interrupted_receipt",
    "refused_receipt",
    "run_attempt",
]


class CancelledError(TallyError):
    """The run was stopped while the attempt was under way; nothing of it counts."""


class DivergedError(TallyError):
    """An attempt that is run again on recorded answers asked for something else; the message names call and place."""


@dataclass(frozen=True)
class Workbench:
    """Everything an attempt needs that is the same for a whole run."""

    suite: LoadedSuite
    adapter: Adapter
    config: Config
    sandbox: Sandbox
    grader: GradePasser
    store: BlobStore
    python: str
    cancel: threading.Event
    models: Models | None = None
    """The way to models; None where the agent gets none."""
    _git: dict[Digest, dict[str, bytes]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def git_files(self, workspace: Digest) -> dict[str, bytes]:
        """The `.git` of a base workspace, by path; made once in a run (two threads may make the same one)."""
        if workspace not in self._git:
            self._git[workspace] = git_files(self.suite.tree(workspace), self.suite.blobs)
        return self._git[workspace]

    @cached_property
    def run_id(self) -> Digest:
        """The content-derived name of the run."""
        return run_id_of(self.suite.suite_hash, self.adapter.agent, self.config)

    @cached_property
    def who(self) -> tuple[SpineEntry, SpineEntry]:
        """The links of agent and config in every spine."""
        return (
            SpineEntry(role="agent", digest=digest_of(self.adapter.agent)),
            SpineEntry(role="config", digest=digest_of(self.config)),
        )


@dataclass(frozen=True, slots=True)
class AttemptDone:
    """The receipt of an attempt and what was measured beside it."""

    receipt: Receipt
    observed: Observed
    spans: int = 0
    """Places of its requests to models that declared rules touched."""
    leaks: int = 0
    """Renamed values that stand in a later answer."""
    problems: tuple[str, ...] = ()
    """What the gateway has to say of the attempt, a line each."""


class _Attempt:
    """The state of one attempt while its phases run."""

    def __init__(self, bench: Workbench, task: Task, attempt: Attempt) -> None:
        self.bench, self.task, self.attempt = bench, task, attempt
        self.journal = Journal()
        self.base = bench.suite.tree(task.workspace)
        self.spine = _first_links(bench, task)
        self.outcome: Outcome | None = None
        self.grade_pass: GradePass | None = None
        self.started = time.monotonic()
        self.outputs: list[tuple[str, Digest]] = []
        self.traffic: Traffic | None = None

    def run(self) -> AttemptDone:
        """All phases; an infrastructure failure ends the attempt early, with its typed cause."""
        self.journal.add(AttemptBegin, task_hash=self.task.task_hash, workspace=self.task.workspace)
        cause: Cause | None = "sandbox_failed"
        try:
            sealed = self._agent_phase()
            self._note_seal(sealed)
            if provider_failed(self.journal.events):
                return self._finish("provider_failed")
            cause = "grader_failed"
            self._grade_phase(sealed)
            cause = None
        except SandboxUnavailableError:
            raise  # this machine cannot run any attempt: the run stops, nothing is counted
        except (SandboxError, GradeFailedError) as error:
            self._keep("infra_error", str(error).encode())
        return self._finish(cause)

    def _agent_phase(self) -> Sealed:
        text = instruction(self.task)
        self.journal.add(AgentStart, adapter=self.bench.adapter.agent.adapter, instruction=sha256(text.encode()))
        plan = self.bench.adapter.plan(self.bench.suite, self.task, self.attempt)
        if isinstance(plan, Overlay):
            sealed = seal_records(overlaid(self.bench.suite, self.task, plan).records)
            self._copy_overlay(sealed.tree)
            self.journal.add(AgentEnd, exit=0)
            return sealed
        return self._launch(plan)

    def _copy_overlay(self, tree: Tree) -> None:
        for record in tree.records:
            if not isinstance(record.digest, UnsetType) and not self.bench.store.has(record.digest):
                self.bench.store.put(self.bench.suite.blobs.read(record.digest))

    def _launch(self, plan: Launch) -> Sealed:
        if self.bench.models is None:
            outcome, sealed = self._run(plan, None, self.bench.cancel)
            limit = outcome.limit
        else:
            outcome, sealed, limit = self._run_with_models(plan, self.bench.models)
        if limit == "cancelled" or self.bench.cancel.is_set():
            raise CancelledError("stopped")
        self.outcome = outcome
        self._keep("agent.stdout", outcome.stdout.data)
        self._keep("agent.stderr", outcome.stderr.data)
        if self.traffic is not None:
            note_traffic(self.journal, self.traffic)
        self.journal.add(
            AgentEnd,
            exit=UNSET if outcome.exit is None else outcome.exit,
            signal=UNSET if outcome.signal is None else outcome.signal,
            limit=UNSET if limit is None else limit,
        )
        return sealed

    def _run(self, plan: Launch, open_: Opened | None, cancel: Cancel) -> tuple[Outcome, Sealed]:
        """Start the program; with `open_`, with a door to models."""
        limits = task_limits(self.task, self.task.limits.wall_ms)
        spec = Spec(
            argv=plan.argv,
            env=plan.env,
            limits=limits,
            mounts=plan.mounts if open_ is None else (*plan.mounts, DECISIONS),
            mask=(*installed_packages(), *plan.mask),
            home=plan.home,
            pinned=None if open_ is None else open_.pinning,
        )
        fill = filler(self.base, self.bench.suite.blobs, self.bench.git_files(self.task.workspace))
        sealed: list[Sealed] = []
        outcome = self.bench.sandbox.run(
            spec,
            fill=fill,
            stdin=plan.stdin,
            collect=lambda dirfd: sealed.append(seal(dirfd, limits, self.bench.store)),
            cancel=cancel,
            on_start=None if open_ is None else open_.session.on_start,
        )
        return outcome, sealed[0]

    def _run_with_models(self, plan: Launch, models: Models) -> tuple[Outcome, Sealed, str | None]:
        """The same beside a session of the gateway; returns also the limit that ended it, the gateway's among them."""
        with models.open(self.bench.run_id, self.task, self.attempt) as open_:
            filled = fill_token(plan, open_.token)
            outcome, sealed = self._run(filled, open_, EitherStop(self.bench.cancel, open_.session))
            traffic = open_.session.close()
        if not self.bench.cancel.is_set() and traffic.divergence is not None:
            raise DivergedError(traffic.divergence)
        self.traffic = traffic
        if traffic.cassette is not None:
            cassette = write(traffic.cassette, RECEIPT_BYTES)
            self.spine.append(SpineEntry(role="cassette", digest=self.bench.store.put(cassette)))
        if open_.session.stop is None:
            return outcome, sealed, outcome.limit
        # The agent was told that there is no more; whether it ended by itself or was ended is a matter of milliseconds.
        return dataclasses.replace(outcome, exit=None, signal=None), sealed, open_.session.stop

    def _note_seal(self, sealed: Sealed) -> None:
        tree = self.bench.store.put(write(sealed.tree))
        changes = compare_trees(self.base, sealed.tree)
        self.spine.append(SpineEntry(role="workspace.final", digest=tree))
        self.journal.add(
            WorkspaceSealed,
            tree=tree,
            added=len(changes.added),
            modified=len(changes.modified),
            removed=len(changes.removed),
            refused=sealed.refused,
            refused_total=sealed.refused_total,
        )

    def _grade_phase(self, sealed: Sealed) -> None:
        blobs = ChainedBlobs(self.bench.store, self.bench.suite.blobs)
        done = self.bench.grader.grade(self.bench.suite, self.task, sealed.tree, blobs)
        if self.bench.cancel.is_set():
            raise CancelledError("stopped")
        self.grade_pass = done
        self.bench.store.put(write(done.graded))
        self._copy_overlay(done.graded)
        if done.judgement is not None:
            self.bench.store.put(write(done.judgement))
        grade = self.bench.store.put(write(done.grade))
        for name, data in done.outputs:
            self._keep(name, data)
        self.spine.append(SpineEntry(role="grade", digest=grade))
        self.journal.add(GradeDone, grade=grade)

    def _keep(self, name: str, data: bytes) -> None:
        if data:
            self.outputs.append((name, self.bench.store.put(data)))

    def _finish(self, cause: Cause | None) -> AttemptDone:
        if cause is None:
            self.journal.add(AttemptEnd, outcome="graded")
        else:
            self.journal.add(AttemptEnd, outcome="infra_error", cause=cause)
        receipt = _receipt(self.bench, self.task, self.attempt, self.journal, self.spine)
        traffic = self.traffic
        if traffic is None:
            return AttemptDone(receipt, self._observed())
        return AttemptDone(receipt, self._observed(), traffic.spans, traffic.leaks, traffic.problems)

    def _observed(self) -> Observed:
        measured = self.outcome.measured if self.outcome else None
        orphans = measured.orphans if measured else 0
        return Observed(
            wall_ms=measured.wall_ms if measured else int((time.monotonic() - self.started) * 1000),
            # What a killed program used is not accounted for: its parent never waited for it.
            cpu_ms=measured.cpu_ms if measured and self.outcome and self.outcome.limit is None else UNSET,
            max_rss_kb=measured.max_rss_kb if measured else UNSET,
            orphans=UNSET if orphans is None else orphans,
            **used_of(self.traffic, self.bench.config),
            grade_wall_ms=self.grade_pass.wall_ms if self.grade_pass else UNSET,
            python=self.bench.python,
            enforced=self.outcome.enforced if self.outcome else (),
            outputs=tuple(sorted(self.outputs)),
        )


def _first_links(bench: Workbench, task: Task) -> list[SpineEntry]:
    return [
        SpineEntry(role="suite", digest=bench.suite.suite_hash),
        SpineEntry(role="task", digest=task.task_hash),
        SpineEntry(role="workspace.base", digest=task.workspace),
        *bench.who,
    ]


def _receipt(bench: Workbench, task: Task, attempt: Attempt, journal: Journal, spine: list[SpineEntry]) -> Receipt:
    links = tuple(spine)
    return Receipt(
        run_id=bench.run_id,
        task_id=task.id,
        task_hash=task.task_hash,
        attempt=attempt,
        journal_head=journal_root(journal.events),
        spine_head=spine_root(links),
        spine=links,
        events=journal.events,
    )


def run_attempt(bench: Workbench, task: Task, attempt: Attempt) -> AttemptDone:
    """Run one attempt to its receipt.

    Raises:
        CancelledError: the run was stopped meanwhile.
        DivergedError: the attempt is a replay and went another way than its recording.
        SandboxUnavailableError: this machine cannot start the sandbox at all.
        StoreError: the state folder refused to take the evidence.
    """
    return _Attempt(bench, task, attempt).run()


def interrupted_receipt(bench: Workbench, task: Task, attempt: Attempt) -> Receipt:
    """The receipt of a try that was cut off by a kill or a crash: begun, never ended by itself."""
    journal = Journal()
    journal.add(AttemptBegin, task_hash=task.task_hash, workspace=task.workspace)
    journal.add(AttemptEnd, outcome="interrupted", cause="interrupted")
    return _receipt(bench, task, attempt, journal, _first_links(bench, task))


def refused_receipt(bench: Workbench, task: Task, attempt: Attempt) -> AttemptDone:
    """The receipt of an attempt that was not started because the budget was used up."""
    journal = Journal()
    journal.add(AttemptBegin, task_hash=task.task_hash, workspace=task.workspace)
    journal.add(AttemptEnd, outcome="refused", cause="budget_exceeded")
    receipt = _receipt(bench, task, attempt, journal, _first_links(bench, task))
    return AttemptDone(receipt, Observed(wall_ms=0, cost_usd=0, python=bench.python))
