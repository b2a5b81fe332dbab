"""A liar's bench for cohorts: a change to documents, to their bytes, or to the folder that they lie in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.records.cohort.reading import Node
from tallystick.suites.cohorts.reporting import Code
from tallystick.suites.cohorts.sample_reveals import OTHER_SALT, SALT, hide, show
from tallystick.suites.cohorts.samples import COHORT_PATH, Sample, Shape

__all__ = [
    "COHORT_PATH",
    "COMPLETE",
    "OTHER_SALT",
    "PENDING",
    "SALT",
    "Code",
    "Lie",
    "Sample",
    "Shape",
    "hide",
    "keep",
    "nothing",
    "show",
]

COMPLETE: Final = Shape(attempts=1)
"""Frozen, each of five tasks with an attempt at both of its signatures, and a negative."""
PENDING: Final = Shape(attempts=0)
"""Frozen, without evidence."""


def nothing(_: object) -> None:
    """Change nothing."""


@dataclass(frozen=True)
class Lie:
    """One lie. `tell` changes documents, `spell` their bytes once all digests fit, `move` the folder they are written to.

    codes: what strict validation finds, each once or more, and nothing else
    real: whether the real cohort can be told the same lie
    refit: whether digests and bindings are made to hold after `tell`
    complete: whether it takes required evidence to see it
    """

    codes: frozenset[Code]
    tell: Callable[[Sample], object] = nothing
    spell: Callable[[dict[str, bytes]], object] = nothing
    move: Callable[[Path], object] = nothing
    shape: Shape = COMPLETE
    real: bool = True
    refit: bool = True
    complete: bool = False


def keep(made: Sample, path: str) -> Node:
    """A document that is to stay as the lie leaves it."""
    made.kept.add(path)
    return made.documents[path]
