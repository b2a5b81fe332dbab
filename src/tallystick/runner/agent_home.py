"""Settings, skills and tool servers that a user gives an agent: the files of one folder, brought into its home.

They are part of what is measured, so they are read once, bounded, and stand in the agent's digest. A key among them would be
published with the first recording that quotes it; where one is found nothing is started.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tallystick.core.errors import InputError, os_reason
from tallystick.core.visible import written_out
from tallystick.records.paths import workspace_path_problem
from tallystick.records.traffic.secrets import find_secrets

__all__ = ["read_agent_home"]

_FILES: Final = 1000
"""Files of such a folder, and folders: settings and skills have dozens."""
_FILE_BYTES: Final = 1024 * 1024
"""Bytes of one file."""
_TOTAL_BYTES: Final = 16 * 1024 * 1024
"""Bytes of all files: they are held in memory and written before every attempt."""


def read_agent_home(folder: Path, values: Sequence[bytes] = ()) -> dict[str, bytes]:
    """The files below `folder` by their relative paths; `values` are keys that may not stand in them.

    Raises:
        InputError: a link, pipe or other thing that is no file, a name that cannot be recorded, too much, or a key.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder; --agent-home takes one with the files that the agent finds in its home")
    found: dict[str, bytes] = {}
    total = 0
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        data = _read(path)
        total += len(data)
        if len(found) >= _FILES or total > _TOTAL_BYTES:
            raise InputError(f"{folder} has more than {_FILES} files or {_TOTAL_BYTES} bytes; keep only what the agent needs")
        secrets = find_secrets(data, values)
        if secrets:
            raise InputError(
                f"{_shown(path)} holds what looks like a key ({secrets[0].kind}); the gateway adds keys, take it out"
            )
        found[name] = data
    return dict(sorted(found.items()))


def _files(folder: Path) -> Iterator[Path]:
    waiting, seen = [folder], 0
    while waiting:
        for entry in _entries(waiting.pop()):
            path = Path(entry.path)
            seen += 1
            problem = workspace_path_problem(path.relative_to(folder).as_posix())
            if problem:
                raise InputError(f"{_shown(path)} {problem}; take it out of --agent-home")
            if seen > 2 * _FILES:
                raise InputError(f"{folder} has more than {_FILES} files and folders; keep only what the agent needs")
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            else:
                yield path


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda each: each.name)
    except OSError as error:
        raise InputError(f"--agent-home: cannot read {_shown(folder)}: {os_reason(error)}") from None


def _read(path: Path) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if path.is_symlink():
            raise InputError(f"{_shown(path)} is a link; --agent-home takes only files, put the file itself there") from None
        raise InputError(f"cannot read {_shown(path)}: {os_reason(error)}") from None
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise InputError(f"{_shown(path)} is no regular file; take it out of --agent-home")
        data = stream.read(_FILE_BYTES + 1)
    if len(data) > _FILE_BYTES:
        raise InputError(f"{_shown(path)} has more than {_FILE_BYTES} bytes; keep only what the agent needs")
    return data


def _shown(path: Path) -> str:
    return written_out(str(path))
