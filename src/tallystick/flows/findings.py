"""What a look at this machine is asked and what it finds; shared by the checks behind `tally doctor`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

__all__ = ["Finding", "Mend", "Place", "Standing", "Surroundings"]

Standing = Literal["ok", "advice", "problem"]
"""`problem`: a plain `tally run` does not get to its end. `advice`: it does, and something could be better."""


@dataclass(frozen=True, slots=True)
class Mend:
    """The one command that mends a finding, and who may run it.

    `tally`: it touches only folders of the user that tally keeps, so `--fix` runs it. `root`: it changes the system.
    `you`: it changes the user's shell or files, or is not to be typed here.
    """

    command: str
    by: Literal["tally", "root", "you"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the answer. `says` is what was found; everything that is no `ok` and can be mended has its mend."""

    check: str
    standing: Standing
    says: str
    mend: Mend | None = None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the user's settings and environment say; flows read neither."""

    search_path: str
    state: Path
    config: Path | None
    """The folder of keys and settings; None where the user has no home."""
    temporary: Path
    workers: int
    variables: frozenset[str]
    """Names of the provider variables that are set."""
    cache: Path | None = None
    """The folder of what can be made again; None where the user has no home."""
    key_variable: str | None = None
    """The one that the settings name."""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder that tally writes to: what for, and how another one is named."""

    check: str
    path: Path
    use: str
    standing: Standing
    """How bad it is when it cannot be written."""
    elsewhere: str
