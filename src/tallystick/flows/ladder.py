"""Predicted difficulty: which tasks of a suite a program without a model solves. They are `smoke`, whatever their tier says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from tallystick.flows.run import RunRequest, run
from tallystick.recording.passing import passing_folder
from tallystick.records.task import TIERS, Tier
from tallystick.runner.ladder import make_rung
from tallystick.sandbox.drivers import SandboxName
from tallystick.suites.loaded import LoadedSuite

__all__ = ["Climb", "ClimbRow", "Predicted", "climb"]

Predicted = Literal["smoke", "beyond", "unknown"]
"""`beyond`: no rung solves it, so it is harder than that. `unknown`: none solved it, and one could not be tried."""

_UNTRIED: Final = frozenset({"infra_error", "refused"})


@dataclass(frozen=True, slots=True)
class ClimbRow:
    """One task: which rungs solved it, and which could not be tried, in the order of the ladder."""

    task_id: str
    tier: Tier
    solved_by: tuple[str, ...]
    untried: tuple[str, ...] = ()

    @property
    def predicted(self) -> Predicted:
        """How hard the ladder says that the task is. A prediction: no agent with a model was measured."""
        return "smoke" if self.solved_by else "unknown" if self.untried else "beyond"

    @property
    def misplaced(self) -> bool:
        """Whether the task claims to be harder than a program without a model finds it."""
        return self.tier != "smoke" and bool(self.solved_by)


@dataclass(frozen=True, slots=True)
class Climb:
    """The rows of one suite, in its order."""

    suite: LoadedSuite
    rungs: tuple[str, ...]
    rows: tuple[ClimbRow, ...]

    @property
    def ok(self) -> bool:
        """Whether every task was tried by every rung, and none is misplaced."""
        return not any(row.misplaced or row.untried for row in self.rows)

    def tiers(self) -> Iterator[tuple[Tier, tuple[ClimbRow, ...]]]:
        """The tiers that the suite has, with their rows."""
        for tier in TIERS:
            rows = tuple(row for row in self.rows if row.tier == tier)
            if rows:
                yield tier, rows


def climb(
    suite: LoadedSuite,
    rungs: tuple[str, ...],
    *,
    workers: int = 2,
    sandbox: SandboxName = "bwrap",
    listener: Callable[[str], None] | None = None,
) -> Climb:
    """Try every task with every rung once (rungs are deterministic), in a temporary state folder.

    Raises:
        InputError: the ladder has no such rung.
        SandboxUnavailableError: this machine cannot start the sandbox.
    """
    adapters = {name: make_rung(name) for name in rungs}
    outcomes: dict[str, dict[str, str]] = {}
    with passing_folder("ladder") as folder:
        for name, adapter in adapters.items():
            if listener is not None:
                listener(f"{suite.version}: {name}")
            request = RunRequest(suite=suite, adapter=adapter, state=folder, workers=workers, sandbox=sandbox, fresh=True)
            bundle = run(request).bundle
            results = () if bundle is None else bundle.task_results
            outcomes[name] = {result.task_id: result.harness_output.outcome for result in results}
    return Climb(suite, rungs, tuple(_row(task.id, task.tier, outcomes) for task in suite.tasks))


def _row(task_id: str, tier: Tier, outcomes: dict[str, dict[str, str]]) -> ClimbRow:
    found = {name: each.get(task_id, "infra_error") for name, each in outcomes.items()}
    return ClimbRow(
        task_id,
        tier,
        tuple(name for name, outcome in found.items() if outcome == "passed"),
        tuple(name for name, outcome in found.items() if outcome in _UNTRIED),
    )
