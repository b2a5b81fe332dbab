"""What an attempt's traffic comes to."""

from __future__ import annotations

from fractions import Fraction

from tallystick.core.exact import to_fraction
from tallystick.recording.gateway.attempt import Attempt
from tallystick.recording.gateway.budgets import Budget
from tallystick.recording.gateway.recorder import Recorder
from tallystick.recording.gateway.source import Source
from tallystick.recording.gateway.spec import Served, Traffic
from tallystick.records.base import UNSET
from tallystick.records.journal import ModelCall, OtherCall
from tallystick.records.traffic.cassette import Call, Cassette
from tallystick.records.traffic.retries import has_failed

__all__ = ["sum_up"]


def sum_up(attempt: Attempt, recorder: Recorder, budget: Budget, cassette: Cassette | None, source: Source) -> Traffic:
    """Put together what one attempt leaves."""
    calls = recorder.calls()
    changed = source.changed()
    leaks = recorder.leaks(changed)
    notes = attempt.notes
    for number in recorder.uncounted[:3]:
        notes.problem(f"call {number}: its answer tells no usage, so it counts nothing")
    for model in sorted(recorder.unpriced):
        notes.problem(f"the price table knows no model {model}, so its calls cost nothing here")
    if leaks and changed is None:
        notes.problem("a value that the rules rename stands in an answer; a replay may not count")
    for call in calls:
        if not call.complete:
            notes.problem(f"call {call.call}, {call.method} {call.path}: the answer is not complete: {recorder.why(call.call)}")
    return Traffic(
        cassette=cassette,
        events=tuple(map(_served, calls)),
        decisions=notes.decisions,
        hosts=notes.hosts,
        used=notes.used,
        usage=budget.usage,
        cost_usd=_cost(calls),
        failure=_failure(calls, recorder),
        divergence=attempt.divergence or (None if attempt.stop else source.missing()),
        spans=recorder.spans,
        leaks=leaks,
        problems=notes.problems,
    )


def _served(call: Call) -> Served:
    """A call as the journal names it."""
    members: dict[str, str | int | bool] = {"call": call.call, "request": call.request, "status": call.status}
    members |= {"answer": call.answer, "complete": call.complete}
    return Served(OtherCall, members) if call.api == "other" else Served(ModelCall, members | {"api": call.api})


def _cost(calls: tuple[Call, ...]) -> Fraction | None:
    """The sum over all calls; None where one that used tokens has no price."""
    if any(call.usage is not UNSET and call.cost_usd is UNSET for call in calls):
        return None
    return sum((to_fraction(call.cost_usd) for call in calls if call.cost_usd is not UNSET), Fraction(0))


def _failure(calls: tuple[Call, ...], recorder: Recorder) -> str | None:
    """Why the last call to a model got nothing usable from its provider; None where it did, or where there was none."""
    last = next((call for call in reversed(calls) if call.api != "other"), None)
    if last is None or not has_failed(last):
        return None
    if last.complete:
        return f"call {last.call}: the provider answered {last.status}"
    return f"call {last.call}: {recorder.why(last.call)}"
