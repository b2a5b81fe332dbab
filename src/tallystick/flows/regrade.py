"""Graders run again on submitted files: the verifier's Protocol, implemented with the runner's grade pass."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from tallystick.core.digest import Digest
from tallystick.core.errors import TallyError
from tallystick.records.base import digest_of
from tallystick.records.blobs import BlobReader
from tallystick.records.containers import BundleFile
from tallystick.records.evidence import Grade
from tallystick.records.task import Task
from tallystick.records.tree import Tree, parse_tree
from tallystick.runner.grading import GradeFailedError, SandboxGrader
from tallystick.sandbox.drivers import SandboxName, open_sandbox, probe
from tallystick.sandbox.spec import SandboxError, SandboxUnavailableError
from tallystick.suites.loaded import LoadedSuite
from tallystick.verify.ports import CannotRegradeError, RegradeFailedError

__all__ = ["SandboxRegrader", "regrader"]

_Key = tuple[str, Digest]


class SandboxRegrader:
    """Regrades in this machine's sandbox, `workers` rows ahead of the verifier that asks row by row."""

    def __init__(
        self,
        suite: LoadedSuite,
        sandbox: SandboxName,
        file: BundleFile,
        workers: int,
        *,
        before: Callable[[], None] | None,
        after: Callable[[int, int], None] | None,
    ) -> None:
        self._before, self._after, self._done = before, after, 0
        self._suite = suite
        self._cancel = threading.Event()
        self._grader = SandboxGrader(open_sandbox(sandbox), self._cancel)
        self._pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="regrade")
        self._file = file
        self._coming = _rows(suite, file)
        self._ahead: dict[_Key, list[Future[Grade]]] = {}
        self._workers = workers

    def close(self) -> None:
        """End what was started and is not wanted any more."""
        self._cancel.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def regrade(self, task: Task, final: Tree, refused_total: int, blobs: BlobReader) -> Grade:  # noqa: ARG002 - the Protocol
        """The grade of `final` by this machine.

        Raises:
            CannotRegradeError: this machine cannot start the sandbox.
            RegradeFailedError: it can, and with these files no grade came of it.
        """
        if self._before is not None:
            self._before()
            self._before = None
        key = (task.id, digest_of(final))
        self._look_ahead()
        waiting = self._ahead.get(key)
        try:
            return waiting.pop(0).result() if waiting else self._grade(task, final)
        except SandboxUnavailableError as error:
            raise CannotRegradeError(str(error)) from None
        except (GradeFailedError, SandboxError, OSError, ValueError) as error:
            # OSError and ValueError: what the system or Python says of names and sizes that only these files have.
            raise RegradeFailedError(str(error)) from None
        finally:
            self._done += 1
            if self._after is not None:
                self._after(self._done, max(self._done, len(self._file.bundle.task_results)))

    def _grade(self, task: Task, final: Tree) -> Grade:
        return self._grader.grade(self._suite, task, final, self._file).grade

    def _look_ahead(self) -> None:
        while sum(map(len, self._ahead.values())) < 2 * self._workers:
            row = next(self._coming, None)
            if row is None:
                return
            task, final = row
            self._ahead.setdefault((task.id, digest_of(final)), []).append(self._pool.submit(self._grade, task, final))


def _rows(suite: LoadedSuite, file: BundleFile) -> Iterator[tuple[Task, Tree]]:
    """Task and final workspace of every row that has one; rows that cannot be read are the verifier's to name."""
    tasks = {task.task_hash: task for task in suite.tasks}
    for result in file.bundle.task_results:
        with contextlib.suppress(TallyError):
            final = file.receipt(result.receipt_hash).link("workspace.final")
            task = tasks.get(result.task_hash)
            if task is not None and final is not None:
                yield task, parse_tree(file.read(final))


@contextlib.contextmanager
def regrader(
    suite: LoadedSuite,
    sandbox: SandboxName,
    file: BundleFile,
    workers: int,
    *,
    before: Callable[[], None] | None = None,
    after: Callable[[int, int], None] | None = None,
) -> Iterator[SandboxRegrader | str]:
    """A regrader, or one line that says why this machine cannot regrade.

    `before` is called before the first grader starts, `after` after each, with how many of how many are done.
    """
    problem = probe().problem if sandbox == "bwrap" else None
    if problem is not None:
        yield problem
        return
    try:
        opened = SandboxRegrader(suite, sandbox, file, workers, before=before, after=after)
    except SandboxUnavailableError as error:
        yield str(error)
        return
    try:
        yield opened
    finally:
        opened.close()
