"""The ladder: agents that need no model, from doing nothing to repairing by trial. They measure tasks, not agents.

Each rung but `nop` is a program of the folder `free`, started in the sandbox as any agent is, with the instruction on standard
input. Its identity is the digest of the files it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.core.digest import sha256
from tallystick.core.errors import InputError
from tallystick.records.base import digest_of
from tallystick.records.evidence import Agent, Attempt
from tallystick.records.task import Task
from tallystick.records.tree import file_record, make_tree
from tallystick.runner.adapters import Adapter, Launch, NopAdapter
from tallystick.runner.closure import AGENT_ROOT
from tallystick.runner.interpreter import PYTHON
from tallystick.sandbox.spec import Mount
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import LoadedSuite

__all__ = ["RUNGS", "LadderAdapter", "Rung", "chosen", "make_rung"]

FREE: Final = Path(__file__).parent / "free"
_PLACE: Final = "ladder"


@dataclass(frozen=True, slots=True)
class Rung:
    """One agent of the ladder: what it does, and its program with the files that it imports; none for `nop`."""

    says: str
    files: tuple[str, ...] = ()


RUNGS: Final[Mapping[str, Rung]] = {
    "nop": Rung("changes nothing"),
    "revert": Rung("puts back earlier versions that the workspace records", ("revert.py", "ladder_files.py")),
    "regex-patch": Rung("does what the instruction says in so many words", ("regex_patch.py", "ladder_files.py")),
    "mutation-repair": Rung(
        "tries small edits until the visible tests pass", ("mutation_repair.py", "ladder_files.py", "ladder_mutants.py")
    ),
}
"""The rungs by name, the lowest first."""


class LadderAdapter:
    """Starts the program of one rung."""

    def __init__(self, name: str, files: tuple[str, ...]) -> None:
        self._argv = (*PYTHON, f"{AGENT_ROOT}/{_PLACE}/{files[0]}")
        self._mounts = tuple(Mount(FREE / file, f"{AGENT_ROOT}/{_PLACE}/{file}") for file in files)
        contents = {f"{_PLACE}/{file}": (FREE / file).read_bytes() for file in files}
        tree = make_tree([file_record(path, sha256(data), len(data)) for path, data in contents.items()])
        self.agent = Agent(adapter="ladder", name=f"ladder-{name}", self_test=True, argv=self._argv, program=digest_of(tree))

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Launch:  # noqa: ARG002 - the Protocol's shape
        """The program, with the instruction on standard input."""
        return Launch(argv=self._argv, stdin=instruction(task).encode(), mounts=self._mounts)


def make_rung(name: str) -> Adapter:
    """The adapter of a rung; errors as `chosen`."""
    chosen([name])
    files = RUNGS[name].files
    return LadderAdapter(name, files) if files else NopAdapter()


def chosen(names: Iterable[str]) -> tuple[str, ...]:
    """Rungs by name, each once, in the order of the ladder.

    Raises:
        InputError: there is none of a name.
    """
    wanted = set(names)
    unknown = sorted(wanted - RUNGS.keys())
    if unknown:
        raise InputError(f"the ladder has no rung {unknown[0][:60]!r}; it has {', '.join(RUNGS)}")
    return tuple(name for name in RUNGS if name in wanted)
