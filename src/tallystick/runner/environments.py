"""Virtual environments: which one a program belongs to, and what of this machine its Python needs besides.

An environment's `bin/python3` leads to the Python it was made from, often through links elsewhere, as in `~/.local/bin`. What
is needed of the machine is the installation at the end of that way and the links on it, never the folders they lie in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["BasePython", "base_pythons", "environment_of", "of_system"]

_SYSTEM: Final = frozenset({"usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"})
_TAKEN: Final = frozenset(
    Path(name)
    for name in ("/agent", "/dev", "/dev/shm", "/etc", "/home", "/home/agent", "/proc", "/tally", "/tmp", "/workspace")  # noqa: S108 - paths inside
)
"""What is a folder in every sandbox and so cannot be a link there, as `/home` is on some machines."""
_LINKS: Final = 40
"""Links on one way, as Linux bounds them (MAXSYMLINKS)."""


@dataclass(frozen=True, slots=True)
class BasePython:
    """How an environment finds a Python. `prefix` is the installation's real folder, None where nothing is to be mounted."""

    prefix: Path | None
    target: Path
    """Where the way ends as seen from inside: `prefix`, unless a link of the way cannot be made there."""
    links: tuple[Path, ...]
    """Symbolic links on the way, outside of the environment and of the system."""


def of_system(path: Path) -> bool:
    """Whether every sandbox shows `path` (absolute) anyway."""
    return path == Path("/") or path.parts[1] in _SYSTEM


def environment_of(path: Path) -> Path | None:
    """The virtual environment that a program in its `bin` belongs to."""
    folder = path.parent.parent
    return folder if (folder / "pyvenv.cfg").is_file() else None


def base_pythons(environment: Path) -> tuple[BasePython, ...]:
    """The Pythons an environment was made from: almost always one, seen from each of its names."""
    real = environment.resolve()
    return tuple(dict.fromkeys(_base(start, real) for start in _interpreters(real)))


def _interpreters(environment: Path) -> list[Path]:
    """The environment's own names of its interpreter, and those in `home` of its pyvenv.cfg (PEP 405)."""
    own = [environment / "bin" / name for name in ("python", "python3")]
    home = _home(environment)
    others = [] if home is None else [home / name for name in ("python3", "python")]
    if home is not None and not any(path.is_file() for path in others):
        others = sorted(home.glob("python3.*"))
    return [path for path in (*own, *others) if path.is_file()]


def _home(environment: Path) -> Path | None:
    for line in (environment / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace").splitlines():
        key, _, value = line.partition("=")
        if key.strip().lower() == "home" and value.strip().startswith("/"):
            return Path(value.strip())
    return None


def _base(start: Path, environment: Path) -> BasePython:
    *way, end = _way(start)
    links = tuple(link for link in way if not of_system(link) and not link.is_relative_to(environment))
    prefix, target = start.resolve().parent.parent, end.parent.parent
    if of_system(prefix) or prefix == environment or not any(prefix.glob("lib*/python3*/os.py")):
        return BasePython(None, target, links)
    return BasePython(prefix, target, links)


def _way(path: Path) -> Iterator[Path]:
    """Every link that is passed in opening `path` (absolute), each as seen from where the way led, and at last the file."""
    here, rest, left = Path("/"), list(path.parts[1:]), _LINKS
    while rest:
        part = rest.pop(0)
        step = here.parent if part == ".." else here / part
        if part == ".." or step in _TAKEN or not step.is_symlink() or not left:
            here = step
            continue
        left -= 1
        yield step
        target = step.readlink()
        rest = [*target.parts[1 if target.is_absolute() else 0 :], *rest]
        here = Path("/") if target.is_absolute() else here
    yield here
