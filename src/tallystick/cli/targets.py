"""Where `tally run` writes: the file's name and container, checked before anything runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tallystick.attest.reliability import check_k
from tallystick.cli.run import RunOptions
from tallystick.core.errors import InputError
from tallystick.flows.publishing import ENDINGS
from tallystick.flows.run import RunRequest
from tallystick.flows.shard import SHARD_ENDING
from tallystick.flows.writing import find_place, written_name
from tallystick.records.containers import Container
from tallystick.runner.adapters import Adapter
from tallystick.suites.loaded import LoadedSuite

__all__ = ["Target", "check_writable", "file_name", "file_stem", "planned_target", "target_of"]


@dataclass(frozen=True, slots=True)
class Target:
    """Where the bundle goes. `container` is None where its size decides."""

    path: Path
    container: Container | None


def planned_target(options: RunOptions, suite: LoadedSuite, adapter: Adapter) -> Target:
    """The file that a command line asks for: a bundle, a part of one, or a reliability receipt.

    Raises:
        InputError: options that disagree, or a place that cannot be written.
    """
    if options.reliability:
        return _receipt_target(options, suite, adapter)
    if options.share is None:
        return target_of(options.out, options.container, suite.version, adapter.agent.name)
    if options.container != "auto":
        raise InputError(f"--container {options.container} is for a bundle; with --shard, give it to tally merge")
    name = f"{file_stem(suite.version, adapter.agent.name)}.{options.share.index}-of-{options.share.of}{SHARD_ENDING}"
    path = Path(name) if options.out is None else options.out
    _writable_file(path)
    return Target(path, None)


def _receipt_target(options: RunOptions, suite: LoadedSuite, adapter: Adapter) -> Target:
    check_k(options.attempts)
    if options.share is not None:
        raise InputError("--reliability tells of a whole run, --shard makes a part of one: give either")
    if options.container == "tally" or (options.out is not None and options.out.suffix == ".tally"):
        raise InputError(
            "a reliability receipt is one .json file; for a .tally bundle give -k, and tally verify shows its floor"
        )
    stem = f"{file_stem(suite.version, adapter.agent.name)}-reliability"
    return target_of(options.out or Path(stem), "json", suite.version, adapter.agent.name)


def file_stem(suite: str, agent: str) -> str:
    """How the file about a run is called where nobody says."""
    return "".join(char if char.isalnum() or char in "._-" else "_" for char in f"{suite}-{agent}")


def target_of(out: Path | None, wanted: Literal["auto", "json", "tally"], suite: str, agent: str) -> Target:
    """The bundle to write. Its ending and --container must agree; without either, the size decides.

    Raises:
        InputError: they disagree, or the place cannot be written.
    """
    container: Container | None = None if wanted == "auto" else wanted
    path = Path(file_stem(suite, agent)) if out is None else out
    if out is not None:
        meant: Container | None = {".json": "json", ".tally": "tally"}.get(path.suffix)  # type: ignore[assignment]
        if container and meant and meant != container:
            raise InputError(f"--out {path} and --container {container} disagree; give one of them")
        container = container or meant
    _writable_file(path)
    return Target(path, container)


def _writable_file(path: Path) -> None:
    place = find_place(path)
    if not place.stream:
        check_writable(place.path.parent, "--out")


def check_writable(folder: Path, option: str) -> None:
    """Refuse now what would otherwise fail after the last attempt."""
    there = next((each for each in (folder, *folder.absolute().parents) if each.exists()), Path("/"))
    if not there.is_dir():
        raise InputError(f"{there} is not a folder; name another place with {option}")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"cannot write to the folder {there.absolute()}; name another place with {option}")


def file_name(target: Target, request: RunRequest) -> str:
    """The file as far as it is known before the run: its size may still choose the other container."""
    if request.share is not None:
        return str(written_name(target.path, {SHARD_ENDING}, SHARD_ENDING))
    return str(written_name(target.path, ENDINGS, f".{target.container or 'json'}"))
