"""The packages of npm that a program needs: its own, and those that Node would find for its dependencies.

A program on PATH is a link into the folder `node_modules` that npm filled. Beside the package lie those it needs, and often
others that have nothing to do with it (in a global installation all of them), so what is mounted follows the dependencies that
each `package.json` names, looked for as Node does: in the package's own `node_modules`, then in those of the folders above.
"""

from __future__ import annotations

import os
import platform
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from tallystick.core.errors import InputError

__all__ = ["NpmPackage", "find_package", "machine_words", "needed_packages"]

_MANIFEST: Final = "package.json"
_MODULES: Final = "node_modules"
_MANIFEST_BYTES: Final = 1024 * 1024
"""Bytes of a package.json; the largest have fifty thousand."""
_PACKAGES: Final = 2000
"""Packages of one program; a large one that is not bundled has a thousand."""
_ARCHITECTURES: Final = {"x86_64": "x64", "aarch64": "arm64"}


class _Manifest(msgspec.Struct):
    """What of a package.json is needed here; the rest is npm's business."""

    name: str = ""
    version: str = ""
    dependencies: dict[str, str] = {}
    optional: dict[str, str] = msgspec.field(name="optionalDependencies", default_factory=dict)
    peers: dict[str, str] = msgspec.field(name="peerDependencies", default_factory=dict)


@dataclass(frozen=True, slots=True)
class NpmPackage:
    """An installed package: its folder (links resolved), its version, and the folder `node_modules` in which it lies."""

    name: str
    folder: Path
    version: str
    modules: Path


def machine_words(text: str) -> str:
    """A path of a package for one kind of machine: `{arch}` and `{cpu}` become this machine's."""
    cpu = platform.machine()
    return text.replace("{arch}", _ARCHITECTURES.get(cpu, cpu)).replace("{cpu}", cpu)


def find_package(program: Path, name: str) -> NpmPackage | None:
    """The package `name` that a program on PATH belongs to, or None where it belongs to none."""
    for folder in program.resolve().parents:
        manifest = _manifest(folder)
        if manifest is not None and manifest.name == name:
            modules = folder.parents[name.count("/")]
            return NpmPackage(name, folder, manifest.version, modules) if modules.name == _MODULES else None
    return None


def needed_packages(package: NpmPackage, without: frozenset[str] = frozenset()) -> dict[str, Path]:
    """Every package that `package` needs and itself: folders by their paths below `/agent`, `node_modules/...`.

    What lies in the folder of another is there with it and not named. What is not installed is left out, as npm leaves out
    optional packages for other machines, and so are those of the names in `without`.

    Raises:
        InputError: there are too many.
    """
    found: dict[Path, str] = {package.folder: f"{_MODULES}/{package.name}"}
    queue = deque([package.folder])
    while queue:
        folder = queue.popleft()
        for name in _dependencies(folder):
            if name in without:
                continue
            dependency = _resolve(name, folder)
            if dependency is None or dependency in found:
                continue
            if len(found) >= _PACKAGES:
                raise InputError(f"{package.folder} needs more than {_PACKAGES} packages of npm; install a bundled release")
            found[dependency] = _place(dependency, name, package.modules)
            queue.append(dependency)
    tops = {folder: name for folder, name in found.items() if not any(parent in found for parent in folder.parents)}
    places = {name: folder for folder, name in tops.items()}
    if len(places) != len(tops):
        raise InputError(f"{package.folder} needs two versions of one package side by side; install it with npm")
    return places


def _place(folder: Path, name: str, modules: Path) -> str:
    inside = folder.relative_to(modules).as_posix() if folder.is_relative_to(modules) else name
    return f"{_MODULES}/{inside}"


def _dependencies(folder: Path) -> Iterator[str]:
    manifest = _manifest(folder) or _Manifest()
    for name in sorted({*manifest.dependencies, *manifest.optional, *manifest.peers}):
        if name and not name.startswith((".", "/")) and ".." not in name:
            yield name


def _resolve(name: str, start: Path) -> Path | None:
    """Where Node finds the package `name` from the folder `start`."""
    for folder in (start, *start.parents):
        if folder.name == _MODULES:
            continue
        candidate = folder / _MODULES / name
        if (candidate / _MANIFEST).is_file():
            return Path(os.path.realpath(candidate))
    return None


def _manifest(folder: Path) -> _Manifest | None:
    """The package.json of a folder; None where there is none or it cannot be read as one."""
    try:
        with (folder / _MANIFEST).open("rb") as stream:
            return msgspec.json.decode(stream.read(_MANIFEST_BYTES + 1), type=_Manifest)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
