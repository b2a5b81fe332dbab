"""Grades of untouched workspaces: what passed before an agent came, so that a regression is known for what it is.

Nothing of a submitter is run for it: workspace and graders are the reader's own suite. A grade is made when it is first asked
for and kept by the task's hash, which names workspace, grader and policy.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from tallystick.core.errors import InputError
from tallystick.recording.durable import StoreError, write_durably
from tallystick.records.base import write
from tallystick.records.evidence import Grade, parse_grade
from tallystick.records.task import Task
from tallystick.runner.grading import GradeFailedError, GradePasser, SandboxGrader
from tallystick.sandbox.drivers import SandboxName, open_sandbox, probe
from tallystick.sandbox.spec import SandboxError
from tallystick.scoring.verdict import EvidenceError, graded_results, needs_grader
from tallystick.suites.loaded import LoadedSuite

__all__ = ["Baselines"]


class Baselines:
    """Makes and keeps them. `problem` says why none can be made, once one was asked for; None while all went well."""

    def __init__(self, folder: Path | None, sandbox: SandboxName | None = "bwrap", grader: GradePasser | None = None) -> None:
        """`folder` is where grades are kept (None: nowhere), `sandbox` where they are made (None: not at all)."""
        self.problem: str | None = None
        self._folder, self._sandbox, self._grader = folder, sandbox, grader
        self._made: dict[str, Grade | None] = {}

    def of(self, suite: LoadedSuite, task: Task) -> Grade | None:
        """The grade of the task's untouched workspace; None where there is nothing to execute, or it cannot be made here."""
        if task.task_hash not in self._made:
            self._made[task.task_hash] = self._find(suite, task) if needs_grader(task) else None
        return self._made[task.task_hash]

    def _find(self, suite: LoadedSuite, task: Task) -> Grade | None:
        kept = self._kept(task)
        if kept is not None:
            return kept
        grader = self._open()
        if grader is None:
            return None
        try:
            grade = grader.grade(suite, task, suite.tree(task.workspace), suite.blobs).grade
        except (GradeFailedError, SandboxError) as error:
            self.problem = f"{task.id}: {error}"
            return None
        self._keep(task, grade)
        return grade

    def _open(self) -> GradePasser | None:
        if self._grader is None and self._sandbox is None:
            self.problem = "nothing is run"
        elif self._grader is None and self._sandbox is not None:
            self.problem = probe().problem if self._sandbox == "bwrap" else None
            if self.problem is None:
                self._grader = SandboxGrader(open_sandbox(self._sandbox))
        return self._grader

    def _path(self, task: Task) -> Path | None:
        return None if self._folder is None else self._folder / f"{task.task_hash.removeprefix('sha256:')}.json"

    def _kept(self, task: Task) -> Grade | None:
        """A grade that was made before, as far as it is this task's; a damaged one is made anew."""
        path = self._path(task)
        if path is None:
            return None
        try:
            grade = parse_grade(path.read_bytes())
            graded_results(task, grade)
        except (OSError, InputError, EvidenceError):
            return None
        return grade if (grade.task_hash, grade.workspace) == (task.task_hash, task.workspace) else None

    def _keep(self, task: Task, grade: Grade) -> None:
        path = self._path(task)
        if path is not None:
            with contextlib.suppress(StoreError, OSError):  # it is made again where it cannot be kept
                path.parent.mkdir(parents=True, exist_ok=True)
                write_durably(path, write(grade))
