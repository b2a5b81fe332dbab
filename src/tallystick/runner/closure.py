"""From a command line on this machine to the same command line inside the sandbox.

Inside there is the system's `/usr` and nothing of the user's files, so what a command names is mounted read-only at `/agent`:
a program outside `/usr`, the virtual environment it belongs to, and every argument that is an existing file or folder. A `#!`
line that leads out of `/usr` is followed. The Python a virtual environment was made from is mounted at its own place, since the
environment's links point there, and so are links on the way to it. What must not be shown is refused or masked (`exposure`).

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
from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError
from tallystick.records.base import digest_of
from tallystick.records.tree import EMPTY_TREE, file_record, make_tree
from tallystick.runner.derived import Environment
from tallystick.runner.environments import BasePython, base_pythons, environment_of, of_system
from tallystick.runner.exposure import Exposure, of_kernel
from tallystick.sandbox.spec import Mount

__all__ = ["AGENT_ROOT", "Layout", "Program", "absolute", "resolve", "script_program"]

_PYTHONS = frozenset({"python", "python3"})
AGENT_ROOT = "/agent"
"""Where the agent's own files are inside."""
_SHEBANG_BYTES = 256
_INTERPRETERS = frozenset({"python", "python3", "sh", "bash", "node", "ruby", "perl"})
_SCRIPTS = (".py", ".sh", ".js", ".mjs", ".rb", ".pl")
_ANOTHER_PYTHON = "make it with another Python"


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


def resolve(
    argv: tuple[str, ...],
    *,
    cwd: Path,
    search_path: str,
    extra: tuple[Path, ...] = (),
    forbidden: frozenset[Digest] = frozenset(),
    never: tuple[Path, ...] = (),
    hidden: tuple[Path, ...] = (),
) -> Program:
    """Resolve a command line given in folder `cwd` with the user's `search_path`; `extra` files or folders are mounted too.

    No file with a digest in `forbidden` is shown, no folder of `never` or above one is mounted, nothing in `hidden` is seen.

    Raises:
        InputError: the program does not exist, two different files would get one name, or something must not be shown.
    """
    if not argv:
        raise InputError("no agent: after -- stands the agent's command line, as in: tally run golden-v1 -- my-agent --yes")
    layout = Layout(search_path, Exposure(forbidden, never, hidden))
    words = _program(argv[0], cwd, layout)
    _check_script(argv, cwd)
    words += [_argument(word, cwd, layout) for word in argv[1:]]
    for path in extra:
        layout.add(_existing(absolute(cwd / path)), "--mount")
    return layout.program(tuple(words))


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


def _program(word: str, cwd: Path, layout: Layout) -> list[str]:
    if word in _PYTHONS and not _in_environment(word, layout.search_path):
        return [word]  # the interpreter that every sandbox offers
    found = str(cwd / word) if "/" in word else shutil.which(word, path=layout.search_path)
    if found is None or not os.access(found, os.X_OK) or not Path(found).is_file():
        raise InputError(f"the agent's program {word!r} was not found or is not executable; give its path or install it")
    path = absolute(Path(found))
    if environment_of(path) is None and environment_of(path.resolve()) is not None:
        path = path.resolve()  # as pipx and uv link the programs of their environments into ~/.local/bin
    if of_system(path.resolve()) and of_system(path):
        return [word if "/" not in word else str(path)]
    return [*_interpreter(path, cwd, layout), layout.place(path, "the agent's program")]


def _in_environment(word: str, search_path: str) -> bool:
    """Whether the user's `python` is that of a virtual environment: then the agent may need what is installed there."""
    found = shutil.which(word, path=search_path)
    return found is not None and environment_of(absolute(Path(found))) is not None


def _interpreter(path: Path, cwd: Path, layout: Layout) -> list[str]:
    """The words that must stand before a script whose `#!` line would not work inside."""
    with path.open("rb") as file:
        first = file.read(_SHEBANG_BYTES).split(b"\n", 1)[0]
    if not first.startswith(b"#!"):
        return []
    words = first[2:].decode("utf-8", "replace").split()
    if not words or Path(words[0]).name == "env" or of_system(absolute(Path(words[0]))):
        return []
    if absolute(Path(words[0])) == path:
        raise InputError(f"the script {path} names itself as its interpreter")
    return [*_program(words[0], cwd, layout), *words[1:]]


def absolute(path: Path) -> Path:
    """Without `.` and `..`, but links unresolved: a program's own path says which virtual environment it belongs to."""
    return Path(os.path.normpath(path.absolute()))


def _argument(word: str, cwd: Path, layout: Layout) -> str:
    if not word or word.startswith("-") or len(word) > limits.PATH_BYTES or "\n" in word:
        return word
    path = absolute(cwd / word)
    named_as_path = "/" in word or path.is_file()
    if not named_as_path or not path.exists() or of_system(path) or of_kernel(path):
        return word
    return layout.place(path, "the argument")


class Layout:
    """What is mounted where, with the records of the tree at /agent."""

    def __init__(self, search_path: str, exposure: Exposure) -> None:
        self.search_path = search_path
        self._exposure = exposure
        self._sources: dict[str, Path] = {}
        self._environments: dict[str, Environment] = {}
        self._tools: list[Mount] = []
        self._pythons: list[BasePython] = []

    def place(self, path: Path, what: str) -> str:
        """Mount what `path` needs, a file alone or with its virtual environment; returns its path inside."""
        environment = environment_of(path)
        if environment is None:
            return self.add(path, what)
        return f"{self.environment(environment)}/{path.parent.name}/{path.name}"

    def environment(self, folder: Path, name: str | None = None) -> str:
        """Mount a virtual environment and the Pythons it was made from; returns its path inside.

        With a `name` of its own, what follows from where it was made belongs to no identity.
        """
        mounted = self.add(folder, "the virtual environment", name)
        if name is not None:
            self._environments[name] = Environment(str(folder), mounted)
        for python in base_pythons(folder):
            if python.prefix is not None and str(python.target) != os.path.realpath(sys.base_prefix):
                self._exposure.check(python.prefix, f"{folder} was made by a Python whose folder", _ANOTHER_PYTHON)
            self._pythons.append(python)
        return mounted

    def add(self, path: Path, what: str, name: str | None = None) -> str:
        """Mount a file or folder at /agent under a name, by default its own; `what` is how a refusal calls it."""
        self._exposure.check(path, what)
        name = name or path.name
        if self._sources.setdefault(name, path) != path:
            raise InputError(f"two things the agent needs are called {name}: {self._sources[name]} and {path}; rename one")
        return f"{AGENT_ROOT}/{name}"

    def tool(self, path: Path, name: str) -> str:
        """Mount a file that runs the agent and belongs to no identity, such as node; returns its path inside."""
        self._exposure.check(path, f"the program {path.name}")
        mount = Mount(path.resolve(), f"{AGENT_ROOT}/{name}")
        self._tools.append(mount)
        return mount.target

    def program(self, argv: tuple[str, ...]) -> Program:
        """All of it for the command line `argv`: every mount is read once, for identity, masks and refusals."""
        own = {name: Mount(path.resolve(), f"{AGENT_ROOT}/{name}") for name, path in sorted(self._sources.items())}
        look, made = self._exposure.program, self._environments
        seen = [look(mount.source, mount.target, name, made.get(name)) for name, mount in own.items()]
        bases = self._bases()
        seen += [self._exposure.python(mount.source, mount.target) for mount in bases]
        masks = {*self._exposure.masks_of_system(), *(mask for each in seen for mask in each.masks)}
        records = [record for each in seen for record in each.records]
        digest = digest_of(make_tree(records)) if own else EMPTY_TREE
        return Program(argv, (*own.values(), *self._tools, *bases, *self._links(bases)), digest, tuple(sorted(masks)))

    def _bases(self) -> list[Mount]:
        """The installations to mount; that of the sandbox's own Python is there anyway."""
        found = {str(python.target): python.prefix for python in self._pythons if python.prefix is not None}
        found.pop(os.path.realpath(sys.base_prefix), None)
        return [Mount(source, target) for target, source in sorted(found.items())]

    def _links(self, bases: list[Mount]) -> list[Mount]:
        """Links to be made, each a mount of itself; those in an installation are there with it."""
        there = [os.path.realpath(sys.base_prefix), *(mount.target for mount in bases)]
        links = {link for python in self._pythons for link in python.links}
        return [Mount(link, str(link)) for link in sorted(links) if not any(link.is_relative_to(place) for place in there)]
