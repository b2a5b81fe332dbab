"""The act of evaluating: sources in, the golden score with what it rests on out.

One score is of one agent: evidence of two agents is refused, and so is the same attempt twice. The denominator is
docs/eval/golden-harness.md's: every task of what is scored, times its attempts.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.flows.harness.baselines import Baselines
from tallystick.flows.harness.document import DEFAULT_TIERS, Scope, bounded_notes, to_document
from tallystick.flows.harness.evidence import rate_bundle
from tallystick.flows.harness.folders import baselines_folder, own_tasks_folder
from tallystick.flows.harness.sources import BundleSource, TelemetrySource, open_source
from tallystick.flows.harness.suites import KnownSuites
from tallystick.flows.harness.telemetry import Told, rate_telemetry
from tallystick.flows.words import plural
from tallystick.records.base import UNSET
from tallystick.records.eval_run import EvalRun, EvalSource
from tallystick.records.report import Level, Status
from tallystick.records.task import TIERS, Tier
from tallystick.sandbox.drivers import SandboxName
from tallystick.scoring.evaluated import Rated
from tallystick.suites.loaded import LoadedSuite

__all__ = ["EvalRequest", "evaluate_sources", "open_sources"]


@dataclass(frozen=True, slots=True)
class EvalRequest:
    """What to score. `sandbox` is where untouched workspaces are graded; None: not at all, and no regression is known."""

    sources: tuple[Path, ...]
    state: Path
    tiers: tuple[Tier, ...] = DEFAULT_TIERS
    suite: LoadedSuite | None = None
    sandbox: SandboxName | None = "bwrap"


@dataclass
class _Gathered:
    """What the sources come to, one after the other."""

    rated: list[Rated] = field(default_factory=list)
    sources: list[EvalSource] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    agents: dict[str, str] = field(default_factory=dict)
    receipts: dict[Digest, tuple[int, str]] = field(default_factory=dict)
    telemetry: list[Told] = field(default_factory=list)


def evaluate_sources(request: EvalRequest) -> EvalRun:
    """Score every source together.

    Raises:
        InputError: nothing to score, sources that do not belong together, or one that cannot be read.
        NotVerifiedError: a bundle that does not verify.
    """
    baselines = Baselines(baselines_folder(request.state), request.sandbox)
    suites = KnownSuites(own_tasks_folder(request.state), request.suite)
    found = _Gathered()
    tiers = frozenset(request.tiers)
    for number, opened in enumerate(open_sources(request, suites, baselines)):
        if isinstance(opened, BundleSource):
            _add_bundle(found, opened, tiers, number)
            found.notes += _suite_notes(found.sources[-1], found.rated, suites, number)
        else:
            found.telemetry += [Told(number, each, opened.name) for each in opened.attempts]
            found.sources.append(EvalSource(kind="telemetry", name=opened.name, level=Level.claimed.name, attempts=0))
    _add_telemetry(found, suites, tiers)
    if not found.rated:
        raise InputError(f"nothing to score: no source has an attempt at a task of {', '.join(request.tiers)}")
    if baselines.problem:
        found.notes.append(f"regressions were not looked for: {baselines.problem}")
    evidence_only = all(source.kind != "telemetry" or not source.attempts for source in found.sources)
    return to_document(_scope(found, request, checked=evidence_only and baselines.problem is None))


def open_sources(request: EvalRequest, suites: KnownSuites, baselines: Baselines) -> Iterator[BundleSource | TelemetrySource]:
    """Each source, open while it is looked at."""
    for path in request.sources:
        with open_source(path, request.state, suites, baselines) as opened:
            yield opened


def _add_bundle(found: _Gathered, opened: BundleSource, tiers: frozenset[Tier], number: int) -> None:
    bundle = opened.reader.file.bundle
    _refuse_other_agent(found, opened)
    for result in bundle.task_results:
        first, former = found.receipts.setdefault(result.receipt_hash, (number, opened.name))
        if first != number:
            raise InputError(f"{opened.name} and {former} hold the same attempt at {result.task_id}; one attempt counts once")
    rated = list(rate_bundle(opened.reader, tiers, number))
    found.rated += rated
    found.sources.append(
        EvalSource(
            kind=opened.kind,
            name=opened.name,
            level=opened.level,
            attempts=len(rated),
            agent=bundle.agent.name,
            self_test=bundle.agent.self_test,
            suite_version=bundle.suite_version,
            suite_hash=bundle.suite_hash,
            bundle_hash=bundle.bundle_hash if opened.kind == "bundle" else UNSET,
        )
    )
    found.notes += _bundle_notes(opened, rated, tiers)


def _bundle_notes(opened: BundleSource, rated: Sequence[Rated], tiers: frozenset[Tier]) -> Iterator[str]:
    if opened.report.status is Status.PARTIAL or opened.reader.file.bundle.partial is not UNSET:
        yield f"{opened.name[:200]}: a partial run; the tasks it leaves out count as not passed"
    if opened.report.status is Status.UNSIGNED and opened.kind == "bundle":
        yield f"{opened.name[:200]}: unsigned, so nobody stands for it"
    out = {task.tier for task in opened.reader.suite.tasks} - tiers
    if out:
        yield f"{opened.name[:200]}: its tasks of {', '.join(tier for tier in TIERS if tier in out)} are not counted"
    if not rated:
        yield f"{opened.name[:200]}: no attempt at a task of these tiers"


def _suite_notes(source: EvalSource, rated: Sequence[Rated], suites: KnownSuites, number: int) -> Iterator[str]:
    """That tasks of another suite than the tier's own count under its tier."""
    mine = [each for each in rated if each.source == number]
    tiers = [tier for tier in TIERS if any(each.tier == tier for each in mine)]
    own = (suites.tier(tier) for tier in tiers)
    if mine and any(suite is None or suite.suite_hash != source.suite_hash for suite in own):
        count = len({each.task_id for each in mine})
        counted = f"{plural(count, 'task')} of {source.suite_version} count at the tier they name"
        yield f"{counted} ({', '.join(tiers)}), not the tier's own suite"


def _refuse_other_agent(found: _Gathered, opened: BundleSource) -> None:
    agent = opened.reader.file.bundle.agent
    for former, name in found.agents.items():
        if former != agent.name:
            raise InputError(f"{opened.name} is of the agent {agent.name}, {name} of {former}; a score is of one agent")
    found.agents[agent.name] = opened.name


def _add_telemetry(found: _Gathered, suites: KnownSuites, tiers: frozenset[Tier]) -> None:
    rated, notes = rate_telemetry(found.telemetry, suites, tiers)
    evident = {each.task_id for each in found.rated}
    both = next((each.task_id for each in rated if each.task_id in evident), None)
    if both is not None:
        raise InputError(f"there is evidence and telemetry of {both}; give either, since one attempt counts once")
    found.rated += rated
    found.notes += notes
    counts = Counter(each.source for each in rated)
    found.sources = [
        msgspec.structs.replace(source, attempts=counts[number]) if source.kind == "telemetry" else source
        for number, source in enumerate(found.sources)
    ]


def _scope(found: _Gathered, request: EvalRequest, *, checked: bool) -> Scope:
    return Scope(
        rated=tuple(found.rated),
        sources=tuple(found.sources),
        tiers=request.tiers,
        regressions_checked=checked,
        notes=bounded_notes(found.notes),
        timestamp=int(time.time()),
    )
