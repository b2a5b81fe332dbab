"""What `tally verify` shows of a report: the seed's rows, then how much was checked, then what is not proven."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tallystick.cli.judged import judged_lines
from tallystick.cli.screen import Style
from tallystick.cli.text import flat, named, safe, wrapped
from tallystick.cli.words import headline, plural, self_test_line
from tallystick.records.base import UNSET
from tallystick.records.report import LACKING, STEPS, Level, Report, Row, Status, Step, StepResult, level_of
from tallystick.scoring.interval import wilson

__all__ = ["Item", "checklist", "item_lines", "report_lines"]

_LABEL: Final = 12
_SUITE: Final = 48
"""Characters of the suite's name, which stands behind its digest."""
_GROUPS: Final[tuple[tuple[str, Level, tuple[Step, ...]], ...]] = (
    ("bytes", Level.intact, tuple(Step(number) for number in range(Step.container, Step.verdicts))),
    ("arithmetic", Level.rederived, (Step.verdicts, Step.scores, Step.coordination)),
    ("tests re-run", Level.regraded, (Step.regrade,)),
    ("agent re-run", Level.replayed, (Step.replay,)),
    ("live re-run", Level.reproduced, ()),
)
"""The checklist: what a level is called on screen, and the steps that make it."""


def report_lines(report: Report, style: Style) -> Iterator[str]:
    """The report for a person."""
    verdict = report.status.value
    paint = style.good if report.status is Status.MATCH else style.bad
    yield f"bundle_hash : {style.digest(report.bundle_hash)}"
    yield f"suite_hash  : {style.digest(report.suite_hash)}  ({named(report.suite_version, _SUITE)})"
    yield f"overall     : {paint(verdict)}"
    yield ""
    if _another_suite(report):
        yield from wrapped(flat(report.reasons[0]), first="  ")
    else:
        yield from _rows(report, style)
        yield from _reasons(report)
    yield ""
    yield f"checked here (level {report.level}):"
    for item in checklist(report):
        yield from item_lines(item, style)
    yield ""
    yield from _facts(report, style)
    yield ""
    yield "not proven:"
    for line in report.not_proven:
        yield from wrapped(safe(line), first="  - ")
    yield ""
    yield f"{paint(verdict)}, level {report.level}: {_passed(report)}"


def _another_suite(report: Report) -> bool:
    """Whether the bundle is about another suite, so that nothing said of its tasks would mean anything."""
    return any(step.step == Step.suite and step.state == "failed" for step in report.steps)


def _passed(report: Report) -> str:
    if report.pass_rate is UNSET:
        return "no score"
    return f"passed {report.passed}/{report.attempts}" if _stands(report) else _fallen(report)


def _stands(report: Report) -> bool:
    """Whether nothing is wrong with the evidence, whatever may be lacking."""
    return report.status is Status.MATCH or report.status in LACKING


def _fallen(report: Report) -> str:
    """A number that must not be read as a score."""
    return f"derived {report.passed}/{report.attempts}, but the bundle does not verify"


def _rows(report: Report, style: Style) -> Iterator[str]:
    """A row per task; the attempts that failed, each with step and reason, below it."""
    by_task: dict[str, list[Row]] = {}
    for row in report.rows:
        by_task.setdefault(row.task_id, []).append(row)
    width = max([40, *(min(len(name), 60) for name in by_task)])
    for name, rows in by_task.items():
        bad = [row for row in rows if row.status is not Status.MATCH]
        status = (bad or rows)[0].status.value
        passed = f"passed {sum(row.passed is True for row in rows)}/{len(rows)}"
        yield f"  {style.mark(ok=not bad)} {named(name, 128):<{width}}   {status:<5}  {'' if bad else passed}"
        for row in bad:
            yield from _failure(row)


def _failure(row: Row) -> Iterator[str]:
    step = "" if row.step is UNSET else f"step {row.step}, {STEPS[Step(row.step)]}: "
    yield from wrapped(f"attempt {row.attempt}, {step}{flat(row.reason)}", first="      ")


def _reasons(report: Report) -> Iterator[str]:
    """What is wrong with the bundle as a whole; the rows have said their own."""
    own = {f"{row.task_id} attempt {row.attempt}, step" for row in report.rows if row.status is not Status.MATCH}
    whole = [reason for reason in report.reasons if not any(reason.startswith(start) for start in own)]
    if whole:
        yield ""
        for reason in whole:
            yield from wrapped(flat(reason), first="  ")


class Item(NamedTuple):
    """A line of the checklist: `yes`, `no` or `FAILED` of what makes a level, and why not more."""

    title: str
    level: Level
    word: str
    note: str


def checklist(report: Report) -> Iterator[Item]:
    """How far the evidence was checked here."""
    states = {result.step: result for result in report.steps}
    for title, level, steps in _GROUPS:
        yield Item(title, level, *_state(report, level, [states[step] for step in steps if step in states]))


def _state(report: Report, level: Level, steps: Sequence[StepResult]) -> tuple[str, str]:
    """`yes`, `no` or `FAILED`, and why not more."""
    failed = next((step for step in steps if step.state == "failed"), None)
    if failed is not None:
        return "no" if report.status in LACKING else "FAILED", f"step {failed.step}, {failed.title}"
    if level_of(report.level) >= level:
        return "yes", ""
    rows = sum(level_of(row.level) >= level for row in report.rows)
    if rows and rows == len(report.rows):
        return "yes", "for every attempt, not for the claim as a whole"
    lacking = next((step.note for step in steps if step.state in {"skipped", "not_applicable"}), "")
    if level is Level.reproduced:
        lacking = "nobody ran the agent again"
    elif rows:
        why = next((row.reason for row in report.rows if level_of(row.level) < level and row.reason), lacking)
        lacking = f"{rows} of {plural(len(report.rows), 'attempt')} only{f': {why}' if why else ''}"
    return "no", lacking


def item_lines(item: Item, style: Style) -> Iterator[str]:
    """A line of the checklist, and more where its note is long."""
    title, word, note = item.title, item.word, item.note
    painted = {"yes": style.good, "FAILED": style.bad}.get(word, str)(word)
    note, runs, command = flat(note).partition("; run: ")
    first, *rest = wrapped(note, first=f"  {title:<{_LABEL}}  {word:<6}  ", rest=" " * (_LABEL + 12))
    head = f"  {title:<{_LABEL}}  "
    yield head + painted + first[len(head) + len(word) :]
    yield from rest
    if runs:  # unbroken, since people copy it
        yield f"{'':{_LABEL + 12}}run: {command}"


def _facts(report: Report, style: Style) -> Iterator[str]:
    """The number, who signed for it, and where each number comes from."""
    if report.attempts and report.pass_rate is not UNSET:
        yield _score(report, style)
        yield from judged_lines(report)
    else:
        yield "score  : none could be derived from this file"
    yield from _floor(report)
    yield f"agent  : {named(report.agent)} (declared)"
    if report.self_test:
        yield f"         {self_test_line(report.agent)}"
    if report.sandbox == "none":
        yield "sandbox: none (declared): the agent could reach what its user could"
    yield f"signer : {_signer(report)}"
    same = sum(row.equals_reference is True for row in report.rows)
    if same and not report.self_test:
        verb = "equals" if same == 1 else "equal"
        yield f"note   : {same} of {plural(len(report.rows), 'final workspace')} {verb} the reference solution byte for byte"
    yield from _remarks(report)
    yield from _provenance(report)


def _score(report: Report, style: Style) -> str:
    """The number to read first, if it is one to rely on."""
    if not _stands(report):
        return f"score  : {_fallen(report)}"
    line = f"score  : {headline(report.passed, report.attempts, wilson(report.passed, report.attempts))}"
    return style.bold(line) if report.status is Status.MATCH else line


def _floor(report: Report) -> Iterator[str]:
    """Where there are several attempts: at how many tasks all passed, and at how many one did."""
    tasks: dict[str, list[bool]] = {}
    for row in report.rows:
        tasks.setdefault(row.task_id, []).append(row.passed is True)
    k = max(map(len, tasks.values()), default=0)
    if k > 1 and _stands(report) and report.pass_rate is not UNSET:
        every, some = sum(map(all, tasks.values())), sum(map(any, tasks.values()))
        yield f"floor  : pass^{k} {every}/{len(tasks)} tasks (all attempts passed), pass@{k} {some}/{len(tasks)} (one did)"


def _remarks(report: Report) -> Iterator[str]:
    """What the numbers do not say by themselves."""
    ungraded = sum(row.outcome in {"infra_error", "refused"} for row in report.rows)
    if ungraded:
        yield f"note   : {plural(ungraded, 'attempt')} never graded, counted as not passed"
    tries = sum(row.tries for row in report.rows)
    if tries:
        yield f"note   : cut off or failed before, and done again: {plural(tries, 'attempt')}"


def _signer(report: Report) -> str:
    match report.signer:
        case "self":
            return f"self, {report.signer_kid} (a key of yours)"
        case "trusted":
            return f"trusted, {report.signer_kid}"
        case "unknown":
            return f"unknown, {report.signer_kid}"
        case _:
            return "none that holds" if report.signer_kid else "none, the bundle is unsigned"


def _provenance(report: Report) -> Iterator[str]:
    reached = level_of(report.level)
    if reached >= Level.rederived:
        yield "derived: verdicts, score and totals, from the evidence in the file"
    if reached >= Level.regraded:
        judged = ", and what the judge measures" if report.judged else ""
        yield f"re-run : the outcome of every test{judged}"
    yield "declared by the submitter: times, cost, agent name and version"
