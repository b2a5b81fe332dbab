"""The self-test's cases of hidden evaluators: a commitment alone is accepted, and a reveal only of what was committed to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tallystick.core import pyjson
from tallystick.records.cohort.opening import Opening
from tallystick.suites.cohorts.reporting import Code
from tallystick.suites.cohorts.sample_reveals import OTHER_SALT, hide, show
from tallystick.suites.cohorts.samples import Sample, Shape, sample
from tallystick.suites.cohorts.self_test_case import COMPAT, Lie, Outcome, refused_by_strict_alone, report_of
from tallystick.suites.cohorts.validating import Options

__all__ = ["reveal_outcomes"]


def reveal_outcomes() -> Iterator[Outcome]:
    """Every case, as it comes out here."""
    yield from _sound()
    yield from map(refused_by_strict_alone, _LIES)


def _sound() -> Iterator[Outcome]:
    kept = sample(Shape())
    hide(kept)
    kept.refit()
    yield Outcome("a frozen cohort keeps an evaluator hidden", report_of(kept, Options(require_evidence=True)).ok)
    for stage in ("frozen", "burned"):
        made = sample(Shape(stage=stage))
        show(made, hide(made).to_bytes())
        made.refit()
        accepted = all(report_of(made, options).ok for options in (COMPAT, Options(require_evidence=True)))
        yield Outcome(f"a {stage} cohort reveals what it committed to", accepted)


def _show_other_plan(made: Sample) -> None:
    opening = hide(made)
    show(made, Opening({**opening.plan, "id": "sample/kinder"}, opening.salt).to_bytes())


def _commit_to_another(made: Sample) -> None:
    opening = hide(made)
    made.task()["evaluator"]["plan_digest"] = Opening(opening.plan, OTHER_SALT).commitment
    show(made, opening.to_bytes())


def _show_other_salt(made: Sample) -> None:
    show(made, Opening(hide(made).plan, OTHER_SALT).to_bytes())


def _change_bytes(made: Sample) -> None:
    """The same plan and salt, spelled in another way."""
    opening = hide(made)
    made.artifacts[show(made, opening.to_bytes())] = pyjson.canonical({"plan": opening.plan, "salt": opening.salt})


def _show_no_opening(made: Sample) -> None:
    hide(made)
    show(made, b"[]")


def _lose_the_file(made: Sample) -> None:
    made.artifacts.pop(show(made, hide(made).to_bytes()))


def _never_show(made: Sample) -> None:
    hide(made)


def _show_at_once(made: Sample) -> None:
    show(made, hide(made).to_bytes())


def _use_no_salt(made: Sample) -> None:
    plan = hide(made).plan
    made.task()["evaluator"]["plan_digest"] = pyjson.digest(plan)
    show(made, pyjson.canonical(plan))


def _use_a_poor_salt(made: Sample) -> None:
    value: pyjson.Json = {"plan": hide(made).plan, "salt": "0" * 64}
    made.task()["evaluator"]["plan_digest"] = pyjson.digest(value)
    show(made, pyjson.canonical(value))


def _commit_to_the_plan_of_another_task(made: Sample) -> None:
    opening = hide(made, of=1)
    made.task()["evaluator"]["plan_id"] = opening.plan["id"]
    show(made, opening.to_bytes())


def _show_a_public_plan(made: Sample) -> None:
    opening = hide(made, 1)
    show(made, opening.to_bytes(), 0)


_LIES: Final = (
    Lie("another plan than was committed to is no reveal", _show_other_plan, Code.REVEAL_MISMATCH, refit=True),
    Lie("an opening of another commitment is no reveal", _commit_to_another, Code.REVEAL_MISMATCH, refit=True),
    Lie("another salt than was committed to is no reveal", _show_other_salt, Code.REVEAL_MISMATCH, refit=True),
    Lie("an opening keeps its bytes", _change_bytes, Code.REVEAL_MISMATCH, refit=True),
    Lie("an opening is a plan with its salt", _show_no_opening, Code.REVEAL_MISMATCH, refit=True),
    Lie("an opening is there", _lose_the_file, Code.FILE_MISSING, refit=True),
    Lie("a burned cohort has revealed its evaluators", _never_show, Code.HIDDEN_NOT_REVEALED,
        Shape(stage="burned"), refit=True),
    Lie("what is revealed while collecting was never hidden", _show_at_once, Code.REVEAL_BEFORE_FREEZE,
        Shape(attempts=0, stage="collecting"), refit=True),
    Lie("a commitment without a salt hides nothing", _use_no_salt, Code.REVEAL_GUESSABLE, refit=True),
    Lie("a commitment with a poor salt hides nothing", _use_a_poor_salt, Code.REVEAL_GUESSABLE, refit=True),
    Lie("a revealed plan is made for its task", _commit_to_the_plan_of_another_task, Code.PLAN_DRIFT, refit=True),
    Lie("only what was hidden is revealed", _show_a_public_plan, Code.REVEAL_MISMATCH, refit=True),
)  # fmt: skip
