"""A file that was asked for: written whole or not at all, on any system; a pipe or a device is written into, never replaced."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Final

from tallystick.core.errors import InputError, TallyError, os_reason

__all__ = ["Place", "WriteError", "check_apart", "find_place", "write_whole", "written_name"]

_MOST_LINKS: Final = 40
"""Links that are followed from one name, as the kernel does."""


class WriteError(TallyError):
    """A file that cannot be written."""


class Place:
    """Where `out` leads: a regular file at `path`, there or not yet, or a `stream` (pipe, terminal, /dev/null)."""

    def __init__(self, path: Path, *, stream: bool) -> None:
        self.path = path
        self.stream = stream


Replace = Callable[[Path, Iterable[bytes]], int]
"""Puts a file with these bytes in the place of whatever has its name; returns their number. Raises OSError."""


def find_place(out: Path) -> Place:
    """Where writing `out` writes to: links are followed, since what they lead to is meant and not they.

    Raises:
        InputError: a folder, a disk or a socket is there, or links that lead nowhere.
    """
    try:
        mode = out.stat().st_mode
    except FileNotFoundError:
        return Place(Path(os.path.realpath(out)) if out.is_symlink() else out, stream=False)
    except NotADirectoryError:
        return Place(out, stream=False)
    except OSError as error:
        raise InputError(f"cannot write {out}: {os_reason(error)}; name another file") from None
    if stat.S_ISDIR(mode):
        raise InputError(f"{out} is a folder; name the file to write")
    if _own_stream(out) is not None or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        return Place(out, stream=True)
    if not stat.S_ISREG(mode):
        raise InputError(f"{out} is a disk or a socket and no file; name another file")
    return Place(Path(os.path.realpath(out)) if out.is_symlink() else out, stream=False)


def written_name(out: Path, endings: Collection[str], ending: str) -> Path:
    """The name that is written where `out` was asked for: one without any of the `endings` gets one, but for a stream."""
    plain = out.suffix in endings or (out.exists() and not out.is_dir() and find_place(out).stream)
    return out if plain else out.with_name(f"{out.name}{ending}")


def check_apart(out: Path, sources: Iterable[Path]) -> None:
    """Find out before anything is written that `out` is none of the `sources`, under whatever name.

    Raises:
        InputError: it is one of them.
    """
    if out.exists() and any(source.exists() and out.samefile(source) for source in sources):
        raise InputError(f"{out} is what is read; name another file to write")


def write_whole(out: Path, pieces: Iterable[bytes], sources: Sequence[Path] = (), replace: Replace | None = None) -> int:
    """Write `pieces` to the place of `out`; returns the size in bytes.

    Raises:
        InputError: `out` is no place for a file, or one of the `sources` that `pieces` are read from.
        WriteError: the system refuses.
    """
    place = find_place(out)
    check_apart(out, sources)
    try:
        return _write_into(out, pieces) if place.stream else (replace or _replace)(place.path, pieces)
    except OSError as error:
        raise WriteError(f"cannot write {out}: {os_reason(error)}; name another file") from None


def _replace(path: Path, pieces: Iterable[bytes]) -> int:
    """By way of a temporary name beside it."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    size = 0
    try:
        with temporary.open("xb") as file:
            for piece in pieces:
                size += file.write(piece)
        temporary.replace(path)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    return size


def _write_into(out: Path, pieces: Iterable[bytes]) -> int:
    own, size = _own_stream(out), 0
    with open(os.dup(own), "wb") if own is not None else out.open("wb") as file:  # noqa: PTH123  # a number has no method
        for piece in pieces:
            size += file.write(piece)
    return size


def _own_stream(out: Path) -> int | None:
    """The descriptor of this process that `out` is a name of, such as /dev/stdout.

    A file that a shell opened for us is written through it, not opened anew: that would begin at its start again.
    """
    path = out
    for _ in range(_MOST_LINKS):
        if not path.is_symlink():
            return None
        if os.path.realpath(path.parent) == f"/proc/{os.getpid()}/fd":
            return int(path.name)
        path = path.parent / os.readlink(path)  # noqa: PTH115  # as text: joined to its folder it keeps `..` for the system
    return None
