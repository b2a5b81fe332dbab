"""The Python interface of the golden harness. Names follow the documents this was asked for with.

from tallystick import EvalHarness, TaskTelemetry, evaluate_task

harness = EvalHarness()
one = harness.evaluate_task("fix_typo", TaskTelemetry(task_id="fix_typo", duration_s=12, cost_usd=0.02, ...))
result = harness.evaluate([one])
print(result.score, result.failures)

A harness remembers nothing: every result is a function of what it was given, so no earlier failure reaches a later run.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Literal

from tallystick.core.errors import InputError
from tallystick.core.exact import Num, to_num
from tallystick.flows.evaluate import EvalRequest, evaluate_sources
from tallystick.flows.harness.document import DEFAULT_TIERS, Scope, to_document
from tallystick.flows.harness.folders import evaluations_folder, own_tasks_folder
from tallystick.flows.harness.saved import save
from tallystick.flows.harness.suites import KnownSuites
from tallystick.flows.harness.telemetry import rate_one
from tallystick.records.base import UNSET
from tallystick.records.eval_run import EvalComponents, EvalFailure, EvalRates, EvalRun, EvalSource, FailureCategory
from tallystick.records.task import TIERS, Task, Tier
from tallystick.records.telemetry import TaskTelemetry
from tallystick.scoring.claimed import all_passed, measured_of_telemetry
from tallystick.scoring.evaluated import Rated
from tallystick.scoring.golden import efficiency
from tallystick.suites.loaded import LoadedSuite

__all__ = [
    "EvalHarness",
    "EvalResult",
    "FailureCategory",
    "TaskTelemetry",
    "compute_efficiency",
    "evaluate_task",
]

Quality = Fraction | Decimal | int | float


def evaluate_task(task: Task, telemetry: TaskTelemetry | None, *, quality: Quality | None = None, attempt: int = 1) -> Rated:
    """One attempt as its telemetry tells it. `quality` is what a judge thinks of it, from 0 to 1; it decides no verdict.

    Raises:
        InputError: the telemetry is of another task, or the quality is no number from 0 to 1.
    """
    if telemetry is not None and telemetry.task_id != task.id:
        raise InputError(f"telemetry of {telemetry.task_id} is none of the task {task.id}")
    return rate_one(task, telemetry, attempt, quality=None if quality is None else _quality(quality))


def _quality(value: Quality) -> Fraction:
    if isinstance(value, bool) or not 0 <= value <= 1:  # NaN lies nowhere
        raise InputError(f"a quality lies between 0 and 1, not at {value}")
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def compute_efficiency(telemetry: Iterable[TaskTelemetry], passed: int | None = None) -> Num:
    """Half for cost and half for time per passed attempt, each at its par or better; 0 where nothing passed.

    `passed` defaults to the attempts whose signals all passed and of whose tests none failed.

    Raises:
        InputError: more passed than there are.
    """
    attempts = list(telemetry)
    count = sum(all_passed(each) for each in attempts) if passed is None else passed
    if not 0 <= count <= len(attempts):
        raise InputError(f"no run passes {count} of {len(attempts)}")
    return to_num(efficiency(count, [measured_of_telemetry(each) for each in attempts]))


@dataclass(frozen=True, slots=True)
class EvalResult:
    """A golden score and what it rests on; `document` is what would be saved."""

    document: EvalRun

    @property
    def score(self) -> Num:
        """The golden score, four digits."""
        return self.document.score

    @property
    def components(self) -> EvalComponents:
        """The five parts."""
        return self.document.components

    @property
    def per_tier(self) -> EvalRates:
        """Pass rates by tier."""
        return self.document.per_tier

    @property
    def tasks_evaluated(self) -> int:
        """Tasks of the denominator."""
        return self.document.tasks_evaluated

    @property
    def failures(self) -> tuple[EvalFailure, ...]:
        """Every attempt that did not pass, with its category."""
        return () if self.document.failures is UNSET else self.document.failures

    @property
    def level(self) -> str:
        """How much of it was checked here: the lowest of its sources."""
        return self.document.level


class EvalHarness:
    """The golden tiers, and the score of attempts at them. `state` is the folder of runs and of an operator's own tasks."""

    def __init__(
        self,
        state: str | Path = ".tally",
        *,
        suite: LoadedSuite | None = None,
        sandbox: Literal["bwrap", "none"] | None = "bwrap",
    ) -> None:
        self._state, self._suite, self._sandbox = Path(state), suite, sandbox
        self._suites = KnownSuites(own_tasks_folder(self._state), suite)

    def tasks(self, *tiers: Tier) -> tuple[Task, ...]:
        """The tasks of these tiers, or of those that are scored where none is named."""
        suites = [self._suites.tier(tier) for tier in tiers or DEFAULT_TIERS]
        return tuple(task for suite in suites if suite is not None for task in suite.tasks)

    def evaluate_task(
        self, task: Task | str, telemetry: TaskTelemetry | None, *, quality: Quality | None = None, attempt: int = 1
    ) -> Rated:
        """As the function of this name; the task may be given by its id, of any tier."""
        return evaluate_task(self._task(task), telemetry, quality=quality, attempt=attempt)

    def _task(self, task: Task | str) -> Task:
        if isinstance(task, Task):
            return task
        found = self._suites.find_task(task, frozenset(TIERS))
        if found is None:
            raise InputError(f"no tier has a task {task[:80]!r}")
        return found[1]

    def evaluate(self, rated: Sequence[Rated]) -> EvalResult:
        """Score these attempts together: adversarial ones count here as any other.

        Raises:
            InputError: there are none.
        """
        if not rated:
            raise InputError("nothing to score: no attempts were given")
        tiers = tuple(tier for tier in TIERS if any(each.tier == tier for each in rated))
        source = EvalSource(kind="telemetry", name="Python", level="claimed", attempts=len(rated))
        scope = Scope(tuple(rated), (source,), tiers, regressions_checked=False, notes=(), timestamp=int(time.time()))
        return EvalResult(to_document(scope))

    def evaluate_sources(self, *sources: str | Path, tiers: Sequence[Tier] = DEFAULT_TIERS) -> EvalResult:
        """Score bundles, runs and telemetry files together; errors as `flows.evaluate.evaluate_sources`."""
        request = EvalRequest(
            sources=tuple(Path(each) for each in sources),
            state=self._state,
            tiers=tuple(tiers),
            suite=self._suite,
            sandbox=self._sandbox,
        )
        return EvalResult(evaluate_sources(request))

    def save(self, result: EvalResult) -> Path:
        """Write a result to `eval/runs/` of the state folder; returns the file."""
        return save(evaluations_folder(self._state), result.document).path
