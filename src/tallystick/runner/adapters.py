"""How an agent is started: one Protocol, and the adapters that need nothing but this package.

`oracle`, `nop`, `cheat` and `partial` lay known files over the workspace: they prove a suite and the harness, and measure no
agent.
`command` and `scripted` start a program in the sandbox.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, runtime_checkable

from tallystick.core.errors import InputError
from tallystick.records.base import UNSET, UnsetType, digest_of
from tallystick.records.evidence import SELF_TEST_ADAPTERS, Agent, Attempt
from tallystick.records.task import Task
from tallystick.records.traffic.rules import EMPTY_RULES, RuleSet
from tallystick.records.tree import EMPTY_TREE, Overlay
from tallystick.runner.closure import Program
from tallystick.sandbox.spec import Mount
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import LoadedSuite

__all__ = [
    "DOOR",
    "MODEL_ENV",
    "NO_CHANGE",
    "Adapter",
    "AsksModels",
    "CheatAdapter",
    "CommandAdapter",
    "Launch",
    "NopAdapter",
    "OracleAdapter",
    "PartialAdapter",
    "ScriptedAdapter",
    "rules_of",
]


@dataclass(frozen=True, slots=True)
class Launch:
    """A program to start in the workspace."""

    argv: tuple[str, ...]
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)
    mounts: tuple[Mount, ...] = ()
    mask: tuple[str, ...] = ()
    home: Mapping[str, bytes] = field(default_factory=dict)
    """Files in the home folder before it starts, by relative path."""


class Adapter(Protocol):
    """Starts one agent."""

    @property
    def agent(self) -> Agent:
        """Who is measured, as it stands in evidence."""
        ...

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Overlay | Launch:
        """What an attempt at `task` does: lay files over the workspace, or start a program."""
        ...


@runtime_checkable
class AsksModels(Protocol):
    """An adapter whose agent asks models."""

    @property
    def rules(self) -> RuleSet:
        """The declared rules by which its requests are compared."""
        ...


def rules_of(adapter: Adapter) -> RuleSet:
    """The rules by which the requests of an adapter's agent are compared; none where it declares none."""
    return adapter.rules if isinstance(adapter, AsksModels) else EMPTY_RULES


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


class PartialAdapter:
    """Applies one named partial solution where a task has it, and does nothing elsewhere."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.agent = _self_test("partial", f"partial-{name}")

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Overlay:  # noqa: ARG002 - the Protocol's shape
        """The partial solution of that name, or no change."""
        for partial in suite.partials:
            if partial.task_id == task.id and partial.name == self._name:
                return partial.overlay
        return NO_CHANGE


DOOR: Final = "http://127.0.0.1:8080"
"""Where an agent finds the gateway."""
MODEL_ENV: Final[Mapping[str, str]] = {
    "ANTHROPIC_API_KEY": "{token}",
    "ANTHROPIC_BASE_URL": DOOR,
    "GEMINI_API_KEY": "{token}",
    "GOOGLE_GEMINI_BASE_URL": DOOR,
    "OPENAI_API_BASE": f"{DOOR}/v1",
    "OPENAI_API_KEY": "{token}",
    "OPENAI_BASE_URL": f"{DOOR}/v1",
    "TALLY_DECISIONS": f"{DOOR}/tally/v1/decisions",
}
"""What the client libraries of the providers look for; `{token}` becomes what the attempt shows in place of a key."""


class CommandAdapter:
    """Starts a program: `{instruction}` in an argument becomes the task's text; without it the text comes on stdin.

    With `model` it finds the way to models in the usual environment variables, and `{model}` in an argument becomes its name.
    """

    def __init__(
        self,
        program: Program,
        *,
        name: str,
        version: str | None = None,
        model: str | None = None,
        rules: RuleSet = EMPTY_RULES,
    ) -> None:
        self._program = program
        self._model = model
        self.rules = rules
        self.agent = Agent(
            adapter="command",
            name=name,
            self_test=False,
            version=version if version is not None else UNSET,
            argv=program.argv,
            program=program.digest,
            model=UNSET if model is None else model,
            rules=UNSET if model is None else digest_of(rules),
        )

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Launch:  # noqa: ARG002 - the Protocol's shape
        """The program with the instruction filled in."""
        text = instruction(task)
        words = [word if self._model is None else word.replace("{model}", self._model) for word in self._program.argv]
        argv = tuple(word.replace("{instruction}", text) for word in words)
        stdin = b"" if any("{instruction}" in word for word in words) else text.encode()
        env = {} if self._model is None else {**MODEL_ENV, "TALLY_MODEL": self._model}
        return Launch(argv=argv, stdin=stdin, env=env, mounts=self._program.mounts, mask=self._program.mask)


class ScriptedAdapter:
    """Plays a fixed shell script per task (`*` for all others): for demonstrations and tests, measures no agent."""

    def __init__(self, scripts: Mapping[str, str], program: Program) -> None:
        self._scripts = dict(scripts)
        self.agent = Agent(adapter="scripted", name="scripted", self_test=True, argv=program.argv, program=program.digest)

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Launch:  # noqa: ARG002 - the Protocol's shape
        """The script for the task."""
        script = self._scripts.get(task.id, self._scripts.get("*", "true"))
        return Launch(argv=("/bin/sh", "-eu", "-c", script))
