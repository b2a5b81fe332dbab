"""The proof of a suite: nop fails every task, oracle passes every task twice alike, every cheat fails for its stated reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tallystick.flows.run import RunDone, RunRequest, run
from tallystick.recording.passing import passing_folder
from tallystick.records.bundle import TaskResult
from tallystick.runner.adapters import Adapter, CheatAdapter, NopAdapter, OracleAdapter
from tallystick.sandbox.drivers import SandboxName
from tallystick.suites.fairness import Finding, find_gaps, find_unfair
from tallystick.suites.loaded import LoadedSuite

__all__ = ["CheckRow", "SuiteCheck", "check_suite"]


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One thing that was tried on one task, and whether it came out as a fair task demands."""

    task_id: str
    tried: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class SuiteCheck:
    """Everything that was tried; `ok` when every row is."""

    rows: tuple[CheckRow, ...]
    advice: tuple[Finding, ...] = ()
    """What is not wrong and could be better: tasks without cheats, assertions that no cheat trips."""

    @property
    def ok(self) -> bool:
        """Whether the suite is proven."""
        return bool(self.rows) and all(row.ok for row in self.rows)

    def count(self, tried: str) -> tuple[int, int]:
        """(rows that came out right, rows) of one thing that was tried."""
        rows = [row for row in self.rows if row.tried.split(":")[0] == tried]
        return sum(row.ok for row in rows), len(rows)


def check_suite(
    suite: LoadedSuite,
    *,
    workers: int = 2,
    sandbox: SandboxName = "bwrap",
    listener: Callable[[str], None] | None = None,
) -> SuiteCheck:
    """Try everything in a temporary state folder.

    Raises:
        InputError: a task has no reference solution.
        SandboxUnavailableError: this machine cannot start the sandbox.
    """
    rows = [
        CheckRow(finding.task_id, f"static:{finding.code}", ok=False, detail=finding.message) for finding in find_unfair(suite)
    ]
    with passing_folder("check") as folder:
        trial = _Trial(suite, folder, workers, sandbox, listener)
        rows += _nop(trial)
        rows += _oracle(trial)
        for name in sorted({cheat.name for cheat in suite.cheats}):
            rows += _cheat(trial, name)
    order = {task.id: index for index, task in enumerate(suite.tasks)}
    return SuiteCheck(tuple(sorted(rows, key=lambda row: order[row.task_id])), find_gaps(suite))


@dataclass(frozen=True, slots=True)
class _Trial:
    suite: LoadedSuite
    folder: Path
    workers: int
    sandbox: SandboxName
    listener: Callable[[str], None] | None

    def run(self, adapter: Adapter, tasks: tuple[str, ...] = (), attempts: int = 1) -> RunDone:
        if self.listener is not None:
            self.listener(adapter.agent.name)
        request = RunRequest(
            suite=self.suite,
            adapter=adapter,
            state=self.folder,
            tasks=tasks,
            attempts=attempts,
            workers=self.workers,
            sandbox=self.sandbox,
            fresh=True,
        )
        return run(request)

    def results(self, done: RunDone) -> tuple[TaskResult, ...]:
        return () if done.bundle is None else done.bundle.task_results


def _why(result: TaskResult) -> str:
    output = result.harness_output
    if output.outcome == "passed":
        return "passed"
    return ", ".join(output.failed) or str(output.cause or output.limit or output.outcome)


def _nop(trial: _Trial) -> list[CheckRow]:
    return [
        CheckRow(result.task_id, "nop", ok=result.harness_output.outcome == "failed", detail=_why(result))
        for result in trial.results(trial.run(NopAdapter()))
    ]


def _oracle(trial: _Trial) -> list[CheckRow]:
    first, second = (trial.results(trial.run(OracleAdapter())) for _ in range(2))
    rows = []
    for one, other in zip(first, second, strict=True):
        same = one.receipt_hash == other.receipt_hash
        detail = _why(one) if not one.passed else "the same receipt twice" if same else "two runs gave two receipts"
        rows.append(CheckRow(one.task_id, "oracle", ok=one.passed and other.passed and same, detail=detail))
    return rows


def _cheat(trial: _Trial, name: str) -> list[CheckRow]:
    stated = {cheat.task_id: cheat.fails for cheat in trial.suite.cheats if cheat.name == name}
    results = trial.results(trial.run(CheatAdapter(name), tasks=tuple(stated)))
    rows = []
    for result in results:
        wanted, found = sorted(stated[result.task_id]), sorted(result.harness_output.failed)
        got = "it passed" if result.passed else f"failed: {', '.join(found)}" if found else _why(result)
        detail = ", ".join(found) if wanted == found else f"stated: {', '.join(wanted)}; {got}"
        rows.append(CheckRow(result.task_id, f"cheat:{name}", ok=not result.passed and wanted == found, detail=detail))
    return rows
