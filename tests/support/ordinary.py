"""Being an ordinary user for a while, for tests of permissions that bind everybody but root."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["ordinary_user"]

_NOBODY = 65534


@contextmanager
def ordinary_user() -> Iterator[Path]:
    """An empty folder that belongs to an ordinary user, who the process is until the block ends."""
    with tempfile.TemporaryDirectory(prefix="tally-ordinary-") as name:
        if os.geteuid() != 0:
            yield Path(name)
            return
        os.chown(name, _NOBODY, _NOBODY)
        os.seteuid(_NOBODY)  # the capabilities go with it, and come back
        try:
            yield Path(name)
        finally:
            os.seteuid(0)
