"""How a count, a rate and the headline read, everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tallystick.cli.text import named
from tallystick.core.errors import InputError
from tallystick.flows.words import percent, plural
from tallystick.records.bundle import Interval

__all__ = ["headline", "naming", "percent", "plural", "resumed_lines", "self_test_line"]


def headline(passed: int, attempts: int, interval: Interval) -> str:
    """The number that a run is for."""
    return f"passed {passed}/{attempts}, 95 % interval {percent(interval.low)} to {percent(interval.high)}"


def resumed_lines(resumed: int) -> Iterator[str]:
    """That attempts are those of an earlier start of the command, where some are."""
    if resumed:
        yield f"resumed {plural(resumed, 'finished attempt')}; for new attempts: --fresh"


def self_test_line(agent: str) -> str:
    """What a run without an agent shows."""
    return f"{named(agent)}: proves suite and harness, measures no agent"


def naming(path: Path, error: InputError) -> InputError:
    """The error with the file's name in it: a reader of bytes does not know it."""
    named = f" {path} " in f" {error} " or f" {path}:" in f" {error}"
    return error if named else InputError(f"{path}: {error}")
