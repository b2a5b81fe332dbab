"""From a command line on this machine to the same command line inside the sandbox.

Inside there is the system's `/usr` and nothing of the user's files, so what a command names is mounted read-only at `/agent`:
a program outside `/usr`, the virtual environment it belongs to, and every argument that is an existing file or folder. The
agent's identity is the tree digest of what is mounted; programs of the system are named by the argv, not hashed.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from tallystick.core import limits
from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError
from tallystick.records.base import digest_of
from tallystick.records.paths import workspace_path_problem
from tallystick.records.tree import EMPTY_TREE, TreeRecord, file_record, link_record, make_tree
from tallystick.sandbox.spec import Mount

__all__ = ["Program", "resolve", "script_program"]

_PYTHONS = frozenset({"python", "python3"})
AGENT_ROOT = "/agent"
PROGRAM_FILES = 100_000
"""Files of a mounted program: a large node_modules has fifty thousand."""


@dataclass(frozen=True, slots=True)
class Program:
    """A command line as it stands inside the sandbox, what must be mounted for it, and the digest of that."""

    argv: tuple[str, ...]
    mounts: tuple[Mount, ...]
    digest: Digest


def script_program(data: bytes) -> Program:
    """The identity of a script that is passed by value."""
    tree = make_tree([file_record("script", sha256(data), len(data))])
    return Program(argv=(), mounts=(), digest=digest_of(tree))


def resolve(argv: tuple[str, ...], *, cwd: Path, search_path: str, extra: tuple[Path, ...] = ()) -> Program:
    """Resolve a command line given in folder `cwd` with the user's `search_path`; `extra` files or folders are mounted too.

    Raises:
        InputError: the program does not exist, or two different files would get one name.
    """
    if not argv:
        raise InputError("no agent: after -- stands the agent's command line, as in: tally run golden-v1 -- my-agent --yes")
    layout = _Layout()
    words = [_program_word(argv[0], cwd, search_path, layout)]
    words += [_argument(word, cwd, layout) for word in argv[1:]]
    for path in extra:
        layout.add(_existing(path if path.is_absolute() else cwd / path))
    return Program(argv=tuple(words), mounts=layout.mounts(), digest=layout.digest())


def _existing(path: Path) -> Path:
    if not path.exists():
        raise InputError(f"{path} does not exist; --mount takes a file or folder that the agent needs")
    return path


def _program_word(word: str, cwd: Path, search_path: str, layout: _Layout) -> str:
    if word in _PYTHONS:
        return word  # the interpreter that every sandbox offers
    found = str(cwd / word) if "/" in word else shutil.which(word, path=search_path)
    if found is None or not os.access(found, os.X_OK) or not Path(found).is_file():
        raise InputError(f"the agent's program {word!r} was not found or is not executable; give its path or install it")
    path = _absolute(Path(found))
    if _of_system(path.resolve()) and _of_system(path):
        return word if "/" not in word else str(path)
    venv = path.parent.parent
    if (venv / "pyvenv.cfg").is_file():
        inside = layout.add(venv)
        return f"{inside}/{path.parent.name}/{path.name}"
    return layout.add(path)


def _absolute(path: Path) -> Path:
    """Without `.` and `..`, but links unresolved: a program's own path says which virtual environment it belongs to."""
    return Path(os.path.normpath(path.absolute()))


def _of_system(path: Path) -> bool:
    return path.parts[1:2] in {("usr",), ("bin",), ("sbin",), ("lib",), ("lib64",)}


def _argument(word: str, cwd: Path, layout: _Layout) -> str:
    if not word or word.startswith("-") or len(word) > limits.PATH_BYTES or "\n" in word:
        return word
    path = _absolute(cwd / word)
    named_as_path = "/" in word or path.is_file()
    if not named_as_path or not path.exists() or _of_system(path) or path == Path("/"):
        return word
    return layout.add(path)


class _Layout:
    """What is mounted where below /agent, with the records of its tree."""

    def __init__(self) -> None:
        self._sources: dict[str, Path] = {}

    def add(self, path: Path) -> str:
        name = path.name
        if self._sources.setdefault(name, path) != path:
            raise InputError(f"two things the agent needs are called {name}: {self._sources[name]} and {path}; rename one")
        return f"{AGENT_ROOT}/{name}"

    def mounts(self) -> tuple[Mount, ...]:
        return tuple(
            Mount(source=path.resolve(), target=f"{AGENT_ROOT}/{name}") for name, path in sorted(self._sources.items())
        )

    def digest(self) -> Digest:
        if not self._sources:
            return EMPTY_TREE
        records: list[TreeRecord] = []
        for name, path in sorted(self._sources.items()):
            records.extend(_records(path.resolve(), name))
        return digest_of(make_tree(records))


def _records(path: Path, name: str) -> list[TreeRecord]:
    if path.is_file():
        return [_file(path, name)]
    records: list[TreeRecord] = []
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(each for each in folders if each not in {"__pycache__", ".git"})
        for each in sorted([*files, *(f for f in folders if (Path(folder) / f).is_symlink())]):
            full = Path(folder) / each
            inside = f"{name}/{full.relative_to(path).as_posix()}"
            if each.endswith(".pyc") or workspace_path_problem(inside):
                continue
            records.append(link_record(inside, str(full.readlink())) if full.is_symlink() else _file(full, inside))
            if len(records) > PROGRAM_FILES:
                raise InputError(f"{path} has more than {PROGRAM_FILES} files; mount a smaller folder")
    return records


def _file(path: Path, name: str) -> TreeRecord:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path} of the agent's program: {error.strerror}") from None
    return file_record(name, sha256(data), len(data), executable=os.access(path, os.X_OK))
