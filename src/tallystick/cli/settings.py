"""The environment, read here and nowhere else: where settings and keys live, and what the terminal is asked to do.

| variable | for |
|---|---|
| `XDG_CONFIG_HOME`, `HOME` | the folder of keys |
| `XDG_CACHE_HOME`, `HOME` | the folder of what can be made again |
| `OPENAI_API_KEY` and others, see `cli.ways` | keys and base URLs of providers: they stay on this side of the sandbox |
| `PATH` | finding the agent's program |
| `NO_COLOR`, `TERM` | plain output (no-color.org) |
| `TALLY_*` | settings, see `cli.layers`: what an option says where it is not given |
| `TALLY_DEBUG` | a trace of an error that is a bug |
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from tallystick.cli.layers import PROJECT_FILE, USER_FILE, Layer, Layers, from_variables, number, read_file
from tallystick.core.errors import InputError

__all__ = [
    "cache_folder",
    "config_folder",
    "debug",
    "default_state",
    "first_variable",
    "hidden_from_agents",
    "homes",
    "layers",
    "number",
    "plain_terminal",
    "processors",
    "search_path",
    "temporary_folder",
    "variables",
    "workers",
]


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


def homes() -> tuple[Path, ...]:
    """The user's home folder and those in it where everything of the user's lies: too much to show anybody."""
    home = os.environ.get("HOME", "")
    if not os.path.isabs(home):  # noqa: PTH117  # as above
        return ()
    return (Path(home), Path(home, ".config"), Path(home, ".local"), Path(home, ".local/share"))


def search_path() -> str:
    """The folders in which the agent's program is looked for."""
    return os.environ.get("PATH", os.defpath)


def plain_terminal() -> bool:
    """Whether the user asked for output without colours and without a line that is drawn again."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


def debug() -> bool:
    """Whether a bug shows its trace."""
    return os.environ.get("TALLY_DEBUG", "") not in {"", "0"}


def layers(*, project: bool) -> Layers:
    """What variables and settings files say, the nearest first.

    `project`: whether `tally.toml` of the working directory counts. Only commands that run what this folder is about may ask
    for it; those that judge a file may not, since whoever made the folder would then say how.

    Raises:
        InputError: a variable or a file cannot be understood.
    """
    found = list(from_variables(os.environ.get))
    if project:
        found += _file(Path(PROJECT_FILE), PROJECT_FILE, trusted=False)
    try:
        folder = config_folder()
    except InputError:
        return Layers(tuple(found))
    return Layers((*found, *_file(folder / USER_FILE, str(folder / USER_FILE), trusted=True)))


def _file(path: Path, origin: str, *, trusted: bool) -> list[Layer]:
    layer = read_file(path, origin, trusted=trusted)
    return [] if layer is None else [layer]


def variables(names: tuple[str, ...]) -> frozenset[str]:
    """Those of `names` that are set to something. Their values are not handed on: they are keys of others."""
    return frozenset(name for name in names if os.environ.get(name))


def hidden_from_agents(state: Path) -> tuple[Path, ...]:
    """Where keys and answers are: settings, and the state folder, or what is kept in it where people work in it too."""
    found = [state / name for name in ("blobs", "runs", "shards")] if Path.cwd().is_relative_to(state.resolve()) else [state]
    with suppress(InputError):
        found.append(config_folder())
    return tuple(found)


def first_variable(names: tuple[str, ...]) -> tuple[str, str]:
    """(name, value) of the first of `names` that is set to something; two empty texts where none is."""
    return next(((name, value) for name in names if (value := os.environ.get(name, "").strip())), ("", ""))


def cache_folder() -> Path:
    """The user's folder of what can be made again: `$XDG_CACHE_HOME/tallystick`, else `~/.cache/tallystick`.

    Raises:
        InputError: the user has no home folder.
    """
    configured = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(configured):  # noqa: PTH117  # as in config_folder
        return Path(configured) / "tallystick"
    home = os.path.expanduser("~") if os.environ.get("HOME", "unset") else ""  # noqa: PTH111  # as in config_folder
    if not os.path.isabs(home):  # noqa: PTH117  # as in config_folder
        raise InputError("no home folder for what is made once; set HOME or XDG_CACHE_HOME to an absolute path")
    return Path(home) / ".cache" / "tallystick"


def temporary_folder() -> Path:
    """Where temporary files go: `TMPDIR` even where it cannot be used, else what the system offers."""
    given = os.environ.get("TMPDIR")
    if given:
        return Path(given)
    import tempfile  # noqa: PLC0415  # 10 ms, for the one command that asks

    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError:
        return Path("/tmp")  # noqa: S108  # named to people, not written to


def default_state(settings: Layers | None = None) -> Path:
    """The folder of runs and blobs."""
    return Path((settings or layers(project=False)).text("state") or ".tally")


def processors() -> int:
    """Workers where nobody says how many: one per processor and four at most."""
    return min(4, os.cpu_count() or 1)


def workers(flag: int | None, settings: Layers | None = None) -> int:
    """How many attempts run at once: as the flag says, else the settings, else `processors`.

    Raises:
        InputError: no number from 1 to 10000.
    """
    if flag is not None:
        return number("--workers", flag)
    return (settings or layers(project=False)).count("workers") or processors()
