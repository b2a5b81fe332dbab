"""From a command line on this machine to the same command line inside the sandbox.

Inside there is the system's `/usr` and nothing of the user's files, so what a command names is mounted read-only at `/agent`:
a program outside `/usr`, the virtual environment it belongs to, and every argument that is an existing file or folder. A `#!`
line that leads out of `/usr` is followed. The Python a virtual environment was made from is mounted at its own place, since the
environment's links point there.

The agent's identity is the tree digest of what is mounted at `/agent`; programs of the system and that Python are named by the
argv, not hashed.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from tallystick.core import limits
from tallystick.core.digest import Digest, Hasher, sha256
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
_OURS = ("tallystick", "tallystick-*.dist-info")
"""What of this package a virtual environment may hold: its suites have graders and solutions in them."""
_SHEBANG_BYTES = 256
_INTERPRETERS = frozenset({"python", "python3", "sh", "bash", "node", "ruby", "perl"})
_SCRIPTS = (".py", ".sh", ".js", ".mjs", ".rb", ".pl")
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Program:
    """A command line as it stands inside the sandbox, what must be mounted and masked for it, and the digest of that."""

    argv: tuple[str, ...]
    mounts: tuple[Mount, ...]
    digest: Digest
    mask: tuple[str, ...] = ()


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
    layout = _Layout(search_path)
    words = _program(argv[0], cwd, layout)
    _check_script(argv, cwd)
    words += [_argument(word, cwd, layout) for word in argv[1:]]
    for path in extra:
        layout.add(_existing(path if path.is_absolute() else cwd / path))
    return Program(argv=tuple(words), mounts=layout.mounts(), digest=layout.digest(), mask=layout.mask())


def _check_script(argv: tuple[str, ...], cwd: Path) -> None:
    """Refuse a script that is not there: inside, the interpreter would fail in every attempt."""
    script = argv[1] if len(argv) > 1 else ""
    named = script.endswith(_SCRIPTS) or "/" in script
    known = script.startswith(("-", f"{AGENT_ROOT}/")) or (cwd / script).exists()
    if Path(argv[0]).name in _INTERPRETERS and named and not known:
        raise InputError(f"the agent's script {script} does not exist; give its path from here")


def _existing(path: Path) -> Path:
    if not path.exists():
        raise InputError(f"{path} does not exist; --mount takes a file or folder that the agent needs")
    return path


def _program(word: str, cwd: Path, layout: _Layout) -> list[str]:
    if word in _PYTHONS and not _in_environment(word, layout.search_path):
        return [word]  # the interpreter that every sandbox offers
    found = str(cwd / word) if "/" in word else shutil.which(word, path=layout.search_path)
    if found is None or not os.access(found, os.X_OK) or not Path(found).is_file():
        raise InputError(f"the agent's program {word!r} was not found or is not executable; give its path or install it")
    path = _absolute(Path(found))
    if _of_system(path.resolve()) and _of_system(path):
        return [word if "/" not in word else str(path)]
    return [*_interpreter(path, cwd, layout), layout.place(path)]


def _in_environment(word: str, search_path: str) -> bool:
    """Whether the user's `python` is that of a virtual environment: then the agent may need what is installed there."""
    found = shutil.which(word, path=search_path)
    return found is not None and _environment_of(_absolute(Path(found))) is not None


def _interpreter(path: Path, cwd: Path, layout: _Layout) -> list[str]:
    """The words that must stand before a script whose `#!` line would not work inside."""
    with path.open("rb") as file:
        first = file.read(_SHEBANG_BYTES).split(b"\n", 1)[0]
    if not first.startswith(b"#!"):
        return []
    words = first[2:].decode("utf-8", "replace").split()
    if not words or Path(words[0]).name == "env" or _of_system(_absolute(Path(words[0]))):
        return []
    if _absolute(Path(words[0])) == path:
        raise InputError(f"the script {path} names itself as its interpreter")
    return [*_program(words[0], cwd, layout), *words[1:]]


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
    return layout.place(path)


def _environment_of(path: Path) -> Path | None:
    """The virtual environment that a program in its `bin` belongs to."""
    folder = path.parent.parent
    return folder if (folder / "pyvenv.cfg").is_file() else None


def _base_python(environment: Path) -> Path | None:
    """The installation a virtual environment was made from, from `home = .../bin` of its pyvenv.cfg."""
    for line in (environment / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace").splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "home" and value.strip():
            return _absolute(Path(value.strip()).parent)
    return None


class _Layout:
    """What is mounted where, with the records of the tree at /agent."""

    def __init__(self, search_path: str) -> None:
        self.search_path = search_path
        self._sources: dict[str, Path] = {}
        self._bases: set[Path] = set()

    def place(self, path: Path) -> str:
        """Mount what `path` needs, a file alone or with its virtual environment; returns its path inside."""
        environment = _environment_of(path)
        if environment is None:
            return self.add(path)
        base = _base_python(environment)
        if base is not None and not _of_system(base) and base != Path(sys.base_prefix):
            self._bases.add(base)
        return f"{self.add(environment)}/{path.parent.name}/{path.name}"

    def add(self, path: Path) -> str:
        """Mount a file or folder at /agent under its own name."""
        name = path.name
        if self._sources.setdefault(name, path) != path:
            raise InputError(f"two things the agent needs are called {name}: {self._sources[name]} and {path}; rename one")
        return f"{AGENT_ROOT}/{name}"

    def mounts(self) -> tuple[Mount, ...]:
        own = [Mount(source=path.resolve(), target=f"{AGENT_ROOT}/{name}") for name, path in sorted(self._sources.items())]
        return (*own, *(Mount(source=base.resolve(), target=str(base)) for base in sorted(self._bases)))

    def mask(self) -> tuple[str, ...]:
        """Copies of this package inside what is mounted."""
        return tuple(
            f"{mount.target}/{copy.relative_to(mount.source).as_posix()}"
            for mount in self.mounts()
            for name in _OURS
            for copy in sorted(mount.source.glob(f"lib/python3*/site-packages/{name}"))
        )

    def digest(self) -> Digest:
        if not self._sources:
            return EMPTY_TREE
        masked = frozenset(self.mask())
        records: list[TreeRecord] = []
        for name, path in sorted(self._sources.items()):
            records.extend(_records(path.resolve(), name, masked))
        return digest_of(make_tree(records))


def _records(path: Path, name: str, masked: frozenset[str]) -> list[TreeRecord]:
    if path.is_file():
        return [_file(path, name)]
    records: list[TreeRecord] = []
    for folder, folders, files in os.walk(path):
        inside = Path(name) / Path(folder).relative_to(path)
        folders[:] = [each for each in sorted(folders) if _is_program(inside / each, masked)]
        for each in sorted([*files, *(f for f in folders if (Path(folder) / f).is_symlink())]):
            full, place = Path(folder) / each, (inside / each).as_posix()
            if each.endswith(".pyc") or workspace_path_problem(place):
                continue
            if not full.is_symlink() and not full.is_file():
                continue  # a pipe or socket is no part of a program
            records.append(link_record(place, str(full.readlink())) if full.is_symlink() else _file(full, place))
            if len(records) > PROGRAM_FILES:
                raise InputError(f"{path} has more than {PROGRAM_FILES} files; mount a smaller folder")
    return records


def _is_program(folder: Path, masked: frozenset[str]) -> bool:
    return folder.name not in {"__pycache__", ".git"} and f"{AGENT_ROOT}/{folder.as_posix()}" not in masked


def _file(path: Path, name: str) -> TreeRecord:
    hasher, size = Hasher(), 0
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                hasher.update(chunk)
                size += len(chunk)
    except OSError as error:
        raise InputError(f"cannot read {path} of the agent's program: {error.strerror}") from None
    return file_record(name, hasher.digest(), size, executable=os.access(path, os.X_OK))
