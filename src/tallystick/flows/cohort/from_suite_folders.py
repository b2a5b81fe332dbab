"""The folders that `tally cohort from-suite` makes: both are there with everything in them, or neither, whatever kills it.

They are made under another name, the cohort and its history included, and renamed, DIR.private first, so that no cohort is
without its openings. A kill leaves the draft, which the next one sweeps, or DIR.private alone, whose salts the same command
takes.
"""

from __future__ import annotations

import contextlib
import filecmp
import os
import secrets
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.core.errors import InputError, os_reason
from tallystick.core.pyjson import Json, pretty
from tallystick.flows.cohort.acting import make
from tallystick.flows.cohort.hidden import read_opening
from tallystick.flows.cohort.opening import Where
from tallystick.flows.writing import WriteError
from tallystick.recording.passing import passing_folder
from tallystick.records.cohort.opening import Opening
from tallystick.records.cohort.reading import node
from tallystick.records.cohort_history import CohortEntry
from tallystick.runner.gitseed import BareRepository
from tallystick.suites.cohorts.from_tasks import Placed
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import write_compiled
from tallystick.trust.files import create
from tallystick.trust.signing import Signer

__all__ = ["SUITE", "FolderFiles", "Ready", "is_taken", "private_folder", "salt_for", "taken_error", "write_folders"]

SUITE: Final = "suite"
"""The folder of a compiled suite, in that of a cohort and in its private one."""
_SOURCE: Final = "source.git"
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


@dataclass(frozen=True, slots=True)
class Ready:
    """A task with its documents, and for a hidden one the salt of its commitment."""

    placed: Placed
    stem: str
    salt: str | None


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """What the folders hold. `public`: the suite of the public tasks, None where there are none; `whole`: that of all."""

    repository: BareRepository
    tasks: Sequence[Ready]
    public: LoadedSuite | None
    whole: LoadedSuite


def private_folder(folder: Path) -> Path:
    """Where what is hidden of the cohort in `folder` is kept."""
    return folder.with_name(f"{folder.name}.private")


def is_taken(path: Path) -> bool:
    """Whether something is in the way: anything but an empty folder."""
    return os.path.lexists(path) and not (path.is_dir() and not any(path.iterdir()))


def taken_error(path: Path) -> InputError:
    """The refusal where something is in the way."""
    return InputError(f"{path}: there is something already; name a new folder with --out")


def salt_for(private: Path, stem: str, plan: Json) -> str:
    """A new salt; where a command that was killed has left an opening of the same plan, that one's."""
    path = private / _opening_name(stem)
    if os.path.lexists(path):
        with contextlib.suppress(InputError):
            left = read_opening(path)
            if left.plan == plan:
                return left.salt
    return secrets.token_hex(32)


def write_folders(
    where: Where, private: Path | None, files: FolderFiles, cohort: dict[str, Json], signer: Signer
) -> CohortEntry:
    """Both folders with the cohort and its history, or neither; the first entry.

    Raises:
        InputError: the cohort does not validate, or something else lies where the private folder is to be.
        WriteError: the system refuses.
    """
    folder = Path(os.path.abspath(where.folder))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with passing_folder("cohort", folder.parent) as draft:
            made = Where(draft / "public", where.path)
            _write_public(made.folder, files)
            entry = make(made, cohort, signer)
            _become(made.folder, folder, None if private is None else (_written_private(draft / "private", files), private))
    except OSError as error:
        raise WriteError(f"cannot write {folder}: {os_reason(error)}; name another place with --out") from None
    return entry


def _become(draft: Path, folder: Path, private: tuple[Path, Path] | None) -> None:
    """Rename the drafts; the private one only if it is not there as it is to be."""
    renamed = None
    try:
        if private is not None and not _stands(*private):
            private[0].rename(private[1])
            renamed = private[1]
        draft.rename(folder)
        renamed = None
    finally:
        if renamed is not None:
            shutil.rmtree(renamed, ignore_errors=True)


def _stands(draft: Path, private: Path) -> bool:
    """Whether a command that was killed has put the private folder in place already.

    Raises:
        InputError: what is there is another one, or open to others.
    """
    if not is_taken(private):
        return False
    there = private.lstat()
    mine = stat.S_ISDIR(there.st_mode) and there.st_uid == os.geteuid() and not there.st_mode & _OTHERS
    if not mine or not _same(draft, private):
        raise taken_error(private)
    return True


def _same(one: Path, other: Path) -> bool:
    """Whether two folders hold the same; the first one is of ours, and without links."""
    names = _names(one)
    files = [name for name in names if not name.endswith("/")]
    return names == _names(other) and all(filecmp.cmp(one / name, other / name, shallow=False) for name in files)


def _names(folder: Path) -> list[str]:
    """What lies below a folder; the names of what is no file end in a slash."""
    return sorted(
        f"{path.relative_to(folder)}{'' if path.is_file() and not path.is_symlink() else '/'}" for path in folder.rglob("*")
    )


def _write_public(folder: Path, files: FolderFiles) -> None:
    folder.mkdir(parents=True)
    for path, data in files.repository.files.items():
        _put(folder / _SOURCE / path, data)
    if files.public is not None:
        write_compiled(files.public, folder / SUITE)
    for each in files.tasks:
        _put_json(folder / "work-units" / f"{each.stem}.json", each.placed.unit)
        if each.salt is None:
            _put_json(folder / "evaluators" / f"{each.stem}.json", each.placed.plan)


def _written_private(folder: Path, files: FolderFiles) -> Path:
    folder.mkdir(mode=0o700)
    write_compiled(files.whole, folder / SUITE)
    for each in files.tasks:
        if each.salt is not None:
            create(folder / _opening_name(each.stem), Opening(node(each.placed.plan), each.salt).to_bytes(), "opening")
    return folder


def _opening_name(stem: str) -> str:
    return f"{stem}.opening.json"


def _put_json(path: Path, value: Json) -> None:
    _put(path, f"{pretty(value)}\n".encode())


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
