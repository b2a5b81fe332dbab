"""What `tally eval` shows: the score with its parts and tiers, failures by category, and where numbers come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import msgspec

from tallystick.cli.screen import Style
from tallystick.cli.text import flat, named, safe, wrapped
from tallystick.cli.words import percent, plural, self_test_line
from tallystick.core import c1
from tallystick.core.exact import Num, to_num
from tallystick.flows.harness.saved import difference
from tallystick.records.base import UNSET, write
from tallystick.records.eval_run import EVAL_RUN_BYTES, EvalFailure, EvalMissing, EvalRun, EvalTier, FailureCategory
from tallystick.records.task import TIERS
from tallystick.scoring.golden import UNJUDGED_MOST

if TYPE_CHECKING:
    from tallystick.flows.harness.cheats import CheatRow
    from tallystick.flows.harness.explain import Explained, Number
    from tallystick.flows.harness.saved import Saved

__all__ = [
    "cheat_lines",
    "cheats_json",
    "compare_lines",
    "explain_json",
    "explain_lines",
    "failure_lines",
    "failures_json",
    "report_json",
    "report_lines",
]

_NAMED: Final = 5
_ROWS: Final = 200
_WHICH: Final = 32
_CATEGORY: Final = max(len(category.value) for category in FailureCategory)


def report_lines(run: EvalRun, style: Style, run_id: str = "") -> Iterator[str]:
    """The score for a person."""
    if run_id:
        yield f"{safe(run_id)}"
    yield style.bold(f"golden score {_four(run.score)}, {run.level}") + f"  ({_tiers_said(run)})"
    yield "  (0.5 x task success + 0.3 x code quality + 0.2 x efficiency)"
    yield "      x reliability x safety"
    yield ""
    yield from _parts(run, style)
    yield ""
    yield from _tiers(run)
    yield ""
    yield from _sources(run)
    yield from _notices(run)
    if run.failures is not UNSET:
        counts = Counter(failure.taxonomy for failure in run.failures)
        said = ", ".join(f"{count} x {name}" for name, count in counts.most_common())
        yield from wrapped(f"{said}; tally eval failures", first="failed: ", rest="  ")


def _four(score: Num) -> str:
    """A score with exactly four digits."""
    return f"{Decimal(score):.4f}"


def _tiers_said(run: EvalRun) -> str:
    """The tiers that have attempts."""
    return ", ".join(tier.tier for tier in run.tiers)


def _parts(run: EvalRun, style: Style) -> Iterator[str]:
    parts = run.components
    judged = (
        f"{run.judged} of {plural(run.attempts, 'attempt')} judged"
        if run.judged
        else f"unjudged: at most {to_num(UNJUDGED_MOST)} is possible"
    )
    gates = [plural(run.crashes, "crash", "crashes")]
    lacking = sum(_halves(run, each) for each in run.missing)
    if lacking:
        gates.append(f"halved: {plural(lacking, 'attempt')} without full telemetry")
    safety = _safety(run)
    rows = [
        ("task success", parts.task_success, f"{run.passed} of {plural(run.attempts, 'attempt')} passed"),
        ("code quality", parts.code_quality, judged),
        ("efficiency", parts.efficiency, _efficiency(run)),
        ("reliability", parts.reliability, ", ".join(gates)),
        ("safety", parts.safety, safety),
    ]
    for name, value, says in rows:
        mark = style.bad if name == "safety" and run.regressions else str
        yield from map(mark, wrapped(f"  {name:<13} {value!s:<9} {says}", rest=" " * 26))


def _safety(run: EvalRun) -> str:
    """What is known of regressions; telemetry has no workspace to look at."""
    if run.regressions:
        return f"{plural(run.regressions, 'attempt')} broke what passed before"
    kinds = {source.kind for source in run.sources if source.attempts}
    if "telemetry" in kinds:
        return "no regression, as claimed" if kinds == {"telemetry"} else "no regression known; of telemetry as claimed"
    return "no regression" if run.regressions_checked else "regressions were not looked for"


def _halves(run: EvalRun, missing: EvalMissing) -> bool:
    """Whether what is missing lowers Reliability: a member of telemetry, or all that a run measures."""
    return missing.members == ("all",) or run.sources[missing.source].kind == "telemetry"


def _efficiency(run: EvalRun) -> str:
    unknown = any(set(each.members) & {"all", "cost_usd"} for each in run.missing)
    cost = "cost unknown" if unknown else f"{0 if run.cost_total is UNSET else run.cost_total} USD"
    return f"{run.duration_seconds} s, {cost}"


def _tiers(run: EvalRun) -> Iterator[str]:
    there = {tier.tier: tier for tier in run.tiers}
    for name in TIERS:
        tier = there.get(name)
        yield f"  {name:<13} {_tier(tier)}"


def _tier(tier: EvalTier | None) -> str:
    if tier is None:
        return "-         nothing scored"
    rate = percent(Fraction(tier.passed, tier.attempts))
    return f"{rate:<9} {tier.passed} of {plural(tier.attempts, 'attempt')}, {plural(tier.tasks, 'task')}"


def _sources(run: EvalRun) -> Iterator[str]:
    for source in run.sources:
        agent = "" if source.agent is UNSET else f", agent {named(source.agent)}"
        said = f"{safe(source.name, 400)}{agent}, {plural(source.attempts, 'attempt')}, {source.level}"
        yield from wrapped(said, first=f"{source.kind:<9} ", rest=" " * 10)


def _notices(run: EvalRun) -> Iterator[str]:
    agents = {source.agent for source in run.sources if source.self_test and source.agent is not UNSET}
    for agent in sorted(agents):
        yield self_test_line(agent)
    if run.level == "claimed" and any(source.kind == "telemetry" for source in run.sources):
        yield "claimed: the word of whoever wrote the telemetry; nothing of it was checked"
    yield from _missing(run)
    for note in run.notes:
        yield from wrapped(safe(note, 400), rest="  ")


def _missing(run: EvalRun) -> Iterator[str]:
    by_members = Counter(each.members for each in run.missing)
    for members, count in by_members.most_common(_NAMED):
        names = [named(each.task) for each in run.missing if each.members == members]
        tasks = list(dict.fromkeys(names))
        more = f" and {len(tasks) - _NAMED} more" if len(tasks) > _NAMED else ""
        what = "all telemetry" if members == ("all",) else safe(", ".join(members))
        yield from wrapped(
            f"{what} in {plural(count, 'attempt')} ({', '.join(tasks[:_NAMED])}{more})", first="missing: ", rest="  "
        )


def compare_lines(run: EvalRun, before: Saved | None) -> Iterator[str]:
    """The difference to the evaluation before, and whether the two are alike."""
    if before is None:
        yield "vs previous: there is none"
        return
    found = difference(run, before.run)
    yield f"vs previous: {Decimal(found.delta):+.4f}  ({safe(before.run_id)})"
    agents = [
        ", ".join(sorted({str(each.agent) for each in of.sources if each.agent is not UNSET})) for of in (before.run, run)
    ]
    if agents[0] != agents[1]:
        yield from wrapped(f"before: agent {named(agents[0]) if agents[0] else 'unknown'}", first="  ")
    if found.same:
        yield from wrapped("both are of the same attempts, so this compares a run with itself", first="  ")
    elif not found.alike:
        yield from wrapped("the two are of other tiers, suites or kinds of source, so the difference says little", first="  ")
    yield from wrapped("a golden score has no interval; what a difference can show: tally compare A B", first="  ")


def report_json(
    saved: Saved, before: Saved | None = None, *, kept: bool = True, compared: bool = False, resumed: int | None = None
) -> bytes:
    """An evaluation for machines: the saved document, its id, the difference where it was asked for.

    `resumed`: attempts that an earlier start had finished, where an agent was run.
    """
    tree = _tree(saved.run)
    if resumed is not None:
        tree["resumed"] = resumed
    there = {tier.tier for tier in saved.run.tiers}
    tree["not_scored"] = [name for name in TIERS if name not in there]
    if kept:
        tree["run_id"] = saved.run_id
    if compared and before is not None:
        found = difference(saved.run, before.run)
        tree["previous"] = {"alike": found.alike, "delta": found.delta, "run_id": before.run_id, "same_attempts": found.same}
    return c1.dumps(tree)


def _tree(run: EvalRun) -> dict[str, c1.Tree]:
    tree = c1.decode(write(run, EVAL_RUN_BYTES), EVAL_RUN_BYTES)
    if not isinstance(tree, dict):
        raise TypeError("a document is an object")
    return tree


def failure_lines(run: EvalRun, style: Style, run_id: str) -> Iterator[str]:
    """Every failure with its category, and how often each category is there."""
    failures = () if run.failures is UNSET else run.failures
    yield style.bold(f"{safe(run_id)}: {len(failures)} of {plural(run.attempts, 'attempt')} did not pass, {run.level}")
    yield ""
    if failures:
        yield from _failure_rows([(_which(run, failure), failure) for failure in failures[:_ROWS]])
        if len(failures) > _ROWS:
            yield f"  (+{len(failures) - _ROWS} more; --json has all)"
        yield ""
    yield from _counts(failures)


def _failure_rows(rows: Sequence[tuple[str, EvalFailure]]) -> Iterator[str]:
    """One row a failure in columns: which attempt, its category, and why beside or below."""
    width = min(_WHICH, max(len(which) for which, _ in rows))
    for which, failure in rows:
        first = f"  {which:<{width}}  {failure.taxonomy:<{_CATEGORY}}  "
        yield from wrapped(flat(failure.details), first=first, rest=" " * (width + _CATEGORY + 6))


def _which(run: EvalRun, failure: EvalFailure) -> str:
    return named(failure.task, 128) + ("" if failure.attempt == 1 and not _repeated(run) else f" #{failure.attempt}")


def _repeated(run: EvalRun) -> bool:
    return run.attempts > run.tasks_evaluated


def _counts(failures: Sequence[EvalFailure]) -> Iterator[str]:
    counts = Counter(failure.taxonomy for failure in failures)
    for category in FailureCategory:
        yield f"  {category.value:<17} {counts[category]:>6}"


def failures_json(saved: Saved) -> bytes:
    """The same for machines."""
    failures = () if saved.run.failures is UNSET else saved.run.failures
    counts = Counter(failure.taxonomy for failure in failures)
    rows: list[c1.Tree] = [msgspec.to_builtins(failure) for failure in failures]
    categories: dict[str, c1.Tree] = {category.value: counts[category] for category in FailureCategory}
    return c1.dumps({"attempts": saved.run.attempts, "categories": categories, "failures": rows, "run_id": saved.run_id})


def explain_lines(found: Sequence[Explained], style: Style) -> Iterator[str]:
    """Every attempt at a task with its numbers and where they come from."""
    for each in found:
        yield (
            style.mark(ok=each.passed)
            + " "
            + style.bold(f"{named(each.task_id, 128)}, attempt {each.attempt}: {'passed' if each.passed else 'not passed'}")
        )
        yield from wrapped(safe(each.source, 400), first="  in ")
        for number in each.numbers:
            yield from _number(number)
        yield ""
    yield "derived: from evidence here. re-run: by graders that ran here."
    yield "declared: the word of whoever made the source."


def _number(number: Number) -> Iterator[str]:
    head = f"  {safe(number.name, 80)} = {safe(number.value, 80)}  [{number.provenance}]"
    yield from wrapped(head, rest="    ")
    if number.evidence:
        yield from wrapped(flat(number.evidence, 300), first="      ")


def explain_json(found: Sequence[Explained]) -> bytes:
    """The same for machines."""
    rows: list[c1.Tree] = [
        {
            "attempt": each.attempt,
            "numbers": [
                {"evidence": number.evidence, "name": number.name, "provenance": number.provenance, "value": number.value}
                for number in each.numbers
            ],
            "passed": each.passed,
            "source": each.source,
            "task_id": each.task_id,
        }
        for each in found
    ]
    return c1.dumps({"attempts": rows})


def cheat_lines(rows: Sequence[CheatRow], style: Style) -> Iterator[str]:
    """Every cheat with its category, then how many of each stated kind of check fall into each category."""
    from tallystick.flows.harness.cheats import confusion  # noqa: PLC0415  # rarely asked for

    for row in rows:
        found = "passes, which it must not" if row.category is None else row.category.value
        mark = style.mark(ok=row.category is not None)
        first, *rest = wrapped(
            f"{named(row.task_id, 128)} / {named(row.name)}  {found}: {flat(row.details)}", first="  x ", rest="      "
        )
        yield f"  {mark}{first[3:]}"
        yield from rest
    yield ""
    yield "what a cheat must fail (as its author states), by category; one cheat counts"
    yield "once for each kind of check"
    yield ""
    used = [category for category in FailureCategory if any(row.category is category for row in rows)]
    for letter, category in zip("abcdefgh", used, strict=False):
        yield f"  {letter} = {category.value}"
    yield f"  {'':<19}" + "".join(f"{letter:>5}" for letter, _ in zip("abcdefgh", used, strict=False)) + "  passed"
    for kind, counts in confusion(rows).items():
        cells = "".join(f"{counts.get(category, 0) or '.':>5}" for category in used)
        yield f"  {kind:<19}{cells}{counts.get(None, 0) or '.':>8}"


def cheats_json(rows: Sequence[CheatRow]) -> bytes:
    """The same for machines."""
    listed: list[c1.Tree] = [
        {
            "category": "passed" if row.category is None else row.category.value,
            "cheat": row.name,
            "details": row.details,
            "stated": list(row.stated),
            "suite": row.suite,
            "task_id": row.task_id,
        }
        for row in rows
    ]
    return c1.dumps({"cheats": listed})
