"""A file for people, written whole or not at all, on any system."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path

from tallystick.core.errors import InputError, TallyError

__all__ = ["WriteError", "write_whole"]


class WriteError(TallyError):
    """A file that cannot be written."""


def write_whole(out: Path, pieces: Iterable[bytes], sources: Sequence[Path] = ()) -> int:
    """Write `pieces` to `out` by way of a temporary name beside it; returns the size in bytes.

    Raises:
        InputError: `out` is a folder, or one of the `sources` that `pieces` are read from.
        WriteError: the system refuses.
    """
    if out.is_dir():
        raise InputError(f"{out} is a folder; name the file to write")
    if any(out.exists() and source.exists() and out.samefile(source) for source in sources):
        raise InputError(f"{out} is what is read; name another file to write")
    temporary = out.with_name(f".{out.name}.{secrets.token_hex(4)}")
    size = 0
    try:
        with temporary.open("xb") as file:
            for piece in pieces:
                size += file.write(piece)
        temporary.replace(out)
    except OSError as error:
        raise WriteError(f"cannot write {out}: {error.strerror}; name another file") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    return size
