"""How a count, a rate and the headline read, everywhere."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from tallystick.cli.text import safe
from tallystick.core.errors import InputError
from tallystick.core.exact import Num
from tallystick.records.bundle import Interval

__all__ = ["headline", "naming", "percent", "plural", "self_test_line"]


def plural(count: int, word: str) -> str:
    """`1 task`, `2 tasks`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def percent(rate: Num | Fraction) -> str:
    """A rate in per cent with at most one digit after the point."""
    tenths = round(Fraction(rate) * 1000)
    return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"


def headline(passed: int, attempts: int, interval: Interval) -> str:
    """The number that a run is for."""
    return f"passed {passed}/{attempts}, 95 % interval {percent(interval.low)} to {percent(interval.high)}"


def self_test_line(agent: str) -> str:
    """What a run without an agent shows."""
    return f"{safe(agent)}: proves suite and harness, measures no agent"


def naming(path: Path, error: InputError) -> InputError:
    """The error with the file's name in it: a reader of bytes does not know it."""
    named = f" {path} " in f" {error} " or f" {path}:" in f" {error}"
    return error if named else InputError(f"{path}: {error}")
