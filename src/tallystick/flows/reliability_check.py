"""Attempts of a reliability receipt made again, fresh: whether coordination, and the whole receipt, come out the same."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.core.errors import InputError
from tallystick.flows.reliability import open_receipt, receipt_suite, verify_opened
from tallystick.flows.replay import difference_of, other_agent
from tallystick.flows.run import RunRequest, make_bench, with_models
from tallystick.flows.verified import NotVerifiedError
from tallystick.flows.verify import VerifyRequest
from tallystick.recording.blobs import BlobStore
from tallystick.recording.passing import passing_folder
from tallystick.records.bundle import Bundle, TaskResult
from tallystick.records.containers import BundleFile, ReliabilityFile
from tallystick.records.report import LACKING, Status
from tallystick.runner.adapters import Adapter
from tallystick.runner.attempt import Workbench, run_attempt
from tallystick.scoring.coordination import LaneDifference, first_difference
from tallystick.suites.loading import LoadedSuite

__all__ = ["CheckRequest", "Checked", "check_reliability"]

Requested = Callable[[Bundle, LoadedSuite, Path], RunRequest]
"""(bundle, suite, state folder) -> how its run is asked for again on this machine."""
_COMPARED: Final = frozenset({Status.MATCH, Status.COORDINATION_DIVERGED, *LACKING})
"""What a receipt may be: where its attempts differ among themselves, one of them can still be compared."""


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """Which attempts of a receipt to make again. `tasks` is empty for all of them; `attempt` counts from 1."""

    path: Path
    again: Requested
    suite: LoadedSuite | None = None
    tasks: tuple[str, ...] = ()
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Checked:
    """One attempt made again. `coordination`: where the lanes part. `receipt`: the receipts' first difference, or empty."""

    task_id: str
    attempt: int
    coordination: LaneDifference | None
    receipt: str


def check_reliability(request: CheckRequest, *, listener: Callable[[str], None] | None = None) -> Iterator[Checked]:
    """Make the attempts again, one after the other.

    Raises:
        InputError: the receipt cannot be read or holds no such attempt, or the agent here is another one.
        NotVerifiedError: the receipt does not verify, so its attempts are nothing to compare with.
        SandboxUnavailableError: this machine cannot start the sandbox.
    """
    opened = open_receipt(request.path)
    if opened.bundle is None:
        raise InputError("the receipt holds no bundle, so there is nothing to compare with")
    suite = receipt_suite(opened, request.suite)
    _check_verified(opened, suite, request.path)
    results = _wanted(opened.bundle.bundle, request)
    tell = listener or (lambda _: None)
    with passing_folder("check") as folder:
        asked = request.again(opened.bundle.bundle, suite, folder)
        _check_agent(asked.adapter, opened.bundle.bundle)
        bench, found = make_bench(asked, BlobStore(folder / "blobs"), threading.Event())
        with with_models(asked, bench, found, None) as ready:
            for result in results:
                tell(f"{result.task_id} attempt {result.attempt.index}")
                yield _check(ready, opened.bundle, result)


def _check_verified(opened: ReliabilityFile, suite: LoadedSuite, path: Path) -> None:
    """Every number follows from the attempts inside, and every attempt is there."""
    report = verify_opened(opened, VerifyRequest(path=path, suite=suite, execute=False))
    if report.status not in _COMPARED:
        why = next(iter(report.reasons), "")
        raise NotVerifiedError(
            f"{path} does not verify: {report.status.value}, {why}; see: tally bench reliability-verify {path}"
        )


def _wanted(bundle: Bundle, request: CheckRequest) -> list[TaskResult]:
    known = {result.task_id for result in bundle.task_results}
    for name in request.tasks:
        if name not in known:
            raise InputError(f"the receipt has no task {name[:80]!r}; it has {', '.join(sorted(known))}")
    k = bundle.scheduler_config.attempts
    if not 1 <= request.attempt <= k:
        raise InputError(f"--attempt {request.attempt}: the receipt has attempts 1 to {k}")
    return [
        result
        for result in bundle.task_results
        if result.attempt.index == request.attempt and (not request.tasks or result.task_id in request.tasks)
    ]


def _check_agent(adapter: Adapter, bundle: Bundle) -> None:
    if adapter.agent != bundle.agent:
        raise InputError(other_agent(bundle.agent, adapter.agent))


def _check(bench: Workbench, file: BundleFile, result: TaskResult) -> Checked:
    recorded = file.receipt(result.receipt_hash)
    again = run_attempt(bench, bench.suite.task(result.task_id), result.attempt).receipt
    return Checked(
        result.task_id,
        result.attempt.index,
        first_difference(recorded.events, again.events),
        difference_of(recorded, again),
    )
