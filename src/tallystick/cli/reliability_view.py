"""What is shown of a reliability receipt: the floor first, then how it comes about, then what was checked."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from tallystick.cli.screen import Style
from tallystick.cli.text import flat, named, safe, wrapped
from tallystick.cli.verify_view import Item, checklist, item_lines
from tallystick.cli.words import percent, plural, resumed_lines, self_test_line
from tallystick.core import c1
from tallystick.core.exact import Num
from tallystick.flows.reliability import Published
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.reliability import FLOOR_STEPS, ClusteredInterval, FloorStep, PassRate, ReliabilityReport
from tallystick.records.report import LACKING, NOTHING_RUN, Level, Report, Row, Status, level_of

__all__ = ["floor_lines", "published_json", "published_lines"]

_RATES: Final = 10
"""Rates that are listed; the document has all."""
_ONE: Final = "one attempt at each task: nothing to compare it with, so this floor is the pass rate"
_GROUPS: Final = {
    Level.intact: {*range(FloorStep.container, FloorStep.evidence), FloorStep.binding, FloorStep.coverage},
    Level.rederived: {FloorStep.answers, FloorStep.coordination, FloorStep.floor},
}
"""The receipt's own steps among those of the bundle that make a level."""


def published_lines(published: Published, suite_option: str, style: Style, resumed: int = 0) -> Iterator[str]:
    """Everything that is said after the last attempt of a run for a floor; `resumed` of them an earlier start had finished."""
    receipt, bundle = published.receipt, published.bundle
    yield ""
    for task in receipt.task_results:
        steady = "" if task.coordination_identical else "  coordination differs"
        mark = style.mark(ok=task.passes == task.attempts)
        yield f"  {mark} {named(task.task_id, 128):<40}  {task.passes}/{task.attempts}{steady}"
    yield ""
    yield from _numbers(receipt.rates, receipt.flip_rate, style)
    yield from resumed_lines(resumed)
    if receipt.infra_errors:
        yield f"infrastructure: {plural(receipt.infra_errors, 'attempt')} counted as not passed"
    if receipt.k > 1:
        yield f"coordination {_same(identical=receipt.coordination_ok)}"
        yield receipt.information_says
    else:
        yield _ONE
    if bundle.agent.self_test:
        yield self_test_line(bundle.agent.name)
    if bundle.partial is not UNSET:
        yield f"partial run, {plural(len(bundle.partial), 'task')} only: no floor of {named(bundle.suite_version)}"
    yield ""
    yield f"wrote {published.path}"
    yield f"      {'unsigned' if receipt.signer_fingerprint is UNSET else f'signed by {receipt.signer_fingerprint}'}"
    yield f"next: tally bench reliability-verify {shlex.quote(str(published.path))}{suite_option}"


def published_json(published: Published, resumed: int = 0) -> bytes:
    """The same for machines: one C1 object."""
    receipt, bundle = published.receipt, published.bundle
    tasks: list[c1.Tree] = [
        {
            "attempts": task.attempts,
            "coordination_identical": task.coordination_identical,
            "passes": task.passes,
            "task_id": task.task_id,
        }
        for task in receipt.task_results
    ]
    tree: dict[str, c1.Tree] = {
        "agent": bundle.agent.name,
        "bundle_hash": receipt.bundle_hash,
        "coordination_ok": receipt.coordination_ok,
        "infra_errors": receipt.infra_errors,
        "information": receipt.information_says,
        "k": receipt.k,
        "pass_at_1": receipt.pass_at_1,
        "pass_caret_k": receipt.pass_caret_k,
        "receipt": str(published.path),
        "receipt_hash": receipt.receipt_hash,
        "resumed": resumed,
        "self_test": bundle.agent.self_test,
        "signed": receipt.signature is not UNSET,
        "suite_hash": receipt.suite_hash,
        "suite_version": receipt.suite_version,
        "tasks": tasks,
    }
    if receipt.flip_rate is not UNSET:
        tree["flip_rate"] = receipt.flip_rate
    return c1.dumps(tree)


def _same(*, identical: bool) -> str:
    return "identical in all attempts of each task" if identical else "NOT identical: attempts were not made under one schedule"


def _numbers(rates: Sequence[PassRate], flip: Num | UnsetType, style: Style) -> Iterator[str]:
    """The floor, the ceiling, what lies between, and how often verdicts flip."""
    if not rates:
        return
    last = rates[-1]
    yield style.bold(f"floor pass^{last.j} {percent(last.pass_caret)}, {_interval(last.pass_caret_interval)}")
    yield f"pass@{last.j} {percent(last.pass_at)}, {_interval(last.pass_at_interval)}; pass_at_1 in the receipt"
    if len(rates) > 1:
        listed = rates[:_RATES]
        yield "pass^j " + "  ".join(f"{rate.j}: {percent(rate.pass_caret)}" for rate in listed)
        yield "pass@j " + "  ".join(f"{rate.j}: {percent(rate.pass_at)}" for rate in listed)
    if flip is not UNSET:
        yield f"flips  two attempts at one task disagree in {percent(flip)} of pairs"


def _interval(interval: ClusteredInterval) -> str:
    return f"95 % interval {percent(interval.low)} to {percent(interval.high)} (by task)"


def floor_lines(report: ReliabilityReport, style: Style) -> Iterator[str]:
    """The finding about a receipt, for a person."""
    paint = style.good if report.status is Status.MATCH else style.bad
    inner = report.bundle
    yield f"receipt_hash : {style.digest(report.receipt_hash)}"
    if inner is not UNSET:
        yield f"bundle_hash  : {style.digest(inner.bundle_hash)}"
        yield f"suite_hash   : {style.digest(inner.suite_hash)}  ({named(inner.suite_version, 48)})"
    yield f"overall      : {paint(report.status.value)}"
    yield ""
    whole = [reason for reason in report.reasons if not any(row.reason and row.reason in reason for row in report.rows)]
    yield from _rows(report, style, holds=_stands(report) or not whole)
    for reason in whole:
        yield from wrapped(flat(reason), first="  ")
    yield ""
    if inner is not UNSET:
        yield from _checked(report, inner, style)
        yield ""
    yield from _facts(report, style)
    yield ""
    if inner is not UNSET:
        yield "not proven:"
        for line in inner.not_proven:
            yield from wrapped(safe(line), first="  - ")
        yield ""
    first, *rest = wrapped(_headline(report), first=f"{report.status.value}, level {report.level}: ", rest="  ")
    yield paint(report.status.value) + first[len(report.status.value) :]
    yield from rest


def _checked(report: ReliabilityReport, inner: Report, style: Style) -> Iterator[str]:
    """How far receipt and bundle were checked here, as one list: no more is said of the bundle than of what it is for."""
    yield f"checked here (level {report.level}):"
    for item in checklist(inner):
        yield from item_lines(_of_receipt(report, item), style)


def _of_receipt(report: ReliabilityReport, item: Item) -> Item:
    """A line about the bundle, as what it says of the receipt that the bundle is evidence for."""
    wrong = not _stands(report)
    own = (step for step in report.steps if step.state == "failed" and step.step in _GROUPS.get(item.level, set()))
    if (failed := next(own, None)) is not None:
        return item._replace(word="FAILED" if wrong else "no", note=f"step {failed.step}, {failed.title}")
    if item.note.startswith("step "):
        return item._replace(note=f"of the bundle: {item.note}")
    if wrong and item.word == "yes" and level_of(report.level) < item.level:
        return item._replace(word="no", note="not reached: the receipt does not hold")
    if wrong and item.level is Level.regraded and item.note == NOTHING_RUN:
        return item._replace(note=f"not reached: {NOTHING_RUN}")
    return item


def _stands(report: ReliabilityReport) -> bool:
    return report.status is Status.MATCH or report.status in LACKING


def _headline(report: ReliabilityReport) -> str:
    if not report.rates:
        return "no floor"
    last = report.rates[-1]
    said = f"pass^{last.j} {percent(last.pass_caret)}, {report.passed_all} of {plural(report.tasks, 'task')}"
    return said if _stands(report) else f"derived {said}, but the receipt does not verify"


def _rows(report: ReliabilityReport, style: Style, *, holds: bool) -> Iterator[str]:
    """A row per task; where the receipt as a whole does not hold, what its evidence gives, without a tick."""
    inner: Sequence[Row] = () if report.bundle is UNSET else report.bundle.rows
    width = max([40, *(min(len(row.task_id), 60) for row in report.rows)])
    for row in report.rows:
        attempts = [each for each in inner if each.task_id == row.task_id]
        bad = [each for each in attempts if each.status is not Status.MATCH]
        status = row.status if row.status is not Status.MATCH or not bad else bad[0].status
        count = f"{sum(each.passed is True for each in attempts)}/{len(attempts)}" if attempts and not bad else ""
        ok, name = status is Status.MATCH, f"{named(row.task_id, 128):<{width}}"
        if ok and not holds:
            yield f"  - {name}   {count and f'derived {count}'}"
            continue
        yield f"  {style.mark(ok=ok)} {name}   {status.value:<5}  {f'passed {count}' if ok and count else ''}"
        if row.step is not UNSET:
            where = f"attempt {row.attempt}, " if row.attempt else ""
            title = FLOOR_STEPS[FloorStep(row.step)]
            yield from wrapped(f"{where}step {row.step}, {title}: {flat(row.reason)}", first="      ")


def _facts(report: ReliabilityReport, style: Style) -> Iterator[str]:
    if _stands(report):
        yield from _numbers(report.rates, report.flip_rate, style)
    elif report.rates:
        yield "floor: " + _headline(report)
    if report.infra_errors:
        yield f"infrastructure: {plural(report.infra_errors, 'attempt')} counted as not passed"
    if report.information:
        yield report.information if len(report.rates) > 1 else _ONE
    if report.bundle is not UNSET:
        yield from _agent(report.bundle)
    kid = report.signer_kid
    yield f"signer {report.signer}" + (f", {kid}" if kid and report.signer != "none" else "")


def _agent(inner: Report) -> Iterator[str]:
    yield f"agent  {named(inner.agent)} (declared)"
    if inner.self_test:
        yield f"       {self_test_line(inner.agent)}"
    if inner.sandbox == "none":
        yield "sandbox none (declared): the agent could reach what its user could"
