"""Which evidence gave each number of one task: journal event, grade, measurement or telemetry, and whose word it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from tallystick.core.errors import InputError
from tallystick.flows.evaluate import EvalRequest, open_sources
from tallystick.flows.harness.baselines import Baselines
from tallystick.flows.harness.evidence import EvidenceReader, rate_result
from tallystick.flows.harness.folders import baselines_folder, own_tasks_folder
from tallystick.flows.harness.sources import BundleSource
from tallystick.flows.harness.suites import KnownSuites
from tallystick.flows.harness.telemetry import rate_one
from tallystick.flows.show import lay_out
from tallystick.flows.words import plural
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.bundle import Observed, TaskResult
from tallystick.records.eval_run import FailureCategory
from tallystick.records.journal import AgentEnd, AttemptEnd, GradeDone, WorkspaceSealed, kind_of
from tallystick.records.task import TIERS
from tallystick.records.telemetry import TaskTelemetry
from tallystick.scoring.clues import clues_of_attempt
from tallystick.scoring.evaluated import Rated

__all__ = ["DECLARED", "DERIVED", "RERUN", "Explained", "Number", "Provenance", "explain"]

Provenance = Literal["derived", "re-run", "declared"]
"""Of a number: from evidence here, from graders that ran here, or the word of whoever wrote the source."""
DERIVED: Final = "derived"
RERUN: Final = "re-run"
DECLARED: Final = "declared"
_LISTED: Final = 20
"""Tasks that are named where another was asked for."""
_TELLING: Final = (AgentEnd, WorkspaceSealed, GradeDone, AttemptEnd)


@dataclass(frozen=True, slots=True)
class Number:
    """One number, what gave it, and its provenance."""

    name: str
    value: str
    provenance: Provenance
    evidence: str


@dataclass(frozen=True, slots=True)
class Explained:
    """One attempt and where its numbers come from."""

    source: str
    task_id: str
    attempt: int
    passed: bool
    numbers: tuple[Number, ...]


def explain(task_id: str, request: EvalRequest) -> tuple[Explained, ...]:
    """Every attempt at a task in the sources of the request.

    Raises:
        InputError: no source has an attempt at it, or one cannot be read.
        NotVerifiedError: a bundle that does not verify.
    """
    baselines = Baselines(baselines_folder(request.state), request.sandbox)
    suites = KnownSuites(own_tasks_folder(request.state), request.suite)
    found: list[Explained] = []
    known: dict[str, None] = {}
    for opened in open_sources(request, suites, baselines):
        if isinstance(opened, BundleSource):
            found += _of_bundle(opened, task_id, baselines)
            known |= dict.fromkeys(result.task_id for result in opened.reader.file.bundle.task_results)
        else:
            found += _of_telemetry(opened.name, opened.attempts, task_id, suites)
            known |= dict.fromkeys(each.task_id for each in opened.attempts)
    if not found:
        names = ", ".join(str(path) for path in request.sources)
        raise InputError(f"no attempt at a task {task_id[:80]!r} in {names}{_there_are(tuple(known))}")
    return tuple(found)


def _there_are(known: tuple[str, ...]) -> str:
    if not known:
        return ""
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    return f"; there are: {', '.join(name[:80] for name in known[:_LISTED])}{more}"


def _of_bundle(opened: BundleSource, task_id: str, baselines: Baselines) -> Iterator[Explained]:
    reader = opened.reader
    for result in reader.file.bundle.task_results:
        if result.task_id == task_id:
            rated = rate_result(reader, reader.suite.task(task_id), result, 0)
            numbers = tuple(_numbers(reader, result, rated, baselines))
            yield Explained(opened.name, task_id, result.attempt.index, rated.passed, numbers)


def _numbers(reader: EvidenceReader, result: TaskResult, rated: Rated, baselines: Baselines) -> Iterator[Number]:
    receipt = reader.file.receipt(result.receipt_hash)
    events = [event for event in receipt.events if isinstance(event, _TELLING)]
    said = ", ".join(f"event {event.seq} {kind_of(event)}{_detail(event)}" for event in events)
    yield Number("passed", _yes(rated.passed), DERIVED, said)
    for check in lay_out(reader.file, reader.suite, result).checks:
        provenance: Provenance = DERIVED if check.provenance == DERIVED else DECLARED
        yield Number(f"check {check.id}", check.outcome, provenance, check.evidence or check.demand)
    yield from _measured(result.observed)
    yield Number("crashed", _yes(rated.crashed), DERIVED, said)
    if rated.quality is not None:
        yield Number(
            "quality", f"{float(rated.quality):.4f}", DECLARED, "the judgement or opinion of the attempt; tally show says more"
        )
    if rated.failure is not None:
        yield from _failure(reader, result, rated, baselines)


def _detail(event: object) -> str:
    if isinstance(event, AgentEnd):
        parts = [f"{name} {value}" for name in ("exit", "signal", "limit") if (value := getattr(event, name)) is not UNSET]
        return f" ({', '.join(parts)})"
    if isinstance(event, AttemptEnd):
        return f" ({event.outcome})"
    if isinstance(event, WorkspaceSealed):
        return f" ({event.added} added, {event.modified} changed, {event.removed} removed)"
    return ""


def _yes(value: object) -> str:
    return "yes" if value else "no"


def _measured(observed: Observed | UnsetType) -> Iterator[Number]:
    if observed is UNSET:
        yield Number("telemetry", "missing", DECLARED, "the result has no member observed: Reliability is halved")
        return
    yield Number("seconds", f"{observed.wall_ms / 1000:g}", DECLARED, "observed.wall_ms")
    cost = "missing" if observed.cost_usd is UNSET else str(observed.cost_usd)
    yield Number("cost_usd", cost, DECLARED, "observed.cost_usd")
    yield Number("orphans", "0" if observed.orphans is UNSET else str(observed.orphans), DECLARED, "observed.orphans")


def _failure(reader: EvidenceReader, result: TaskResult, rated: Rated, baselines: Baselines) -> Iterator[Number]:
    receipt, task = reader.file.receipt(result.receipt_hash), reader.suite.task(result.task_id)
    clues = clues_of_attempt(reader.attempted(task, result, receipt))
    assert rated.failure is not None  # the caller asked
    first = rated.failure.category
    yield Number("failure", first.value, RERUN if first is FailureCategory.test_regression else DERIVED, rated.failure.details)
    for category in FailureCategory:
        found: tuple[str, ...] = getattr(clues, category.value)
        if found and category is not first:
            yield Number(f"also {category.value}", str(len(found)), DERIVED, found[0])
    if baselines.problem:
        yield Number("regressions", "not looked for", DECLARED, baselines.problem)


def _of_telemetry(name: str, attempts: tuple[TaskTelemetry, ...], task_id: str, suites: KnownSuites) -> Iterator[Explained]:
    known = suites.find_task(task_id, frozenset(TIERS))
    mine = [each for each in attempts if each.task_id == task_id]
    if known is None and mine:
        raise InputError(f"{name}: telemetry speaks of the task {task_id}, which no tier has; give its suite with --suite")
    for index, telemetry in enumerate(mine, 1):
        assert known is not None  # looked at above
        rated = rate_one(known[1], telemetry, index)
        yield Explained(name, task_id, index, rated.passed, tuple(_told(telemetry, rated)))


def _told(telemetry: TaskTelemetry, rated: Rated) -> Iterator[Number]:
    yield Number("passed", _yes(rated.passed), DECLARED, f"{_signals(telemetry)}, {_failed_tests(telemetry)}")
    yield Number("seconds", _said(telemetry.duration_s), DECLARED, "duration_s")
    yield Number("cost_usd", _said(telemetry.cost_usd), DECLARED, "cost_usd")
    if rated.missing:
        yield Number("telemetry", "incomplete", DECLARED, f"missing {', '.join(rated.missing)}: Reliability is halved")
    if rated.failure is not None:
        yield Number("failure", rated.failure.category.value, DECLARED, rated.failure.details)


def _signals(telemetry: TaskTelemetry) -> str:
    passed, checked = telemetry.completion_signals_passed, telemetry.completion_signals_checked
    if passed is UNSET and checked is UNSET:
        return "completion signals missing"
    return f"completion signals: {_said(passed)} passed of {_said(checked)} checked"


def _failed_tests(telemetry: TaskTelemetry) -> str:
    failed = telemetry.tests_failed
    return "failed tests missing" if isinstance(failed, UnsetType) else f"{plural(failed, 'test')} failed"


def _said(value: object) -> str:
    return "missing" if value is UNSET else str(value)
