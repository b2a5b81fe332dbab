"""The environment, read here and nowhere else: where settings and keys live, and what the terminal is asked to do.

| variable | for |
|---|---|
| `XDG_CONFIG_HOME`, `HOME` | the folder of keys |
| `PATH` | finding the agent's program |
| `NO_COLOR`, `TERM` | plain output (no-color.org) |
| `TALLY_STATE`, `TALLY_WORKERS` | what `--state` and `--workers` say where they are not given |
| `TALLY_DEBUG` | a trace of an error that is a bug |
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from tallystick.core.errors import InputError

__all__ = ["config_folder", "debug", "default_state", "number", "plain_terminal", "search_path", "workers"]

MOST: Final = 10_000
"""Attempts at a task, tasks, or workers."""


def config_folder() -> Path:
    """The user's configuration folder: `$XDG_CONFIG_HOME/tallystick`, else `~/.config/tallystick`; maybe not there yet.

    A relative `XDG_CONFIG_HOME` is ignored, as the XDG base directory specification asks.

    Raises:
        InputError: the user has no home folder.
    """
    configured = os.environ.get("XDG_CONFIG_HOME", "")
    if os.path.isabs(configured):  # noqa: PTH117  # of text: an empty Path would be the working directory
        return Path(configured) / "tallystick"
    # Path.home() takes an empty HOME for the root folder.
    home = os.path.expanduser("~") if os.environ.get("HOME", "unset") else ""  # noqa: PTH111  # may stay "~", which is tested
    if not os.path.isabs(home):  # noqa: PTH117  # as above
        raise InputError("no home folder to keep keys and settings in; set HOME or XDG_CONFIG_HOME to an absolute path")
    return Path(home) / ".config" / "tallystick"


def search_path() -> str:
    """The folders in which the agent's program is looked for."""
    return os.environ.get("PATH", os.defpath)


def plain_terminal() -> bool:
    """Whether the user asked for output without colours and without a line that is drawn again."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


def debug() -> bool:
    """Whether a bug shows its trace."""
    return os.environ.get("TALLY_DEBUG", "") not in {"", "0"}


def default_state() -> Path:
    """The folder of runs and blobs."""
    return Path(os.environ.get("TALLY_STATE") or ".tally")


def workers(flag: int | None) -> int:
    """How many attempts run at once: as the flag says, else the environment, else one per processor and four at most.

    Raises:
        InputError: no number from 1 to 10000.
    """
    if flag is not None:
        return number("--workers", flag)
    given = os.environ.get("TALLY_WORKERS")
    if not given:
        return min(4, os.cpu_count() or 1)
    digits = given.isascii() and given.isdigit() and len(given) < len(str(MOST)) + 1
    return number("TALLY_WORKERS", int(given) if digits else 0)


def number(option: str, value: int) -> int:
    """`value`, if attempts, tasks or workers can have that number.

    Raises:
        InputError: they cannot.
    """
    if not 1 <= value <= MOST:
        raise InputError(f"{option}: give a number from 1 to {MOST}")
    return value
