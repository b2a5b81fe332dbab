"""How an agent is started: one Protocol, and the adapters that need nothing but this package.

`oracle`, `nop` and `cheat` lay known files over the workspace: they prove a suite and the harness and measure no agent.
`command` and `scripted` start a program in the sandbox.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from tallystick.core.errors import InputError
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.evidence import SELF_TEST_ADAPTERS, Agent, Attempt
from tallystick.records.task import Task
from tallystick.records.tree import EMPTY_TREE, Overlay
from tallystick.runner.closure import Program
from tallystick.sandbox.spec import Mount
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import LoadedSuite

__all__ = ["NO_CHANGE", "Adapter", "CheatAdapter", "CommandAdapter", "Launch", "NopAdapter", "OracleAdapter", "ScriptedAdapter"]


@dataclass(frozen=True, slots=True)
class Launch:
    """A program to start in the workspace."""

    argv: tuple[str, ...]
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)
    mounts: tuple[Mount, ...] = ()
    mask: tuple[str, ...] = ()


class Adapter(Protocol):
    """Starts one agent."""

    @property
    def agent(self) -> Agent:
        """Who is measured, as it stands in evidence."""
        ...

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Overlay | Launch:
        """What an attempt at `task` does: lay files over the workspace, or start a program."""
        ...


def _self_test(adapter: str, name: str | None = None) -> Agent:
    return Agent(adapter=adapter, name=name or adapter, self_test=adapter in SELF_TEST_ADAPTERS)


NO_CHANGE = Overlay(tree=EMPTY_TREE)
"""Leaves the base workspace as it is."""


class NopAdapter:
    """Does nothing; every task must fail for it."""

    agent = _self_test("nop")

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Overlay:  # noqa: ARG002 - the Protocol's shape
        """No change at all."""
        return NO_CHANGE


class OracleAdapter:
    """Applies the reference solution; every task must pass for it."""

    agent = _self_test("oracle")

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Overlay:  # noqa: ARG002 - the Protocol's shape
        """The task's reference solution.

        Raises:
            InputError: the suite does not ship one.
        """
        if isinstance(task.solution, UnsetType):
            raise InputError(f"task {task.id} has no solution/, so the oracle cannot attempt it")
        return task.solution


class CheatAdapter:
    """Applies one named cheat where a task has it, and does nothing elsewhere."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.agent = _self_test("cheat", f"cheat-{name}")

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Overlay:  # noqa: ARG002 - the Protocol's shape
        """The cheat of that name, or no change."""
        for cheat in suite.cheats:
            if cheat.task_id == task.id and cheat.name == self._name:
                return cheat.overlay
        return NO_CHANGE


class CommandAdapter:
    """Starts a program: `{instruction}` in an argument becomes the task's text; without it the text comes on stdin."""

    def __init__(
        self, program: Program, *, name: str, version: str | None = None, env: Mapping[str, str] | None = None
    ) -> None:
        self._program = program
        self._env = dict(env or {})
        self.agent = Agent(
            adapter="command",
            name=name,
            self_test=False,
            version=version if version is not None else UNSET,
            argv=program.argv,
            program=program.digest,
        )

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Launch:  # noqa: ARG002 - the Protocol's shape
        """The program with the instruction filled in."""
        text = instruction(task)
        argv = tuple(word.replace("{instruction}", text) for word in self._program.argv)
        stdin = b"" if any("{instruction}" in word for word in self._program.argv) else text.encode()
        return Launch(argv=argv, stdin=stdin, env=self._env, mounts=self._program.mounts, mask=self._program.mask)


class ScriptedAdapter:
    """Plays a fixed shell script per task (`*` for all others): for demonstrations and tests, measures no agent."""

    def __init__(self, scripts: Mapping[str, str], program: Program) -> None:
        self._scripts = dict(scripts)
        self.agent = Agent(adapter="scripted", name="scripted", self_test=True, argv=program.argv, program=program.digest)

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Launch:  # noqa: ARG002 - the Protocol's shape
        """The script for the task."""
        script = self._scripts.get(task.id, self._scripts.get("*", "true"))
        return Launch(argv=("/bin/sh", "-eu", "-c", script))
