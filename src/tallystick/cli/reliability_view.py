"""What is shown of a reliability receipt: the floor first, then how it comes about, then what was checked."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from tallystick.cli.screen import Style
from tallystick.cli.text import flat, named, safe, wrapped
from tallystick.cli.verify_view import checklist_lines
from tallystick.cli.words import percent, plural, self_test_line
from tallystick.core import c1
from tallystick.core.exact import Num
from tallystick.flows.reliability import Published
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.reliability import FLOOR_STEPS, ClusteredInterval, FloorStep, PassRate, ReliabilityReport
from tallystick.records.report import LACKING, Report, Row, Status

__all__ = ["floor_lines", "published_json", "published_lines"]

_RATES: Final = 10
"""Rates that are listed; the document has all."""


def published_lines(published: Published, suite_option: str, style: Style) -> Iterator[str]:
    """Everything that is said after the last attempt of a run for a floor."""
    receipt, bundle = published.receipt, published.bundle
    yield ""
    for task in receipt.task_results:
        steady = "" if task.coordination_identical else "  coordination differs"
        mark = style.mark(ok=task.passes == task.attempts)
        yield f"  {mark} {named(task.task_id, 128):<40}  {task.passes}/{task.attempts}{steady}"
    yield ""
    yield from _numbers(receipt.rates, receipt.flip_rate, style)
    if receipt.infra_errors:
        yield f"infrastructure: {plural(receipt.infra_errors, 'attempt')} counted as not passed"
    yield f"coordination {_same(identical=receipt.coordination_ok)}"
    yield receipt.information_says
    if bundle.agent.self_test:
        yield self_test_line(bundle.agent.name)
    if bundle.partial is not UNSET:
        yield f"partial run, {plural(len(bundle.partial), 'task')} only: no floor of {named(bundle.suite_version)}"
    yield ""
    yield f"wrote {published.path}"
    yield f"      {'unsigned' if receipt.signer_fingerprint is UNSET else f'signed by {receipt.signer_fingerprint}'}"
    yield f"next: tally bench reliability-verify {shlex.quote(str(published.path))}{suite_option}"


def published_json(published: Published) -> bytes:
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
    yield from _rows(report, style)
    whole = [reason for reason in report.reasons if not any(row.reason and row.reason in reason for row in report.rows)]
    for reason in whole:
        yield from wrapped(flat(reason), first="  ")
    yield ""
    if inner is not UNSET:
        yield from checklist_lines(inner, style)
        yield ""
    yield from _facts(report, style)
    yield ""
    if inner is not UNSET:
        yield "not proven:"
        for line in inner.not_proven:
            yield from wrapped(safe(line), first="  - ")
        yield ""
    yield f"{paint(report.status.value)}, level {report.level}: {_headline(report)}"


def _stands(report: ReliabilityReport) -> bool:
    return report.status is Status.MATCH or report.status in LACKING


def _headline(report: ReliabilityReport) -> str:
    if not report.rates:
        return "no floor"
    last = report.rates[-1]
    said = f"pass^{last.j} {percent(last.pass_caret)}, {report.passed_all} of {plural(report.tasks, 'task')}"
    return said if _stands(report) else f"derived {said}, but the receipt does not verify"


def _rows(report: ReliabilityReport, style: Style) -> Iterator[str]:
    inner: Sequence[Row] = () if report.bundle is UNSET else report.bundle.rows
    width = max([40, *(min(len(row.task_id), 60) for row in report.rows)])
    for row in report.rows:
        attempts = [each for each in inner if each.task_id == row.task_id]
        bad = [each for each in attempts if each.status is not Status.MATCH]
        status = row.status if row.status is not Status.MATCH or not bad else bad[0].status
        passed = f"passed {sum(each.passed is True for each in attempts)}/{len(attempts)}" if attempts and not bad else ""
        ok = status is Status.MATCH
        yield f"  {style.mark(ok=ok)} {named(row.task_id, 128):<{width}}   {status.value:<5}  {passed if ok else ''}"
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
        yield report.information
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
