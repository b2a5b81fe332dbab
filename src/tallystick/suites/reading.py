"""Opening files that a user named: a pipe or a device would be waited for without end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

__all__ = ["open_regular"]


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading. Raises OSError, also for what is there and is no file."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a pipe, socket or device and no file", str(path))
    return path.open("rb")
