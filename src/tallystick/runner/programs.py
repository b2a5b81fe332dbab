"""Where the program of a preset is on this machine, which version it has, and what of it a sandbox needs.

Nothing is run for that: versions stand in the metadata of packages. What is mounted has the same path on every machine,
whatever folder it was installed in, so that the same packages are the same agent.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError, os_reason
from tallystick.runner.closure import Layout, Program, absolute
from tallystick.runner.closure_npm import NpmPackage, find_package, machine_words, needed_packages
from tallystick.runner.derived import BYTE_CODE, sees_other_packages
from tallystick.runner.environments import environment_of, of_system
from tallystick.runner.exposure import Exposure
from tallystick.runner.preset_files import ProgramFile

__all__ = ["Found", "Machine", "find_program", "installed_version", "resolve_program"]

_ELF: Final = b"\x7fELF"
_CONFIGURATION_BYTES: Final = 64 * 1024
_VERSION: Final = re.compile(r"[0-9A-Za-z.+!_-]{1,64}").fullmatch
_MODULES: Final = "node_modules/"
_PYTHON_ENV: Final = (("PYTHONPYCACHEPREFIX", BYTE_CODE),)


@dataclass(frozen=True, slots=True)
class Machine:
    """Where programs are looked for, and what may not be shown to one (as `closure.resolve`)."""

    search_path: str
    forbidden: frozenset[Digest] = frozenset()
    never: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A preset's program: where it was found, its version if its package says so, and how it is mounted and started."""

    path: Path
    version: str | None
    program: Program
    """`argv` are the words before the preset's own."""
    env: tuple[tuple[str, str], ...] = ()
    """What its environment must say besides."""


def find_program(file: ProgramFile, search_path: str) -> Path | None:
    """The first of a preset's commands that is on the search path."""
    for name in file.find:
        found = shutil.which(name, path=search_path)
        if found is not None:
            return absolute(Path(found))
    return None


def installed_version(file: ProgramFile, path: Path) -> str | None:
    """The version of a program that was found, from its package's metadata; None where there is none."""
    if file.kind != "python":
        package = find_package(path, file.package)
        return _checked(package.version) if package else None
    environment = _environment(path)
    return None if environment is None else _distribution_version(environment, file.package)


def resolve_program(name: str, file: ProgramFile, machine: Machine) -> Found:
    """The program of the preset `name`, ready to be mounted.

    Raises:
        InputError: it is not installed, not as the preset needs it, cannot be read, or something of it may not be shown.
    """
    path = find_program(file, machine.search_path)
    if path is None:
        raise InputError(f"{name} is not installed: no {' or '.join(file.find)} on PATH; install the package {file.package}")
    layout = Layout(machine.search_path, Exposure(machine.forbidden, machine.never, machine.hidden))
    try:
        version = installed_version(file, path)
        argv = _KINDS[file.kind](name, file, path, layout)
        program = layout.program(argv)
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.filename}: {os_reason(error)}") from None
    return Found(path, version, program, _PYTHON_ENV if file.kind == "python" else ())


# --- Python ---


def _environment(path: Path) -> Path | None:
    """The virtual environment of a program, also where a link to it is on PATH, as pipx and uv make them."""
    return environment_of(path) or environment_of(path.resolve())


def _python(name: str, file: ProgramFile, path: Path, layout: Layout) -> tuple[str, ...]:
    environment = _environment(path)
    if environment is None:
        raise InputError(f"{path} belongs to no virtual environment; install {file.package} in one, such as with pipx")
    with (environment / "pyvenv.cfg").open("rb") as stream:
        if sees_other_packages(stream.read(_CONFIGURATION_BYTES)):
            raise InputError(f"{environment} takes packages from outside of it; make it without --system-site-packages")
    inside = layout.environment(environment, name)
    start = ("-m", file.module) if file.module else (f"{inside}/bin/{path.name}",)
    return (f"{inside}/bin/python3", "-P", *start)  # -P: no file of the workspace is imported in place of a package


def _distribution_version(environment: Path, package: str) -> str | None:
    wanted = _normal(package)
    for folder in sorted(environment.glob("lib/python3*/site-packages/*.dist-info")):
        name, _, version = folder.name.removesuffix(".dist-info").partition("-")
        if _normal(name) == wanted:
            return _checked(version)
    return None


def _normal(package: str) -> str:
    """The name of a distribution as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", package).lower()


# --- npm ---


def _node(name: str, file: ProgramFile, path: Path, layout: Layout) -> tuple[str, ...]:
    package = _package(name, file, path)
    entry = next((each for each in file.entry if (package.folder / each).is_file()), None)
    if entry is None:
        raise InputError(f"{package.folder} has none of {', '.join(file.entry)}; this preset knows another release of {name}")
    for place, folder in needed_packages(package, frozenset(file.without)).items():
        layout.add(folder, "the npm package", place)
    return (_node_program(layout), f"/agent/{_MODULES}{package.name}/{entry}")


def _node_program(layout: Layout) -> str:
    found = shutil.which("node", path=layout.search_path)
    if found is None:
        raise InputError("node is not on PATH, and this agent needs it; install nodejs")
    path = absolute(Path(found))
    if of_system(path) and of_system(path.resolve()):
        return "node"
    if not _is_binary(path):
        raise InputError(f"{path} is no program but a script that chooses one; put the folder of the real node on PATH")
    return layout.tool(path, "node/bin/node")


def _native(name: str, file: ProgramFile, path: Path, layout: Layout) -> tuple[str, ...]:
    package = find_package(path, file.package)
    if package is None and _is_binary(path.resolve()):
        return (layout.add(path.resolve(), "the agent's program", f"{name}/{path.name}"),)
    package = package or _package(name, file, path)
    for folder in _folders(file, package):
        entry = next((each for each in map(machine_words, file.entry) if (folder / each).is_file()), None)
        if entry is not None:
            for part in file.parts or (entry,):
                if (folder / part).exists():
                    layout.add(folder / part, "the agent's program", f"{name}/{part}")
            return (f"/agent/{name}/{entry}",)
    raise InputError(f"{package.folder} has no binary for this machine; install {file.package} with its optional packages")


def _folders(file: ProgramFile, package: NpmPackage) -> list[Path]:
    """Where the binary may lie: as Node would look for the package that has it, the nearest first."""
    above = [package.folder, *package.folder.parents]
    tops = [folder for folder in above if folder.is_relative_to(package.modules.parent)]
    return [folder / _MODULES / machine_words(each) for each in file.folders for folder in tops if folder.name != _MODULES]


def _package(name: str, file: ProgramFile, path: Path) -> NpmPackage:
    package = find_package(path, file.package)
    if package is None:
        raise InputError(
            f"{path} is not of the npm package {file.package}; install {name} with npm, or use `-- {path.name} ...`"
        )
    return package


def _is_binary(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(_ELF)) == _ELF
    except OSError:
        return False


def _checked(version: str) -> str | None:
    return version if _VERSION(version) else None


_KINDS: Final[Mapping[str, Callable[[str, ProgramFile, Path, Layout], tuple[str, ...]]]] = {
    "native": _native,
    "node": _node,
    "python": _python,
}
