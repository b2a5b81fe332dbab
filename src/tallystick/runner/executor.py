"""The local executor: attempts in order on a few threads, each stored before it counts, the same call resumes.

Threads are enough: an attempt's work is in its sandboxes, the rest is hashing and writing, which release the lock.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Protocol

from tallystick.core.exact import Num
from tallystick.recording.runs import RunFolder
from tallystick.records.base import UnsetType
from tallystick.records.bundle import Observed
from tallystick.records.evidence import Attempt, Receipt
from tallystick.records.journal import AttemptEnd
from tallystick.records.shard import Share
from tallystick.records.state import FinishedAttempt
from tallystick.records.task import Task
from tallystick.runner.attempt import (
    AttemptDone,
    CancelledError,
    Workbench,
    interrupted_receipt,
    refused_receipt,
    run_attempt,
)

__all__ = ["Executed", "Progress", "ProgressListener", "attempts_of", "end_of", "execute"]

AGAIN = frozenset({"infra_error", "refused"})
"""Outcomes that a later start of the same command tries again; the earlier receipt stays in `tries`."""


RETRIES = 2
"""How often an attempt is tried again at once because its provider failed; every try's receipt is kept."""
RETRY_WAIT_S = 1.0
"""Seconds before the first of them; the next waits twice as long. Agents and the gateway's caller have waited before that."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is, after an attempt finished or started."""

    done: int
    total: int
    resumed: int
    running: tuple[str, ...]
    seconds_left: float | None
    """Estimate from the attempts finished in this process; None before the first."""
    last: str | None
    cost_usd: Num
    """What is known to be spent."""
    cost_unknown: int = 0
    """Finished attempts of which nobody knows what they cost."""


class ProgressListener(Protocol):
    """Is told about progress, from one thread at a time."""

    def __call__(self, progress: Progress) -> None:
        """Show it."""
        ...


@dataclass(frozen=True, slots=True)
class Executed:
    """All attempts of a run in suite order, or as many as were done before it was stopped."""

    attempts: tuple[FinishedAttempt, ...]
    resumed: int
    refused: int
    stopped: bool
    notes: tuple[str, ...] = ()
    """What the gateway had to say of attempts of this call, each line once."""


def end_of(receipt: Receipt) -> AttemptEnd | None:
    """The last event, if it ends the attempt."""
    last = receipt.events[-1] if receipt.events else None
    return last if isinstance(last, AttemptEnd) else None


class _Run:
    """State of one call of `execute`."""

    def __init__(self, bench: Workbench, folder: RunFolder, budget: Num | None, listener: ProgressListener | None) -> None:
        self.bench, self.folder, self.budget, self.listener = bench, folder, budget, listener
        self.lock = threading.Lock()
        self.finished: dict[tuple[str, int], FinishedAttempt] = {}
        self.running: list[str] = []
        self.total = self.resumed = self.fresh = self.cost_unknown = 0
        self.cost = Fraction(0)
        self.notes: dict[str, None] = {}
        self.started = time.monotonic()

    def recover(self, work: Iterable[tuple[Task, Attempt]]) -> list[tuple[Task, Attempt, FinishedAttempt | None]]:
        """What is still to do, with the earlier end of attempts that are tried again."""
        todo: list[tuple[Task, Attempt, FinishedAttempt | None]] = []
        for task, attempt in work:
            self.total += 1
            stored = self.folder.finished(task.id, attempt)
            end = end_of(stored.receipt) if stored else None
            if stored is None or end is None or end.outcome in AGAIN:
                todo.append((task, attempt, stored))
            else:
                self.folder.forget_begun(task.id, attempt)
                self.finished[task.id, attempt.index] = stored
                self.resumed += 1
                self._add_cost(stored.observed)
        return todo

    def _add_cost(self, observed: Observed) -> None:
        if isinstance(observed.cost_usd, UnsetType):
            self.cost_unknown += 1
        else:
            self.cost += Fraction(observed.cost_usd)

    def one(self, task: Task, attempt: Attempt, earlier: FinishedAttempt | None) -> None:
        """Run and store one attempt."""
        if self.bench.cancel.is_set():
            return
        label = f"{task.id} #{attempt.index}"
        with self.lock:
            over = self.budget is not None and self.cost >= Fraction(self.budget)
            self.running.append(label)
            self._tell(None)
        try:
            done, tries = self._attempt(task, attempt, earlier, over=over)
        except CancelledError:
            return
        finally:
            with self.lock:
                self.running.remove(label)
        result = FinishedAttempt(receipt=done.receipt, observed=done.observed, tries=tries)
        self.bench.store.flush()  # first the blobs, then the document that names them
        self.folder.finish(task.id, result)
        with self.lock:
            self.notes |= dict.fromkeys(done.problems)
            self.finished[task.id, attempt.index] = result
            self.fresh += 1
            self._add_cost(done.observed)
            self._tell(label)

    def _attempt(
        self, task: Task, attempt: Attempt, earlier: FinishedAttempt | None, *, over: bool
    ) -> tuple[AttemptDone, tuple[Receipt, ...]]:
        tries = (*earlier.tries, earlier.receipt) if earlier else ()
        if over:
            return refused_receipt(self.bench, task, attempt), tries
        for again in range(RETRIES + 1):
            cut_off = self.folder.begin(task.id, attempt, len(tries))
            if cut_off:
                tries += (interrupted_receipt(self.bench, task, attempt),) * cut_off
            done = run_attempt(self.bench, task, attempt)
            end = end_of(done.receipt)
            if again == RETRIES or end is None or end.cause != "provider_failed" or self._waits(again):
                break
            tries += (done.receipt,)
        return done, tries

    def _waits(self, again: int) -> bool:
        """Wait before the next try, longer each time; whether the run was stopped meanwhile."""
        deadline = time.monotonic() + RETRY_WAIT_S * 2**again
        while time.monotonic() < deadline:
            if self.bench.cancel.wait(0.1):
                return True
        return False

    def _tell(self, last: str | None) -> None:
        if self.listener is None:
            return
        left = self.total - len(self.finished)
        pace = (time.monotonic() - self.started) / self.fresh if self.fresh else None
        self.listener(
            Progress(
                done=len(self.finished),
                total=self.total,
                resumed=self.resumed,
                running=tuple(self.running),
                seconds_left=None if pace is None else pace * left,
                last=last,
                cost_usd=_dollars(self.cost),
                cost_unknown=self.cost_unknown,
            )
        )


def _dollars(cost: Fraction) -> Num:
    return Decimal(cost.numerator) / Decimal(cost.denominator)


def attempts_of(tasks: tuple[Task, ...], of: int, share: Share | None = None) -> list[tuple[Task, Attempt]]:
    """The attempts of a run, tasks in suite order and attempts from 1, or one share of them."""
    work = [(task, Attempt(index=index, of=of)) for task in tasks for index in range(1, of + 1)]
    return list(share.take(work)) if share else work


def execute(
    bench: Workbench,
    folder: RunFolder,
    tasks: tuple[Task, ...],
    *,
    workers: int,
    budget: Num | None = None,
    listener: ProgressListener | None = None,
    share: Share | None = None,
) -> Executed:
    """Run every attempt of `folder.state`, or of this share of them, that is not finished yet.

    Setting `bench.cancel` stops it: what runs is killed and counts as a cut-off try, what is finished stays.

    Raises:
        StoreError: the state folder failed; everything stored before stays.
    """
    of = folder.state.attempts
    work = attempts_of(tasks, of, share)
    run = _Run(bench, folder, budget, listener)
    todo = run.recover(work)
    _in_threads(workers, [partial(run.one, *item) for item in todo], bench.cancel)
    ordered = [run.finished[task.id, attempt.index] for task, attempt in work if (task.id, attempt.index) in run.finished]
    refused = sum(1 for each in ordered if (end := end_of(each.receipt)) is not None and end.outcome == "refused")
    return Executed(tuple(ordered), run.resumed, refused, stopped=len(ordered) < len(work), notes=tuple(run.notes))


def _in_threads(workers: int, calls: list[Callable[[], None]], cancel: threading.Event) -> None:
    """Run `calls` in order on `workers` threads; the first error stops the rest and comes out."""
    pending: set[Future[None]] = set()
    queue = iter(calls)
    with _pool(workers, cancel) as pool:
        exhausted = False
        while pending or not exhausted:
            while not exhausted and len(pending) < workers and not cancel.is_set():
                call = next(queue, None)
                if call is None:
                    exhausted = True
                else:
                    pending.add(pool.submit(call))
            if cancel.is_set():
                exhausted = True
            done, pending = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()


@contextlib.contextmanager
def _pool(workers: int, cancel: threading.Event) -> Iterator[ThreadPoolExecutor]:
    """Threads that are all gone afterwards, also where a signal interrupts the waiting for them."""
    pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="attempt")
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        cancel.set()
        pool.shutdown(cancel_futures=True)
        raise
