"""The Python of a sandbox: the interpreter that tally runs under, with its standard library and nothing else."""

from __future__ import annotations

import functools
import site
import sys
from pathlib import Path

__all__ = ["PYTHON", "SUBJECT_PYTHON", "installed_packages"]

PYTHON = ("/tally/bin/python3", "-I", "-B")
"""Isolated start of a program of ours: no environment, no user folder, no byte code written. No file of a workspace is in such
a sandbox, so byte code can only come from the standard library (moving its cache with `-X pycache_prefix` would compile the
library anew at every start: 120 ms)."""

SUBJECT_PYTHON = ("/tally/bin/python3", "-s", "-B")
"""Start of a program that runs the subject's code: not isolated, since hashes of text then differ from run to run (-I has
PYTHONHASHSEED unread)."""


@functools.cache
def installed_packages() -> tuple[str, ...]:
    """Folders of packages installed for the interpreter, to be masked.

    What happens to be installed on a machine must not decide a grade, and a `.pth` file there would run at every start.
    """
    folders = site.getsitepackages(list(dict.fromkeys((sys.base_prefix, sys.base_exec_prefix))))
    return tuple(sorted({str(Path(folder).resolve()) for folder in folders if Path(folder).is_dir()}))
