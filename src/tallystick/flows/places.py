"""Folders that a run writes to: are they there, can they be written, is there room."""

from __future__ import annotations

import errno
import os
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tallystick.core.errors import os_reason
from tallystick.flows.findings import Finding, Mend, Place, Surroundings
from tallystick.trust.files import KeyStoreError
from tallystick.trust.store import KeyStore

__all__ = ["look_at_places", "scratch_folder"]

SCARCE: Final = 64 << 20
"""Bytes. The evidence of a suite of five tasks takes less than one MiB, an agent's workspaces may take some ten."""
COMFORTABLE: Final = 1 << 30
_FEW_FILES: Final = 1000
_OTHER_TEMPORARY: Final = (Path("/var/tmp"), Path("/tmp"))  # noqa: S108  # named to people, not written to


def look_at_places(around: Surroundings) -> Iterator[Finding]:
    """The folders of runs, of keys and for temporary files."""
    yield _folder(
        Place("state", around.state, "runs are kept in", "problem", _other_state(around)),
    )
    if around.state.parent != Path() or around.state.is_absolute():
        yield _folder(Place("results", Path(), "bundles are written to", "problem", 'cd "$(mktemp -d)"'))
    yield _keys(around)
    yield _folder(Place("tmp", around.temporary, "demo and suite check work in", "advice", _other_temporary(around)))


def scratch_folder(around: Surroundings) -> Path | None:
    """A folder with room for a trial attempt: the temporary one, else beside the state; None where neither has it."""
    for folder in (around.temporary, _nearest(around.state)):
        if folder.is_dir() and _refusal(folder) is None and _free(folder)[0] >= SCARCE // 2:
            return folder
    return None


def _folder(place: Place) -> Finding:
    there = _nearest(place.path)
    shown = place.path.absolute() if place.path == Path() else place.path
    refusal = _refusal(there)
    if refusal is not None:
        return Finding(place.check, place.standing, f"{place.use} {shown}, which {refusal}", _mend(place, there, refusal))
    room, files = _free(there)
    said = f"{place.use} {shown}; {_size(room)} free"
    if room < SCARCE or (files is not None and files < _FEW_FILES):
        few = "" if room < SCARCE else f", and only {files} more files"
        return Finding(place.check, place.standing, f"{said}{few}: too little", Mend(place.elsewhere, "you"))
    if room < COMFORTABLE:
        return Finding(place.check, "advice", f"{said}: enough for small runs", Mend(place.elsewhere, "you"))
    return Finding(place.check, "ok", said)


def _nearest(path: Path) -> Path:
    """The folder itself, or the one in which it would be made."""
    whole = path.absolute()
    return next(each for each in (whole, *whole.parents) if each.exists())


def _refusal(folder: Path) -> str | None:
    """Why no file can be made in a folder that exists; found by making one."""
    if not folder.is_dir():
        return "is not a folder"
    try:
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return "is full"
        return f"cannot be written: {os_reason(error)}"


def _mend(place: Place, there: Path, refusal: str) -> Mend:
    """Give ourselves the right to write where only that is missing, else another place."""
    read_only = os.statvfs(there).f_flag & os.ST_RDONLY
    if there.is_dir() and "permission" in refusal and not read_only and there.stat().st_uid == os.getuid():
        return Mend(f"chmod u+rwx {shlex.quote(str(there))}", "tally")
    return Mend(place.elsewhere, "you")


def _free(folder: Path) -> tuple[int, int | None]:
    """(bytes, files) that still fit; None where the file system does not count files."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize, found.f_favail if found.f_files else None


def _size(count: int) -> str:
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20)):
        if count >= size:
            return f"{count // size} {unit}"
    return f"{count // 1024} KiB"


def _other_state(around: Surroundings) -> str:
    if around.state.is_absolute() and _refusal(Path.cwd()) is None:
        return "export TALLY_STATE=.tally"
    return 'cd "$(mktemp -d)"'


def _other_temporary(around: Surroundings) -> str:
    for folder in _OTHER_TEMPORARY:
        if folder != around.temporary and folder.is_dir() and _refusal(folder) is None and _free(folder)[0] >= SCARCE:
            return f"export TMPDIR={folder}"
    return 'export TMPDIR="$PWD"'


def _keys(around: Surroundings) -> Finding:
    """Whether a run can be signed: with a key there is, or with one that can be made."""
    if around.config is None:
        return _no_key("you have no home folder, so no key can be kept")
    try:
        own = [entry for entry in KeyStore(around.config / "keys").entries() if entry.standing == "self"]
        for entry in own:
            KeyStore(around.config / "keys").signer(entry.name)
    except KeyStoreError as error:
        return _bad_keys(str(error))
    if own:
        return Finding("keys", "ok", f"{len(own)} of yours in {around.config / 'keys'}")
    place = Place("keys", around.config, "a key would be kept in", "problem", _other_config())
    there = _nearest(around.config)
    refusal = _refusal(there)
    if refusal is None:
        return Finding("keys", "ok", f"none yet; the first run makes one in {around.config / 'keys'}")
    return Finding("keys", "problem", f"{place.use} {around.config}, which {refusal}", _mend(place, there, refusal))


def _no_key(says: str) -> Finding:
    return Finding("keys", "problem", says, Mend(_other_config(), "you"))


def _other_config() -> str:
    """In the state folder, which `tally init` keeps out of git: a folder of programs is no place for a private key."""
    return 'export XDG_CONFIG_HOME="$PWD/.tally/config"'


def _bad_keys(error: str) -> Finding:
    """A key store that trust refuses; its errors end with a chmod where that is the mend."""
    says, found, command = error.partition("; run: ")
    return Finding("keys", "problem", says, Mend(command, "tally") if found else Mend("tally key list", "you"))
