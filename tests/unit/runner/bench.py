"""A workbench with fakes: the tiny suite, a sandbox that is a function, and a store in a temporary folder."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

from tallystick.core.errors import TallyError
from tallystick.recording.blobs import BlobStore
from tallystick.recording.runs import RunFolder, new_run
from tallystick.records.base import digest_of
from tallystick.records.blobs import BlobReader
from tallystick.records.evidence import Agent, Attempt, Config, Grade
from tallystick.records.state import RunState
from tallystick.records.task import Task
from tallystick.records.tree import Overlay, Tree
from tallystick.runner.adapters import Adapter, Launch
from tallystick.runner.attempt import Workbench
from tallystick.runner.grading import GradePass, GradePasser
from tallystick.runner.mock import MockGrader
from tallystick.sandbox.spec import Sandbox
from tallystick.suites.allowed import grade_tree
from tallystick.suites.loaded import LoadedSuite
from tests.support.fake_sandbox import TINY, FakeSandbox

__all__ = ["CONFIG", "BrokenGrader", "FakeGrader", "Starter", "folder_for", "workbench"]

CONFIG = Config(sandbox="bwrap", network="none", policy="v1")


class Starter:
    """An adapter that starts one program."""

    agent = Agent(adapter="command", name="starter", self_test=False, argv=("prog",))

    def __init__(self, *argv: str) -> None:
        self.argv = argv or ("prog",)

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Overlay | Launch:
        """Start it."""
        del suite, task, attempt
        return Launch(argv=self.argv, stdin=b"text")


@dataclass
class FakeGrader:
    """Grades without results, and remembers what it was given."""

    given: list[tuple[str, Tree]] = field(default_factory=list)

    def grade(self, suite: LoadedSuite, task: Task, final: Tree, blobs: BlobReader) -> GradePass:
        """An empty grade."""
        del blobs
        self.given.append((task.id, final))
        graded, excluded = grade_tree(task, suite.tree(task.workspace), final)
        grade = Grade(
            task_hash=task.task_hash,
            workspace=digest_of(final),
            graded=digest_of(graded),
            excluded=excluded,
            mode=task.grading.mode,
            results=(),
        )
        return GradePass(grade, graded, (("grade.x.stdout", b"raw"),), 5)


@dataclass
class BrokenGrader:
    """Raises the next of `errors`, then grades as the mock does."""

    errors: list[TallyError]

    def grade(self, suite: LoadedSuite, task: Task, final: Tree, blobs: BlobReader) -> GradePass:
        """Raise or grade."""
        if self.errors:
            raise self.errors.pop(0)
        return MockGrader().grade(suite, task, final, blobs)


def workbench(
    folder: Path,
    adapter: Adapter,
    *,
    sandbox: Sandbox | None = None,
    grader: GradePasser | None = None,
    suite: LoadedSuite = TINY,
) -> Workbench:
    """A bench whose blobs are below `folder`."""
    return Workbench(
        suite=suite,
        adapter=adapter,
        config=CONFIG,
        sandbox=sandbox or FakeSandbox(),
        grader=grader or MockGrader(),
        store=BlobStore(folder / "blobs"),
        python="3.11.0",
        cancel=threading.Event(),
    )


def folder_for(bench: Workbench, folder: Path, attempts: int = 1) -> RunFolder:
    """A new run folder for all tasks of the bench's suite."""
    state = RunState(
        run_id=bench.run_id,
        suite_hash=bench.suite.suite_hash,
        suite_version=bench.suite.version,
        agent=bench.adapter.agent,
        config=bench.config,
        tasks=tuple(task.id for task in bench.suite.tasks),
        attempts=attempts,
        ordinal=1,
        started_at=0,
    )
    return new_run(folder, state)
