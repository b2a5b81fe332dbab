"""A bundle as JUnit XML, which every CI server shows: one test case for each attempt.

The form is that of Ant's reports as described by the schema of Windy Road (github.com/windyroad/JUnit-Schema), the strictest in
use: `testsuites/testsuite/(properties, testcase*, system-out, system-err)`, with `id`, `package`, `hostname` and `timestamp`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from tallystick.core.errors import TallyError
from tallystick.flows.markup import Markup, el, visible
from tallystick.flows.show import why
from tallystick.flows.words import LAST_INSTANT, instant
from tallystick.records.base import UNSET
from tallystick.records.bundle import Bundle, TaskResult
from tallystick.records.containers import BundleFile
from tallystick.records.evidence import GradeResult, parse_grade

__all__ = ["CLAIMED", "Checked", "junit"]

CLAIMED: Final = "As the submitter states it; tally verify derives the numbers again."

_TESTS: Final = 50
"""Names of failed tests of one assertion."""


class Checked(NamedTuple):
    """Something that was checked beside the attempts: `tag` is `failure` or `error` where it does not hold, else empty."""

    name: str
    tag: str
    says: str


def junit(
    file: BundleFile, said: str = CLAIMED, checks: Sequence[Checked] = (), *, attempts: bool = True, excused: str = ""
) -> Iterator[str]:
    """The XML in pieces, one attempt at a time; `checks` are a test suite of their own, `attempts` leaves out the bundle's.

    With `excused` an attempt that did not pass is skipped for this reason: what decides holds although it did not.
    """
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
    if attempts:
        yield from _suite(file, said, excused)
    if checks:
        yield _checks(checks, file.bundle, said) + "\n"
    yield "</testsuites>\n"


def _suite(file: BundleFile, said: str, excused: str) -> Iterator[str]:
    bundle = file.bundle
    yield _opened(el("testsuite", **_attributes(bundle, excused)))
    yield el("properties", *(el("property", name=name, value=visible(value)) for name, value in _properties(bundle))) + "\n"
    for result in bundle.task_results:
        yield _case(file, result, excused) + "\n"
    yield el("system-out", said) + el("system-err")
    yield "\n</testsuite>\n"


def _opened(element: Markup) -> str:
    return element.removesuffix("</testsuite>") + "\n"


def _checks(checks: Sequence[Checked], bundle: Bundle, said: str) -> Markup:
    tags = [each.tag for each in checks]
    cases = (el("testcase", *_not_held(each), name=each.name, classname="tally ci", time=_seconds(0)) for each in checks)
    counted = {"tests": len(tags), "failures": tags.count("failure"), "errors": tags.count("error")}
    head: dict[str, str | int] = {"name": "tally ci", "package": "tally", "id": 1, "timestamp": _timestamp(bundle.submitted_at)}
    held = (el("properties"), *cases, el("system-out", said), el("system-err"))
    return el("testsuite", *held, **head, hostname="localhost", **counted, time=_seconds(0))


def _not_held(check: Checked) -> tuple[Markup, ...]:
    return (el(check.tag, check.says, message=check.says, type="check"),) if check.tag else ()


def _attributes(bundle: Bundle, excused: str) -> dict[str, str | int]:
    totals = bundle.totals
    outcomes = [result.harness_output.outcome for result in bundle.task_results if not result.passed]
    failures = outcomes.count("failed")
    counted = {"failures": failures, "errors": len(outcomes) - failures}
    if excused:
        counted = {"failures": 0, "errors": 0, "skipped": len(outcomes)}
    return {
        "name": bundle.suite_version,
        "package": "tally",
        "id": 0,
        "timestamp": _timestamp(bundle.submitted_at),
        "hostname": "localhost",
        "tests": len(bundle.task_results),
        **counted,
        "time": _seconds(totals.wall_ms),
    }


def _timestamp(since_1970: int) -> str:
    """The schema takes no zone and no year beyond four digits."""
    text = instant(min(since_1970, LAST_INSTANT))
    return text.removesuffix(" UTC").replace(" ", "T") + ":00"


def _seconds(milliseconds: int) -> str:
    return f"{Decimal(milliseconds) / 1000:.3f}"


def _properties(bundle: Bundle) -> Iterator[tuple[str, str]]:
    yield "agent", bundle.agent.name
    if bundle.agent.version is not UNSET:
        yield "agent_version", bundle.agent.version
    yield "self_test", "true" if bundle.agent.self_test else "false"
    yield "bundle_hash", bundle.bundle_hash
    yield "suite_hash", bundle.suite_hash
    yield "passed", f"{bundle.totals.passed}/{bundle.totals.attempts}"


def _case(file: BundleFile, result: TaskResult, excused: str) -> Markup:
    of = result.attempt.of
    name = result.task_id if of == 1 else f"{result.task_id} (attempt {result.attempt.index} of {of})"
    time = 0 if result.observed is UNSET else result.observed.wall_ms
    held = () if result.passed else (_failure(file, result, excused),)
    return el("testcase", *held, name=name, classname=file.bundle.suite_version, time=_seconds(time))


def _failure(file: BundleFile, result: TaskResult, excused: str) -> Markup:
    output = result.harness_output
    tag = "failure" if output.outcome == "failed" else "error"
    grades = _grades(file, result)
    lines = [_assertion(name, grades.get(name)) for name in output.failed]
    if excused:
        return el("skipped", "\n".join([why(result), *lines]), message=excused)
    return el(tag, "\n".join(lines), message=why(result), type=output.outcome)


def _grades(file: BundleFile, result: TaskResult) -> dict[str, GradeResult]:
    """What the grade says of each assertion; nothing where it cannot be read, since the ids alone are in the bundle too."""
    try:
        digest = file.receipt(result.receipt_hash).link("grade")
        return {} if digest is None else {each.assertion: each for each in parse_grade(file.read(digest)).results}
    except TallyError:
        return {}


def _assertion(name: str, found: GradeResult | None) -> str:
    if found is None:
        return f"{name}: does not hold"
    parts = [f"{name}: {found.outcome}"]
    if found.exit is not UNSET:
        parts.append(f"exit {found.exit}")
    if found.tests is not UNSET:
        bad = [f"{test.id} {test.outcome}" for test in found.tests if test.outcome != "pass"]
        parts += bad[:_TESTS]
    return ", ".join(parts)
