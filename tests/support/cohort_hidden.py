"""A sample with a hidden evaluator, and what opens it."""

from __future__ import annotations

from tallystick.core import pyjson
from tallystick.records.cohort.opening import Opening
from tallystick.suites.cohorts.sample_reveals import SALT, hide
from tallystick.suites.cohorts.samples import Sample, sample

__all__ = ["hidden_sample"]


def hidden_sample() -> tuple[Sample, Opening]:
    """A cohort of five tasks, the evaluator of the first one hidden, and what opens it."""
    made = sample()
    opening = hide(made)
    made.refit()
    assert pyjson.digest({"plan": opening.plan, "salt": SALT}) == opening.commitment
    return made, opening
