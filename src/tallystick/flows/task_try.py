"""Somebody sits where the agent sits: a shell or a script in the agent's sandbox; then the same seal and grade pass."""

from __future__ import annotations

import platform
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tallystick.core.errors import InputError
from tallystick.recording.blobs import BlobStore
from tallystick.recording.passing import passing_folder
from tallystick.records.base import UnsetType
from tallystick.records.blobs import ChainedBlobs
from tallystick.records.evidence import Agent, Attempt, Config, Grade, parse_grade
from tallystick.records.journal import WorkspaceSealed
from tallystick.records.task import Task
from tallystick.records.tree import compare_trees, parse_tree
from tallystick.runner.adapters import Adapter, Launch
from tallystick.runner.attempt import AttemptDone, Workbench, run_attempt
from tallystick.runner.grading import SandboxGrader
from tallystick.sandbox.drivers import open_sandbox
from tallystick.sandbox.spec import Cancel, Mount, Outcome, Sandbox, Spec, Talk
from tallystick.scoring.portable import Workspaces
from tallystick.scoring.verdict import Verdict, derive, event_of
from tallystick.suites.loaded import LoadedSuite

__all__ = ["SHELL_HOURS", "Terminal", "Tried", "TriedCheck", "try_script", "try_shell"]

SHELL_HOURS: Final = 8
"""A person may take longer than the task gives an agent."""
_SCRIPT_BYTES: Final = 1 << 20
_OUTPUT_BYTES: Final = 8 * 1024
_TERMINAL: Final = Path(__file__).parents[1] / "runner" / "inside" / "terminal.py"
_PLACE: Final = "/tally/lib/terminal.py"


@dataclass(frozen=True, slots=True)
class TriedCheck:
    """An assertion: whether it holds (None where nothing was graded), and the tests of a grader that did not pass."""

    id: str
    holds: bool | None
    bad: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tried:
    """What a try came to. `outputs` are (name, end of the text) of the program and of graders."""

    passed: bool
    why: str
    changes: tuple[str, ...]
    excluded: tuple[str, ...]
    refused: tuple[str, ...]
    checks: tuple[TriedCheck, ...]
    outputs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Terminal:
    """A person's terminal: `talk` carries its bytes to the program and back; the size in characters."""

    talk: Talk
    rows: int = 24
    columns: int = 80


def try_script(suite: LoadedSuite, task_id: str, script: bytes) -> Tried:
    """Run a shell script as the agent and grade what it leaves.

    Raises:
        InputError: no such task, or a script that is no text or too long.
        SandboxUnavailableError: this machine cannot start the sandbox.
    """
    if len(script) > _SCRIPT_BYTES:
        raise InputError(f"the script has more than {_SCRIPT_BYTES} bytes")
    try:
        text = script.decode()
    except UnicodeDecodeError:
        raise InputError("the script is not UTF-8 text") from None
    launch = Launch(argv=("/bin/sh", "-c", text, "script"))
    return _try(suite, suite.task(task_id), _Person("script", launch), open_sandbox("bwrap"))


def try_shell(suite: LoadedSuite, task_id: str, terminal: Terminal, ready: Callable[[Task], None] | None = None) -> Tried:
    """Let a person work in an interactive shell and grade what is left. `ready` is called just before it starts.

    Raises: as `try_script`.
    """
    task = suite.task(task_id)
    shell = ("/bin/bash", "--norc", "-i") if Path("/bin/bash").exists() else ("/bin/sh", "-i")
    argv = ("python3", "-I", "-B", _PLACE, str(terminal.rows), str(terminal.columns), *shell)
    launch = Launch(argv=argv, env={"TERM": "xterm", "PS1": r"\w \$ "}, mounts=(Mount(_TERMINAL, _PLACE),))
    sandbox = _Interactive(open_sandbox("bwrap"), terminal.talk)
    if ready is not None:
        ready(task)
    return _try(suite, task, _Person("shell", launch), sandbox)


@dataclass(frozen=True, slots=True)
class _Person:
    """The adapter of whoever sits there."""

    name: str
    launch: Launch

    @property
    def agent(self) -> Agent:
        """A person at the keyboard, or their script: measures no agent."""
        return Agent(adapter="scripted", name=self.name, self_test=True, argv=self.launch.argv)

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Launch:  # noqa: ARG002 - the Protocol's shape
        """The shell."""
        return self.launch


class _Interactive:
    """A sandbox whose programs talk with a person, and take their time."""

    def __init__(self, inner: Sandbox, talk: Talk) -> None:
        self._inner, self._talk = inner, talk

    def run(
        self,
        spec: Spec,
        *,
        fill: Callable[[int], None],
        stdin: bytes = b"",  # noqa: ARG002 - the Protocol's shape
        talk: Talk | None = None,  # noqa: ARG002 - as above
        collect: Callable[[int], None] | None = None,
        cancel: Cancel | None = None,
        on_start: Callable[[int], None] | None = None,
    ) -> Outcome:
        """As `Sandbox.run`, with the person's conversation in place of any other."""
        patient = replace(spec, limits=replace(spec.limits, wall_ms=SHELL_HOURS * 3600 * 1000))
        return self._inner.run(patient, fill=fill, talk=self._talk, collect=collect, cancel=cancel, on_start=on_start)


def _try(suite: LoadedSuite, task: Task, adapter: Adapter, sandbox: Sandbox) -> Tried:
    """One attempt in a temporary state folder."""
    cancel = threading.Event()
    with passing_folder("try") as scratch:
        store = BlobStore(scratch / "blobs")
        config = Config(sandbox="bwrap", network="none", policy="v1")
        bench = Workbench(
            suite=suite,
            adapter=adapter,
            config=config,
            sandbox=sandbox,
            grader=SandboxGrader(open_sandbox("bwrap"), cancel),
            store=store,
            python=platform.python_version(),
            cancel=cancel,
        )
        return _told(bench, task, run_attempt(bench, task, Attempt(index=1, of=1)))


def _told(bench: Workbench, task: Task, done: AttemptDone) -> Tried:
    """The verdict, derived as a verifier would, and what it rests on."""
    store, receipt = bench.store, done.receipt
    blobs = ChainedBlobs(store, bench.suite.blobs)
    base = bench.suite.tree(task.workspace)
    final, link = receipt.link("workspace.final"), receipt.link("grade")
    after = base if final is None else parse_tree(store.read(final))
    grade = None if link is None else parse_grade(store.read(link))
    sealed = event_of(receipt, WorkspaceSealed)
    at = None
    if grade is not None:
        graded = parse_tree(store.read(grade.graded))
        at = Workspaces(base, after, graded, 0 if sealed is None else sealed.refused_total, blobs)
    verdict = derive(task, receipt, grade, at)
    changed = compare_trees(base, after)
    outputs = tuple(
        (name, store.read(digest)[-_OUTPUT_BYTES:].decode("utf-8", "replace")) for name, digest in done.observed.outputs
    )
    return Tried(
        passed=verdict.passed,
        why=_why(verdict),
        changes=(
            *(f"added {path}" for path in changed.added),
            *(f"changed {path}" for path in changed.modified),
            *(f"removed {path}" for path in changed.removed),
        ),
        excluded=() if grade is None else tuple(f"{each.path} ({each.reason})" for each in grade.excluded),
        refused=() if sealed is None else tuple(f"{each.path} ({each.reason})" for each in sealed.refused),
        checks=tuple(_check(check.id, grade, verdict) for check in task.assertions),
        outputs=outputs,
    )


def _why(verdict: Verdict) -> str:
    output = verdict.output
    if output.outcome == "passed":
        return "every assertion holds"
    if output.failed:
        return f"does not hold: {', '.join(output.failed)}"
    return str(output.cause or output.limit or output.outcome)


def _check(check_id: str, grade: Grade | None, verdict: Verdict) -> TriedCheck:
    if grade is None:
        return TriedCheck(check_id, None)
    result = next((each for each in grade.results if each.assertion == check_id), None)
    tests = () if result is None or isinstance(result.tests, UnsetType) else result.tests
    bad = tuple(f"{test.id}: {test.outcome}" for test in tests if test.outcome != "pass")
    return TriedCheck(check_id, check_id not in verdict.output.failed, bad)
