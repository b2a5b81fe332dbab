"""From an agent's name or command line to its adapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tallystick.core.errors import InputError
from tallystick.runner.adapters import Adapter, CheatAdapter, CommandAdapter, NopAdapter, OracleAdapter, ScriptedAdapter
from tallystick.runner.closure import resolve, script_program
from tallystick.runner.mock import MockAdapter, StochasticMockAdapter
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.reading import open_regular

__all__ = ["ADAPTERS", "AgentRequest", "make_adapter"]

ADAPTERS: Final[Mapping[str, str]] = {
    "oracle": "applies the reference solution; measures no agent",
    "nop": "changes nothing; measures no agent",
    "cheat:NAME": "applies a suite's cheat; measures no agent",
    "scripted:FILE": "plays a fixed shell script for every task; measures no agent",
    "command": "runs the command line after --",
    "mock": "hands in the solution and grades itself, without a sandbox; measures nothing",
    "stochastic-mock": "as mock, but fails half of the time by a seed; measures nothing",
}
_SCRIPT_BYTES: Final = 1 << 20


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


def make_adapter(request: AgentRequest, suite: LoadedSuite) -> Adapter:
    """The adapter that a request names.

    Raises:
        InputError: an unknown name, a cheat no task has, or a program that is not there.
    """
    kind, _, argument = request.name.partition(":")
    match kind:
        case "cheat":
            return _cheat(argument, suite)
        case "scripted":
            return _scripted(request.cwd / argument)
        case "command":
            return _command(request)
        case "stochastic-mock":
            return StochasticMockAdapter(request.seed)
        case name if name in _PLAIN:
            return _PLAIN[name]()
        case _:
            known = ", ".join(ADAPTERS)
            raise InputError(f"unknown agent {request.name!r}; known are {known}, or give a command line after --")


_PLAIN: Final[Mapping[str, Callable[[], Adapter]]] = {"oracle": OracleAdapter, "nop": NopAdapter, "mock": MockAdapter}


def _cheat(name: str, suite: LoadedSuite) -> Adapter:
    names = sorted({cheat.name for cheat in suite.cheats})
    if name not in names:
        raise InputError(f"no task of {suite.version} has a cheat {name!r}; it has {', '.join(names) or 'none'}")
    return CheatAdapter(name)


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


def _command(request: AgentRequest) -> Adapter:
    program = resolve(request.argv, cwd=request.cwd, search_path=request.search_path, extra=request.mounts)
    name = request.label or _name_of(request.argv, request.cwd)
    return CommandAdapter(program, name=name, version=request.version)


def _name_of(argv: tuple[str, ...], cwd: Path) -> str:
    """A name for the agent: its program's, or that of the script an interpreter is given."""
    script = next((word for word in argv[1:2] if (cwd / word).is_file()), argv[0])
    return Path(script).stem or "agent"
