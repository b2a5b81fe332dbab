"""Where settings and keys of the user live."""

from __future__ import annotations

import os
from pathlib import Path

from tallystick.core.errors import InputError

__all__ = ["config_folder"]


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
