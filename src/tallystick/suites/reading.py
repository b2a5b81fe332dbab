"""Reading what others wrote: regular files, since a pipe would be waited for without end, and plain text."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

from tallystick.core.errors import InputError, os_reason

__all__ = ["control_character", "open_regular", "read_regular"]

control_character = re.compile("[\x00-\x08\x0b-\x1f\x7f]").search
"""Finds the first ASCII control character of a text, tab and line feed allowed: it could upset a screen or a program."""


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading. Raises OSError, also for what is there and is no file."""
    if "\0" in str(path):
        raise OSError(errno.EINVAL, "no file has such a name", str(path))
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a pipe, socket or device and no file", str(path))
    return path.open("rb")


def read_regular(path: Path, limit: int) -> bytes:
    """The bytes of a regular file that somebody named.

    Raises:
        InputError: it cannot be read, or has more than `limit` bytes.
    """
    try:
        with open_regular(path) as stream:
            data = stream.read(limit + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {os_reason(error)}") from None
    if len(data) > limit:
        raise InputError(f"{path} has more than {limit} bytes")
    return data
