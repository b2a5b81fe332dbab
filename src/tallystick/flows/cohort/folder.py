"""The files of a cohort on disk: its index, its history, and how both change at once.

    cohort.json       the index; its writer is this module or a person
    history.jsonl     its history, beside it
    .cohort-pending   an act under way: both files as they are to be; whole, or not there
    reviews/          reviews that a freeze names, by digest

An act is done from the moment `.cohort-pending` has its name: what comes after only moves its content into the two files, and
the next act does that where a kill prevented it, once it has seen that the content continues the two files. Readers look
through it. Two acts never overlap: the folder itself is locked (flock), which a kill lets go. Readers take no lock, since an
act may last as long as grading does: they look until they have seen the same twice.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.core import limits
from tallystick.core.digest import Digest
from tallystick.core.errors import InputError, TallyError, os_reason
from tallystick.recording.durable import scratch_file, sweep
from tallystick.records.base import write
from tallystick.records.cohort_history import CohortPending, parse_pending

__all__ = [
    "COHORT",
    "HISTORY",
    "PENDING",
    "REVIEWS",
    "CohortFolder",
    "CohortFolderError",
    "Snapshot",
    "plain",
    "put",
    "read_kept",
    "read_snapshot",
    "review_name",
]

COHORT: Final = "cohort.json"
HISTORY: Final = "history.jsonl"
PENDING: Final = ".cohort-pending"
REVIEWS: Final = "reviews"
_LOOKS: Final = 50
"""How often a reader looks before it gives up on a folder in which one act follows another."""
_PATIENCE: Final = 60.0
"""Seconds that an act waits for another one to end."""
_PAUSE: Final = 0.05
"""Seconds between two attempts to begin."""


class CohortFolderError(TallyError):
    """A cohort's folder that cannot be read or written."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Both files at one moment, None where there is none.

    `beneath` is what the files themselves hold where an act under way lies over them, else None.
    """

    cohort: bytes | None
    history: bytes | None
    beneath: Snapshot | None = None


def read_snapshot(folder: Path) -> Snapshot:
    """Both files as they belong together.

    Two equal looks suffice: histories only grow, and while one file is new and the other old, the act under way is there.

    Raises:
        CohortFolderError: no folder, or a file that cannot be read.
        InputError: an act under way that is no document of ours.
    """
    os.close(_open_folder(folder))
    found = _look(folder)
    for _ in range(_LOOKS):
        before, found = found, _look(folder)
        if before == found:
            return found
    raise CohortFolderError(f"{folder}: its files change all the time; try again when nobody is at work on the cohort")


class CohortFolder:
    """A folder that nobody else writes; see `open`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    @contextlib.contextmanager
    def open(cls, path: Path) -> Iterator[CohortFolder]:
        """The folder at `path` for one act.

        Raises:
            CohortFolderError: no folder, or another act does not end.
        """
        with _locked(path):
            sweep(path)
            yield cls(path)

    def snapshot(self) -> Snapshot:
        """Both files, seen through an act that was killed; errors as `read_snapshot`."""
        return _look(self.path)

    def finish(self, found: Snapshot) -> None:
        """Move what an act that was killed has left into place; `found` was looked through and is believed."""
        if found.beneath is not None and found.cohort is not None and found.history is not None:
            self._move(found.cohort, found.history)

    def write(self, cohort: bytes, history: bytes) -> None:
        """Put both files in place, at once for every reader and every kill.

        Raises:
            CohortFolderError: the system refuses; the act is done if `.cohort-pending` is there.
        """
        pending = CohortPending(cohort=cohort.decode(), history=history.decode())
        put(self.path / PENDING, write(pending, limits.COHORT_PENDING_BYTES))
        self._move(cohort, history)

    def keep(self, folder: str, name: str, data: bytes) -> None:
        """Put a file below the folder that an act is about to name; by itself it means nothing.

        Raises:
            CohortFolderError: the system refuses.
        """
        plain(self.path, folder)
        with _failing_clearly(self.path / folder):
            (self.path / folder).mkdir(exist_ok=True)
            sweep(self.path / folder)
        put(self.path / folder / name, data)

    def _move(self, cohort: bytes, history: bytes) -> None:
        put(self.path / COHORT, cohort)
        put(self.path / HISTORY, history)
        with _failing_clearly(self.path / PENDING):
            (self.path / PENDING).unlink()


def review_name(digest: Digest) -> str:
    """The file name of a review in `reviews/`."""
    return f"{digest.removeprefix('sha256:')}.json"


def plain(root: Path, path: str) -> None:
    """Refuse to write below `root` at `path` where a part of it is a link: what is written would land elsewhere.

    Raises:
        CohortFolderError: naming the link.
    """
    place = root
    for part in Path(path).parts:
        place /= part
        if place.is_symlink():
            raise CohortFolderError(f"{place} is a symbolic link; nothing is written through it; put the folder itself there")


def put(path: Path, data: bytes) -> None:
    """Write a file durably: whole, or as it was before.

    Raises:
        CohortFolderError: the system refuses.
    """
    with _failing_clearly(path), scratch_file(path.parent) as file:
        file.write(data)
        file.become(path)


def _look(folder: Path) -> Snapshot:
    files = Snapshot(read_kept(folder / COHORT, limits.PYJSON_BYTES), read_kept(folder / HISTORY, limits.COHORT_HISTORY_BYTES))
    found = read_kept(folder / PENDING, limits.COHORT_PENDING_BYTES)
    if found is None:
        return files
    try:
        pending = parse_pending(found)
    except InputError as error:
        raise InputError(f"{folder / PENDING}: {error}; it is no act of ours, so remove it") from None
    return Snapshot(pending.cohort.encode(), pending.history.encode(), beneath=files)


def read_kept(path: Path, limit: int) -> bytes | None:
    """A file of the cohort's folder, None where there is none; no link is followed.

    Raises:
        CohortFolderError: it cannot be read, or has more than `limit` bytes.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CohortFolderError(f"cannot read {path}: {os_reason(error)}") from None
    with _failing_clearly(path, "read"), open(fd, "rb") as stream:  # noqa: PTH123  # a descriptor, not a path
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise CohortFolderError(f"{path} has more than {limit} bytes")
    return data


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    fd = _open_folder(folder)
    try:
        _wait_for(fd, folder)
        yield
    finally:
        os.close(fd)


def _open_folder(folder: Path) -> int:
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise CohortFolderError(f"cannot open the folder {folder} of the cohort: {os_reason(error)}") from None


def _wait_for(fd: int, folder: Path) -> None:
    """Lock a folder; another act may take a while, and two that wait for each other would take for ever."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise CohortFolderError(
                    f"{folder}: another act on this cohort is under way; try again when it is done"
                ) from None
            time.sleep(_PAUSE)
        except OSError as error:
            raise CohortFolderError(f"cannot lock the folder {folder}: {os_reason(error)}") from None
        else:
            return


@contextlib.contextmanager
def _failing_clearly(path: Path, verb: str = "write") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CohortFolderError(f"cannot {verb} {path}: {os_reason(error)}") from None
