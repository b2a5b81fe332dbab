"""The reproducibility gate: whether an orchestrator decides the same in every live attempt at a task.

Coordination is what harness and orchestrator report of their decisions, never what a model answered or how long it took. An
orchestrator that reports nothing has shown nothing: that is VACUOUS, and never a pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tallystick.flows.run import RunDone
from tallystick.records.evidence import Receipt
from tallystick.runner.executor import end_of
from tallystick.scoring.coordination import LaneDifference, decisions_of, first_difference

__all__ = ["GateReport", "GateRow", "GateStatus", "judge_gate"]


class GateStatus(Enum):
    """What became of a task, or of the whole: of its tasks the worst, in this order."""

    DIVERGED = "DIVERGED"
    UNFINISHED = "UNFINISHED"
    VACUOUS = "VACUOUS"
    IDENTICAL = "IDENTICAL"


@dataclass(frozen=True, slots=True)
class GateRow:
    """One task. `decisions` counts those of its first attempt; `attempt` is the first that differs, or never came to an end."""

    task_id: str
    status: GateStatus
    decisions: int
    attempt: int = 0
    difference: LaneDifference | None = None
    cause: str = ""

    @property
    def reason(self) -> str:
        """Why it is no pass, for people; empty where it is one."""
        match self.status:
            case GateStatus.DIVERGED if self.difference is not None:
                parted = self.difference
                return f"decision {parted.position}: attempt 1 has {parted.one}, attempt {self.attempt} has {parted.other}"
            case GateStatus.UNFINISHED:
                return f"attempt {self.attempt} was never graded ({self.cause}), so its coordination may be cut short"
            case GateStatus.VACUOUS:
                return "no decision was reported in any attempt"
            case _:
                return ""


@dataclass(frozen=True, slots=True)
class GateReport:
    """The whole finding."""

    k: int
    rows: tuple[GateRow, ...]

    @property
    def status(self) -> GateStatus:
        """The worst of its tasks'."""
        found = {row.status for row in self.rows}
        return next(status for status in GateStatus if status in found)

    @property
    def passed(self) -> bool:
        """Whether every task had decisions, and the same ones in every attempt."""
        return self.status is GateStatus.IDENTICAL


def judge_gate(done: RunDone) -> GateReport:
    """Compare the coordination of all attempts of a finished run with the first one's at the same task."""
    tasks: dict[str, list[Receipt]] = {}
    for one in done.executed.attempts:
        tasks.setdefault(one.receipt.task_id, []).append(one.receipt)
    return GateReport(max(map(len, tasks.values())), tuple(_row(task, receipts) for task, receipts in tasks.items()))


def _row(task: str, receipts: Sequence[Receipt]) -> GateRow:
    first = receipts[0]
    decisions = len(decisions_of(first.events))
    for receipt in receipts:
        end = end_of(receipt)
        if end is None or end.outcome != "graded":
            cause = "it has no end" if end is None else str(end.cause)
            return GateRow(task, GateStatus.UNFINISHED, decisions, receipt.attempt.index, cause=cause)
    for receipt in receipts[1:]:
        parted = first_difference(first.events, receipt.events)
        if parted is not None:
            return GateRow(task, GateStatus.DIVERGED, decisions, receipt.attempt.index, parted)
    return GateRow(task, GateStatus.IDENTICAL if decisions else GateStatus.VACUOUS, decisions)
