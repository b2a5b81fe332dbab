"""The proof of a suite: nop fails every task, oracle passes every task twice alike, every cheat fails for its stated reason.

Where tasks have partial solutions, each gets its stated score, in their order. Task families are proven seed by seed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.flows.run import RunDone, RunRequest, run
from tallystick.recording.passing import passing_folder
from tallystick.records.base import UNSET
from tallystick.records.blobs import ChainedBlobs
from tallystick.records.bundle import TaskResult
from tallystick.records.task import Suite, Task, hash_task
from tallystick.records.tree import Tree
from tallystick.runner.adapters import Adapter, CheatAdapter, NopAdapter, OracleAdapter, PartialAdapter
from tallystick.sandbox.drivers import SandboxName
from tallystick.suites.authoring import assemble
from tallystick.suites.fairness import Finding, find_gaps, find_unfair
from tallystick.suites.families.drawing import DrawRequest, draw, drawn_again
from tallystick.suites.loaded import LoadedSuite, Proofs

__all__ = ["CheckRow", "SuiteCheck", "check_families", "check_suite"]

_SEEDS_AT_ONCE: Final = 10
"""As many draws are held in memory, and tried as one suite."""


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
    drawn: str | None = None
    """Of a drawn suite: empty where drawing it again gave the same hash, else why not."""
    is_one_suite: bool = True
    """False where these are tasks of families, of many seeds."""

    @property
    def ok(self) -> bool:
        """Whether the suite is proven."""
        return bool(self.rows) and all(row.ok for row in self.rows) and not self.drawn

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
        rows += _oracle(_Trial(suite, folder, workers, sandbox, listener))
        trial = _Trial(_unjudged(suite), folder, workers, sandbox, listener)
        rows += _nop(trial)
        for name in sorted({cheat.name for cheat in suite.cheats}):
            rows += _cheat(trial, name)
        for name in sorted({partial.name for partial in suite.partials}):
            rows += _partial(trial, name)
    order = {task.id: index for index, task in enumerate(suite.tasks)}
    drawn = None if suite.document.drawn_from is UNSET else _drawn_again(suite.document)
    return SuiteCheck(tuple(sorted(rows, key=lambda row: order[row.task_id])), find_gaps(suite), drawn)


def _unjudged(suite: LoadedSuite) -> LoadedSuite:
    """The same tasks without the static judge, which takes longer than most graders and decides nothing."""
    tasks = [_changed(task, judge=UNSET) for task in suite.tasks]
    return dataclasses.replace(suite, document=assemble(suite.version, tasks, suite.trees, suite.proofs))


def _changed(task: Task, **members: object) -> Task:
    """The task with other members, and the hash that follows from them."""
    changed = msgspec.structs.replace(task, **members)
    return msgspec.structs.replace(changed, task_hash=hash_task(changed))


def _drawn_again(document: Suite) -> str:
    """Empty, or why the suite cannot be drawn again."""
    try:
        drawn_again(document)
    except InputError as error:
        return str(error)
    return ""


def check_families(
    names: Sequence[str],
    seeds: int,
    *,
    workers: int = 2,
    sandbox: SandboxName = "bwrap",
    listener: Callable[[str], None] | None = None,
) -> SuiteCheck:
    """Draw one task of each family with each of the seeds 1 to `seeds`, and try everything on all of them.

    The ids of the tasks are `<family>-1.seed-<seed>`. Errors as `check_suite` and `suites.families.drawing.draw`.
    """
    rows: list[CheckRow] = []
    advice: list[Finding] = []
    for first in range(1, seeds + 1, _SEEDS_AT_ONCE):
        last = min(first + _SEEDS_AT_ONCE - 1, seeds)
        suite = _together(names, range(first, last + 1))
        told = None if listener is None else partial(_tell_seeds, listener, first, last)
        found = check_suite(suite, workers=workers, sandbox=sandbox, listener=told)
        rows += found.rows
        advice += found.advice
    return SuiteCheck(tuple(rows), tuple(advice), is_one_suite=False)


def _together(names: Sequence[str], seeds: range) -> LoadedSuite:
    """One suite of what is drawn with each seed, so that attempts of several seeds run at once."""
    tasks: list[Task] = []
    trees: dict[Digest, Tree] = {}
    proofs, blobs = Proofs(), []
    for seed in seeds:
        drawn = draw(DrawRequest(version=f"seed-{seed}", seed=str(seed), counts=dict.fromkeys(names, 1)))
        ids = {task.id: f"{task.id}.seed-{seed}" for task in drawn.tasks}
        tasks += [_changed(task, id=ids[task.id]) for task in drawn.tasks]
        proofs += drawn.proofs.renamed(ids)
        trees |= drawn.trees
        blobs.append(drawn.blobs)
    document = assemble(f"seeds-{seeds[0]}-{seeds[-1]}", tasks, trees, proofs)
    return LoadedSuite(document, ChainedBlobs(*blobs), "reader", trees)


def _tell_seeds(listener: Callable[[str], None], first: int, last: int, name: str) -> None:
    listener(f"seeds {first} to {last}: {name}")


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


def _partial(trial: _Trial, name: str) -> list[CheckRow]:
    stated = {each.task_id: each.score for each in trial.suite.partials if each.name == name}
    rows = []
    for result in trial.results(trial.run(PartialAdapter(name), tasks=tuple(stated))):
        wanted = stated[result.task_id]
        got = "it passed" if result.passed else f"it scores {result.score} ({_why(result)})"
        ok = not result.passed and result.score == wanted
        rows.append(
            CheckRow(result.task_id, f"partial:{name}", ok=ok, detail=f"scores {wanted}" if ok else f"stated: {wanted}; {got}")
        )
    return rows
