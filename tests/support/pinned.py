"""The launcher that pins, built once for all tests of a process, and programs in C to try it on."""

from __future__ import annotations

import atexit
import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tallystick.sandbox.pinning import Launcher, find_compiler, launcher

__all__ = ["built", "compiler", "needs_compiler"]

_COMPILER = find_compiler()
needs_compiler = pytest.mark.skipif(_COMPILER is None, reason="needs another program: a C compiler")


def compiler() -> str:
    """The compiler here."""
    assert _COMPILER is not None
    return _COMPILER


@functools.cache
def built() -> Launcher:
    """A launcher in a folder that goes away with this process."""
    folder = tempfile.mkdtemp(prefix="tally-pin-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    found = launcher(Path(folder))
    assert isinstance(found, Launcher), found
    return found


def compiled(source: Path, made: Path, *flags: str) -> Path | None:
    """The program of a source, None where the system lacks what the flags need (a static C library)."""
    done = subprocess.run(
        [compiler(), "-O1", *flags, "-o", str(made), str(source), "-pthread"], capture_output=True, check=False
    )
    return made if done.returncode == 0 else None
