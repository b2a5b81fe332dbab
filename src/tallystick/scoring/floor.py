"""From k attempts at each task to what a reliability receipt states of them. Maker and verifier share it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tallystick.core.digest import Digest
from tallystick.core.exact import Num, to_num
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.reliability import Information, PassRate, TaskReliability
from tallystick.scoring.clustered import clustered_interval
from tallystick.scoring.passk import TaskCount, flip_rate, mean_pass_all, mean_pass_at, pass_all, pass_at

__all__ = ["AttemptFacts", "Floor", "floor_of"]


@dataclass(frozen=True, slots=True)
class AttemptFacts:
    """What counts of one attempt. `coordination` and `journal` are roots; `asked` counts its calls to models."""

    task_id: str
    task_hash: Digest
    passed: bool
    infra_error: bool
    coordination: Digest
    journal: Digest
    asked: int
    recorded: bool


@dataclass(frozen=True, slots=True)
class Floor:
    """Every number of a reliability receipt, rounded."""

    k: int
    pass_at_1: Num
    pass_caret_k: Num
    rates: tuple[PassRate, ...]
    infra_errors: int
    coordination_ok: bool
    information: Information
    task_results: tuple[TaskReliability, ...]
    flip_rate: Num | UnsetType = UNSET


def floor_of(attempts: Sequence[AttemptFacts], k: int) -> Floor:
    """The floor of a run with `k` attempts at each task, given in the order of tasks and attempts (at least one task)."""
    tasks = [attempts[start : start + k] for start in range(0, len(attempts), k)]
    results = tuple(_task(task) for task in tasks)
    counts = [TaskCount(k, result.passes) for result in results]
    rates = tuple(_rate(counts, j) for j in range(1, k + 1))
    flips = flip_rate(counts)
    return Floor(
        k=k,
        pass_at_1=rates[-1].pass_at,
        pass_caret_k=rates[-1].pass_caret,
        rates=rates,
        infra_errors=sum(result.infra_errors for result in results),
        coordination_ok=all(result.coordination_identical for result in results),
        information=_information(tasks),
        task_results=results,
        flip_rate=UNSET if flips is None else to_num(flips),
    )


def _task(attempts: Sequence[AttemptFacts]) -> TaskReliability:
    first = attempts[0]
    return TaskReliability(
        task_id=first.task_id,
        task_hash=first.task_hash,
        attempts=len(attempts),
        passes=sum(one.passed for one in attempts),
        infra_errors=sum(one.infra_error for one in attempts),
        coordination_hash=first.coordination,
        coordination_identical=all(one.coordination == first.coordination for one in attempts),
    )


def _rate(counts: Sequence[TaskCount], j: int) -> PassRate:
    at = {count.passes: pass_at(count.attempts, count.passes, j) for count in set(counts)}
    every = {count.passes: pass_all(count.attempts, count.passes, j) for count in set(counts)}

    def rates(of: dict[int, Fraction]) -> list[Fraction]:
        return [of[count.passes] for count in counts]

    return PassRate(
        j=j,
        pass_at=to_num(mean_pass_at(counts, j)),
        pass_at_interval=clustered_interval(rates(at)),
        pass_caret=to_num(mean_pass_all(counts, j)),
        pass_caret_interval=clustered_interval(rates(every)),
    )


def _information(tasks: Sequence[Sequence[AttemptFacts]]) -> Information:
    asking = [one for attempts in tasks for one in attempts if one.asked]
    if asking:
        return "sampled" if all(one.recorded for one in asking) else "unrecorded"
    alike = all(one.journal == attempts[0].journal for attempts in tasks for one in attempts)
    return "deterministic" if alike else "unexplained"
