"""A verdict as SARIF 2.1.0, which code hosts show beside the code: checks that do not hold, and tasks that did not pass.

OASIS Standard "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", 2020. A bundle's task has no line in a
source file, so every result points at the bundle file; its partial fingerprint is the task hash, by which the same task is
known again.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final
from urllib.parse import quote

import tallystick
from tallystick.core import c1
from tallystick.flows.ci import EXIT_CODES, Check, Verdict
from tallystick.flows.groups import TaskGroup, group, passed
from tallystick.flows.markup import visible
from tallystick.flows.show import why

__all__ = ["sarif"]

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
RESULTS: Final = 5_000
"""Results of one run: code hosts show no more."""
_REASON_CHARS: Final = 400

_RULES: Final = {
    "check-failed": ("A check of tally ci does not hold", "error"),
    "task-not-passed": ("No attempt at a task passed", "error"),
    "task-flaky": ("Some attempts at a task passed, some did not", "warning"),
}


def sarif(verdict: Verdict) -> Iterator[bytes]:
    """The document in pieces. `$schema` is no name that C1 writes, so it stands before the rest."""
    log = c1.dumps({"runs": [_run(verdict)], "version": "2.1.0"})
    yield b'{"$schema":' + c1.dumps(SCHEMA) + b"," + log[1:] + b"\n"


def _run(verdict: Verdict) -> c1.Tree:
    rules: list[c1.Tree] = [_rule(name) for name in _RULES]
    driver: dict[str, c1.Tree] = {"name": "tally", "rules": rules, "version": tallystick.__version__}
    code = EXIT_CODES[verdict.conclusion]
    invocation: dict[str, c1.Tree] = {"executionSuccessful": verdict.conclusion != "neutral", "exitCode": code}
    return {
        "automationDetails": {"id": f"tally/{verdict.side.bundle.suite_version}/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "properties": {"conclusion": verdict.conclusion, "headline": visible(verdict.headline)},
        "results": list(islice(_results(verdict), RESULTS)),
        "tool": {"driver": driver},
    }


def _rule(name: str) -> c1.Tree:
    says, level = _RULES[name]
    return {"defaultConfiguration": {"level": level}, "id": name, "shortDescription": {"text": says}}


def _results(verdict: Verdict) -> Iterator[c1.Tree]:
    place = quote(verdict.side.path.as_posix())
    yield from (_check(check, place) for check in verdict.checks if check.state != "ok")
    if verdict.verified:
        side = verdict.side
        groups = group([side.bundle], side.suite) if verdict.compared is None else verdict.compared.groups
        holds = verdict.conclusion == "success"
        yield from (_task(each, place, holds=holds) for each in groups if not all(result.passed for result in each.results[-1]))


def _check(check: Check, place: str) -> c1.Tree:
    return _result("check-failed", f"{check.name}: {check.state}: {check.says}", place)


def _task(each: TaskGroup, place: str, *, holds: bool) -> c1.Tree:
    """A task that did not pass: a note where the gate holds, so that no server goes red where the exit code is 0."""
    results = each.results[-1]
    count = passed(results)
    reasons = dict.fromkeys(why(result) for result in results if not result.passed)
    said = f"{each.task.id}: passed {count}/{len(results)}: {'; '.join(reasons)}"
    found = _result("task-flaky" if count else "task-not-passed", said, place)
    found["partialFingerprints"] = {"tallyTask/v1": each.task.task_hash}
    properties: dict[str, c1.Tree] = {"passed": f"{count}/{len(results)}"}
    if len(each.results) > 1:
        properties["baseline"] = f"{passed(each.results[0])}/{len(each.results[0])}"
    found["properties"] = properties
    if holds:
        found["level"] = "note"
    return found


def _result(rule: str, text: str, place: str) -> dict[str, c1.Tree]:
    location: dict[str, c1.Tree] = {"physicalLocation": {"artifactLocation": {"uri": place}, "region": {"startLine": 1}}}
    return {
        "level": _RULES[rule][1],
        "locations": [location],
        "message": {"text": visible(text, _REASON_CHARS)},
        "ruleId": rule,
        "ruleIndex": list(_RULES).index(rule),
    }
