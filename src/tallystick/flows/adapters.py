"""From an agent's name or command line to its adapter."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET
from tallystick.records.task import Cheat, Partial
from tallystick.runner.adapters import (
    Adapter,
    CheatAdapter,
    CommandAdapter,
    NopAdapter,
    OracleAdapter,
    PartialAdapter,
    ScriptedAdapter,
)
from tallystick.runner.agent_home import read_agent_home
from tallystick.runner.closure import resolve, script_program
from tallystick.runner.ladder import make_rung
from tallystick.runner.mock import MockAdapter, StochasticMockAdapter
from tallystick.runner.presets import Preset, common_rules, load_presets, make_preset_adapter
from tallystick.runner.programs import Machine
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.reading import open_regular

__all__ = ["ADAPTERS", "AgentRequest", "answers", "make_adapter"]

ADAPTERS: Final[Mapping[str, str]] = {
    "oracle": "applies the reference solution; measures no agent",
    "nop": "changes nothing; measures no agent",
    "cheat:NAME": "applies a suite's cheat; measures no agent",
    "partial:NAME": "applies a suite's partial solution; measures no agent",
    "ladder:RUNG": "a program without a model, of the ladder; measures tasks, no agent",
    "scripted:FILE": "plays a fixed shell script for every task; measures no agent",
    "command": "runs the command line after --",
    "mock": "hands in the solution and grades itself, without a sandbox; measures nothing",
    "stochastic-mock": "as mock, but fails half of the time by a seed; measures nothing",
}
_EXAMPLES: Final[Mapping[str, str]] = {
    "openai.chat": "gpt-5",
    "openai.responses": "gpt-5-codex",
    "anthropic.messages": "claude-sonnet-4-5",
    "google.generate": "gemini-2.5-pro",
}
"""A model of each interface, to show how names look."""
_SCRIPT_BYTES: Final = 1 << 20
_TRIVIAL_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class AgentRequest:
    """What a user said about the agent to run."""

    name: str
    argv: tuple[str, ...] = ()
    cwd: Path = field(default_factory=Path)
    search_path: str = ""
    mounts: tuple[Path, ...] = ()
    seed: int = 0
    label: str | None = None
    version: str | None = None
    never: tuple[Path, ...] = ()
    """Folders that are not mounted as a whole, nor anything above them."""
    hidden: tuple[Path, ...] = ()
    """Folders of which the agent sees nothing: keys and state."""
    model: str | None = None
    agent_home: Path | None = None
    secrets: tuple[bytes, ...] = field(default=(), repr=False)
    """Keys of providers, which may stand in nothing that the agent is shown."""
    state: Path | None = None
    """Where an operator's own agent files are (`agents/NAME.toml`); None where the reader of a bundle asks."""


def make_adapter(request: AgentRequest, suite: LoadedSuite) -> Adapter:
    """The adapter that a request names.

    Raises:
        InputError: an unknown name, a cheat no task has, or a program that is not there.
    """
    kind, _, argument = request.name.partition(":")
    match kind:
        case "cheat" | "ladder" | "partial" | "scripted":
            return _self_test(kind, argument, request, suite)
        case "command":
            return _command(request, suite)
        case "stochastic-mock":
            return StochasticMockAdapter(request.seed)
        case name if name in _PLAIN:
            return _PLAIN[name]()
        case name if name in (presets := load_presets(request.state)):
            return _preset(request, suite, presets[name])
        case _:
            raise InputError(_unknown(request.name, presets))


def _self_test(kind: str, argument: str, request: AgentRequest, suite: LoadedSuite) -> Adapter:
    if kind == "ladder":
        return make_rung(argument)
    return _scripted(request.cwd / argument) if kind == "scripted" else _overlay(kind, argument, suite)


_PLAIN: Final[Mapping[str, Callable[[], Adapter]]] = {"oracle": OracleAdapter, "nop": NopAdapter, "mock": MockAdapter}


def _overlay(kind: str, name: str, suite: LoadedSuite) -> Adapter:
    """The adapter of a cheat or partial solution that some task has."""
    made: Sequence[Cheat | Partial] = suite.cheats if kind == "cheat" else suite.partials
    names = sorted({each.name for each in made})
    if name not in names:
        what = "cheat" if kind == "cheat" else "partial solution"
        raise InputError(f"no task of {suite.version} has a {what} {name!r}; it has {', '.join(names) or 'none'}")
    return CheatAdapter(name) if kind == "cheat" else PartialAdapter(name)


def _unknown(name: str, presets: Iterable[str]) -> str:
    known = [*presets, *ADAPTERS]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)};"
    return f"unknown agent {name[:60]!r}; {hint} or give a command line after --"


def _preset(request: AgentRequest, suite: LoadedSuite, preset: Preset) -> Adapter:
    if request.model is None:
        raise InputError(f"{preset.name} asks a model: name it with --model, such as --model {_EXAMPLES[preset.file.api]}")
    machine = Machine(request.search_path, forbidden=answers(suite), never=request.never, hidden=request.hidden)
    brought = {} if request.agent_home is None else read_agent_home(request.agent_home, request.secrets)
    return make_preset_adapter(preset, machine, request.model, brought)


def _scripted(path: Path) -> Adapter:
    try:
        with open_regular(path) as stream:
            data = stream.read(_SCRIPT_BYTES + 1)
        text = data.decode()
    except OSError as error:
        raise InputError(f"cannot read the script {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"the script {path} is not UTF-8 text") from None
    if len(data) > _SCRIPT_BYTES:
        raise InputError(f"the script {path} has more than {_SCRIPT_BYTES} bytes")
    return ScriptedAdapter({"*": text}, script_program(data))


def _command(request: AgentRequest, suite: LoadedSuite) -> Adapter:
    program = resolve(
        request.argv,
        cwd=request.cwd,
        search_path=request.search_path,
        extra=request.mounts,
        forbidden=answers(suite),
        never=request.never,
        hidden=request.hidden,
    )
    name = request.label or _name_of(request.argv, request.cwd)
    if request.model is None:
        return CommandAdapter(program, name=name, version=request.version)
    return CommandAdapter(program, name=name, version=request.version, model=request.model, rules=common_rules())


def answers(suite: LoadedSuite) -> frozenset[Digest]:
    """Files of graders, solutions and cheats that no workspace shows. Trivial ones could be anybody's."""
    trees = [task.grader for task in suite.tasks if task.grader is not UNSET]
    trees += [task.solution.tree for task in suite.tasks if task.solution is not UNSET]
    trees += [cheat.overlay.tree for cheat in suite.cheats]
    trees += [partial.overlay.tree for partial in suite.partials]
    shown = set(_files(suite, {task.workspace for task in suite.tasks}))
    return frozenset(digest for digest, size in set(_files(suite, set(trees))) - shown if size > _TRIVIAL_BYTES)


def _files(suite: LoadedSuite, trees: set[Digest]) -> Iterator[tuple[Digest, int]]:
    for record in (record for tree in trees for record in suite.tree(tree).records):
        if record.digest is not UNSET and record.size is not UNSET:
            yield record.digest, record.size


def _name_of(argv: tuple[str, ...], cwd: Path) -> str:
    """A name for the agent: its program's, or that of the script an interpreter is given."""
    script = next((word for word in argv[1:2] if (cwd / word).is_file()), argv[0])
    return Path(script).stem or "agent"
