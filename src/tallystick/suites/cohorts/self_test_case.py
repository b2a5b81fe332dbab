"""What a case of the self-test is: a change to a sound cohort in memory, and the code that it must be refused with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tallystick.suites.cohorts.reporting import Code, Report
from tallystick.suites.cohorts.samples import COHORT_PATH, MemoryFiles, Sample, Shape, sample
from tallystick.suites.cohorts.validating import Options, validate

__all__ = [
    "COMPAT",
    "COMPLETE",
    "FULL",
    "Change",
    "Lie",
    "Outcome",
    "first_code",
    "refused",
    "refused_by_strict_alone",
    "report_of",
]

Change = Callable[[Sample], object]
COMPAT: Final = Options(compat=True)
FULL: Final = Shape()
COMPLETE: Final = Options(compat=True, require_evidence=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case: what it shows, and whether it came out so."""

    shows: str
    ok: bool


@dataclass(frozen=True, slots=True)
class Lie:
    """A change to a sound cohort, and the code of the first finding. `refit`: all digests are made to hold again after it."""

    shows: str
    change: Change
    code: Code
    shape: Shape = FULL
    refit: bool = False
    options: Options = COMPAT


def refused(lie: Lie) -> Outcome:
    """Whether the lie is refused for its reason."""
    return Outcome(lie.shows, first_code(report_of(_changed(lie), lie.options)) == lie.code)


def refused_by_strict_alone(lie: Lie) -> Outcome:
    """Whether the original's rules accept the lie, and strict ones refuse it for its reason."""
    accepted = report_of(_changed(lie), COMPLETE if lie.shape.evidence else COMPAT).ok
    return Outcome(lie.shows, accepted and first_code(report_of(_changed(lie), Options())) == lie.code)


def _changed(lie: Lie) -> Sample:
    """The cohort with the lie in it."""
    made = sample(lie.shape)
    lie.change(made)
    if lie.refit:
        made.refit()
    return made


def report_of(made: Sample, options: Options) -> Report:
    """What the validator says of it."""
    return validate(MemoryFiles(made.files()), COHORT_PATH, options)


def first_code(report: Report) -> Code | None:
    """The code of the first finding; None where there is none."""
    return report.findings[0].code if report.findings else None
