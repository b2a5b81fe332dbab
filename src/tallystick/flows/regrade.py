"""Graders run again on submitted files: the verifier's Protocol, implemented with the runner's grade pass."""

from __future__ import annotations

from tallystick.records.blobs import BlobReader
from tallystick.records.evidence import Grade
from tallystick.records.task import Task
from tallystick.records.tree import Tree
from tallystick.runner.grading import GradeFailedError, SandboxGrader
from tallystick.sandbox.drivers import SandboxName, open_sandbox, probe
from tallystick.sandbox.spec import SandboxError, SandboxUnavailableError
from tallystick.suites.loaded import LoadedSuite
from tallystick.verify.regrade import CannotRegradeError

__all__ = ["SandboxRegrader", "open_regrader"]


class SandboxRegrader:
    """Regrades in this machine's sandbox."""

    def __init__(self, suite: LoadedSuite, grader: SandboxGrader) -> None:
        self._suite = suite
        self._grader = grader

    def regrade(self, task: Task, final: Tree, blobs: BlobReader) -> Grade:
        """The grade of `final` by this machine.

        Raises:
            CannotRegradeError: the sandbox or the grader failed here.
        """
        try:
            return self._grader.grade(self._suite, task, final, blobs).grade
        except (GradeFailedError, SandboxError) as error:
            raise CannotRegradeError(str(error)) from None


def open_regrader(suite: LoadedSuite, sandbox: SandboxName) -> SandboxRegrader | str:
    """A regrader, or one line that says why this machine cannot regrade."""
    if sandbox == "bwrap":
        problem = probe().problem
        if problem is not None:
            return problem
    try:
        return SandboxRegrader(suite, SandboxGrader(open_sandbox(sandbox)))
    except SandboxUnavailableError as error:
        return str(error)
