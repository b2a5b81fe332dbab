"""What a verification of a reliability receipt knows on its way, and the report that it ends in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tallystick.records.base import UNSET
from tallystick.records.containers.inline import JsonBundle
from tallystick.records.reliability import FLOOR_STEPS, INFORMATION, FloorStep, Reliability, ReliabilityReport
from tallystick.records.report import LACKING, Level, Report, Row, Status, StepResult, level_of
from tallystick.scoring.floor import Floor
from tallystick.verify.ports import VerifyOptions
from tallystick.verify.state import Verification

__all__ = ["FloorCheck", "Problem", "floor_report"]

_REASONS: Final = 100
"""Reasons listed in a report."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What a step refuses. `task` and `attempt` say where, if it is about a task."""

    status: Status
    reason: str
    task: str = ""
    attempt: int = 0


@dataclass
class FloorCheck:
    """One verification under way."""

    receipt: Reliability
    file: JsonBundle | None
    options: VerifyOptions
    at: Verification | None = None
    report: Report | None = None
    floor: Floor | None = None
    signer: str = "none"
    notes: dict[FloorStep, str] = field(default_factory=dict)
    skipped: set[FloorStep] = field(default_factory=set)
    found: list[tuple[FloorStep, Problem]] = field(default_factory=list)


def floor_report(check: FloorCheck) -> ReliabilityReport:
    """The whole finding."""
    floor = check.floor
    return ReliabilityReport(
        status=_status(check),
        level=_level(check),
        k=check.receipt.k,
        receipt_hash=check.receipt.receipt_hash,
        steps=tuple(_step(check, step) for step in FloorStep),
        rows=tuple(_rows(check)),
        reasons=tuple(_reason(step, problem) for step, problem in check.found)[:_REASONS],
        signer=check.signer,
        signer_kid="" if check.receipt.signer_fingerprint is UNSET else check.receipt.signer_fingerprint,
        passed_once=0 if floor is None else sum(result.passes > 0 for result in floor.task_results),
        passed_all=0 if floor is None else sum(result.passes == result.attempts for result in floor.task_results),
        tasks=len(check.receipt.task_results) if floor is None else len(floor.task_results),
        rates=() if floor is None else floor.rates,
        flip_rate=UNSET if floor is None else floor.flip_rate,
        infra_errors=0 if floor is None else floor.infra_errors,
        information="" if floor is None else INFORMATION[floor.information],
        bundle=UNSET if check.report is None else check.report,
    )


def _status(check: FloorCheck) -> Status:
    """The first thing that is wrong, in the order of the steps; where nothing is, what is lacking."""
    found = [problem.status for _, problem in check.found]
    wrong = next((status for status in found if status not in LACKING), None)
    return wrong or next((status for status in LACKING if status in found), Status.MATCH)


def _level(check: FloorCheck) -> str:
    if check.report is None or any(step <= FloorStep.coverage for step, _ in check.found):
        return Level.claimed.name
    if check.found and level_of(check.report.level) > Level.intact:
        return Level.intact.name
    return check.report.level


def _step(check: FloorCheck, step: FloorStep) -> StepResult:
    title = FLOOR_STEPS[step]
    failed = [_where(problem) + problem.reason for at, problem in check.found if at is step]
    if failed:
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        return StepResult(step=step, title=title, state="failed", note=failed[0] + more)
    state = "skipped" if step in check.skipped else "ok"
    return StepResult(step=step, title=title, state=state, note=check.notes.get(step, ""))


def _rows(check: FloorCheck) -> Iterator[Row]:
    """A row for each task that the bundle has, else that the receipt states."""
    first: dict[str, tuple[FloorStep, Problem]] = {}
    for step, problem in check.found:
        if problem.task:
            first.setdefault(problem.task, (step, problem))
    floor = {} if check.floor is None else {result.task_id: result for result in check.floor.task_results}
    tasks = floor or {result.task_id: result for result in check.receipt.task_results}
    for task in tasks:
        passed = floor[task].passes == floor[task].attempts if task in floor else UNSET
        level = "claimed" if check.report is None else check.report.level
        if task not in first:
            yield Row(task_id=task, attempt=0, status=Status.MATCH, passed=passed, level=level)
            continue
        step, problem = first[task]
        yield Row(
            task_id=task,
            attempt=problem.attempt,
            status=problem.status,
            passed=passed,
            step=int(step),
            reason=problem.reason,
            level="claimed",
        )


def _where(problem: Problem) -> str:
    return problem.task + (f" attempt {problem.attempt}" if problem.attempt else "") + ": " * bool(problem.task)


def _reason(step: FloorStep, problem: Problem) -> str:
    return f"step {int(step)}, {FLOOR_STEPS[step]}: {_where(problem)}{problem.reason}"
