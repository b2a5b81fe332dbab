"""The act behind `tally ci`: one bundle, maybe held against a baseline, to a conclusion that its exit code repeats.

Each check is `ok`, `failed` or `not judged`. One that failed makes a failure; else one that could not be judged makes it
neutral, which is no pass: a gate that passes whatever it cannot check would pass everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Final, Literal, NamedTuple

from tallystick.core.errors import InputError
from tallystick.flows.compare import Compared, compare_sides
from tallystick.flows.compare.likeness import not_held
from tallystick.flows.page.sides import Side
from tallystick.flows.verified import Terms, judge, open_at, refusal, suite_of
from tallystick.flows.verify import UNWATCHED, Watching
from tallystick.flows.words import percent, points
from tallystick.records.base import UNSET
from tallystick.suites.loading import LoadedSuite

__all__ = ["ALIKE", "EXIT_CODES", "Check", "CiRequest", "Conclusion", "Outputs", "Verdict", "check_bundle"]

Conclusion = Literal["success", "failure", "neutral"]
EXIT_CODES: Final[Mapping[Conclusion, int]] = {"success": 0, "failure": 1, "neutral": 2}
State = Literal["ok", "failed", "not judged"]

VERIFIES: Final = "the bundle verifies"
BASELINE: Final = "the baseline verifies"
ALIKE: Final = "both were made under the same conditions"
DROP: Final = "the pass rate has not dropped by more than is allowed"


class Check(NamedTuple):
    """One thing that was checked."""

    name: str
    state: State
    says: str


@dataclass(frozen=True, slots=True)
class Outputs:
    """Files to write, each where it is asked for."""

    junit: Path | None = None
    sarif: Path | None = None
    summary: Path | None = None


@dataclass(frozen=True, slots=True)
class CiRequest:
    """A bundle, and maybe what it is held against. `max_drop` is a difference of rates, in [0, 1]."""

    bundle: Path
    baseline: Path | None = None
    max_drop: Fraction = Fraction(0)
    terms: Terms = field(default_factory=Terms)
    outputs: Outputs = Outputs()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found. `side` is the bundle; `compared` has the baseline as A, where both could be compared."""

    side: Side
    checks: tuple[Check, ...]
    compared: Compared | None = None

    @property
    def conclusion(self) -> Conclusion:
        """One word for all checks."""
        states = {check.state for check in self.checks}
        return "failure" if "failed" in states else "neutral" if "not judged" in states else "success"

    @property
    def verified(self) -> bool:
        """Whether the bundle's own numbers may be used."""
        return self.checks[0].state == "ok"

    @property
    def headline(self) -> str:
        """The conclusion, and the check that made it."""
        decisive = {"failure": "failed", "neutral": "not judged", "success": "ok"}[self.conclusion]
        says = [check.says for check in self.checks if check.state == decisive]
        return f"{self.conclusion}: {says[-1] if self.conclusion == 'success' else says[0]}"


def check_bundle(request: CiRequest, watching: Watching = UNWATCHED) -> Verdict:
    """Verify a bundle, compare it with its baseline where there is one, and write what is asked for.

    Raises:
        InputError: the bundle cannot be read, or its suite is not known here.
        WriteError: an output cannot be written.
    """
    with ExitStack() as stack:
        file = open_at(stack, request.bundle)
        suite = suite_of(request.bundle, file, request.terms)
        side = judge("B", request.bundle, file, suite, request.terms, watching)
        verdict = Verdict(side, (_verifies(side, partial=request.baseline is not None),))
        if request.baseline is not None:
            verdict = _held_against(stack, request, verdict, suite, watching)
        if request.outputs != Outputs():
            from tallystick.flows.ci.outputs import write_outputs  # noqa: PLC0415  # only where one is asked for

            write_outputs(verdict, request)
        return verdict


def _verifies(side: Side, *, partial: bool) -> Check:
    """The bundle itself. A partial run is no score of its suite; it may be held against one of the same tasks."""
    report, bundle = side.report, side.bundle
    assert report is not None  # `judge` makes one
    problem = refusal(report)
    if problem is None and bundle.partial is not UNSET and not partial:
        problem = "PARTIAL, a partial run is no score of its suite, and there is no baseline of the same tasks"
    if problem is not None:
        return Check(VERIFIES, "failed", f"{side.path} does not verify: {problem}")
    passed = f"passed {bundle.totals.passed}/{bundle.totals.attempts}, {percent(bundle.pass_rate)}"
    alone = "" if partial else "; held against no baseline"
    return Check(VERIFIES, "ok", f"verified, level {report.level}, signer {report.signer}: {passed}{alone}")


def _held_against(stack: ExitStack, request: CiRequest, so_far: Verdict, suite: LoadedSuite, watching: Watching) -> Verdict:
    """The checks of a comparison. Where one cannot be made, those after it cannot either."""
    checks, compared = list(so_far.checks), None
    assert request.baseline is not None  # asked for only then
    try:
        side = judge("A", request.baseline, open_at(stack, request.baseline), suite, request.terms, watching)
        checks.append(_baseline(side))
        if so_far.verified and checks[-1].state == "ok":
            compared = compare_sides(side, so_far.side)
            checks += [_alike(compared), _drop(compared, request.max_drop)]
    except InputError as error:
        checks.append(Check(ALIKE if len(checks) > 1 else BASELINE, "not judged", str(error)))
    return replace(so_far, checks=tuple(checks), compared=compared)


def _alike(compared: Compared) -> Check:
    """What was held against each other, and what was not."""
    left_out = not_held(*compared.bundles)
    if not left_out:
        return Check(ALIKE, "ok", "suite, attempts and conditions are the same")
    said = f"suite, attempts and sandbox are the same; not held against a self-test: {'; '.join(left_out)}"
    return Check(ALIKE, "ok", said)


def _baseline(side: Side) -> Check:
    report = side.report
    assert report is not None  # as above
    problem = refusal(report)
    if problem is not None:
        return Check(BASELINE, "not judged", f"the baseline {side.path} does not verify: {problem}")
    return Check(BASELINE, "ok", f"verified, level {report.level}, signer {report.signer}")


def _drop(compared: Compared, most: Fraction) -> Check:
    paired = compared.paired
    drop = -paired.difference
    change = f"dropped by {points(drop).removeprefix('+')}" if drop > 0 else f"changed by {points(-drop)}"
    rates = f"pass rate {percent(paired.rate_b)}, baseline {percent(paired.rate_a)}: {change}"
    return Check(DROP, "failed" if drop > most else "ok", f"{rates}, {points(most).removeprefix('+')} are allowed")
