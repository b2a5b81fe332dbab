"""What has to hold before a cohort is frozen, as lines that pass or fail; a freeze demands all of them.

The first seven are those of the format's own checklist, the review among them; the last three are what its history adds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from tallystick.core import pyjson
from tallystick.flows.cohort.opening import OpenCohort, cohort_bytes, validated
from tallystick.records.cohort.cohort import Cohort
from tallystick.records.cohort.vocabulary import NegativeStatus, Stage, TaskStatus
from tallystick.suites.cohorts.chain import review_problems
from tallystick.suites.cohorts.definition import definition, definition_digest
from tallystick.suites.cohorts.reporting import Code, Report
from tallystick.suites.cohorts.validating import Options, is_full_revision

__all__ = ["Line", "lines_of"]

_BINDING: Final = (4, 5, 6, 8)
"""The steps of validation that bind WorkUnit and EvaluatorPlan."""
_DUPLICATES: Final = frozenset({Code.DUPLICATE_ITEM, Code.DUPLICATE_RESPELLED})
_SHOWN: Final = 2


@dataclass(frozen=True, slots=True)
class Line:
    """One line: whether it holds, and what was found, or what is to be done."""

    code: str
    title: str
    passed: bool
    says: str


def lines_of(cohort: OpenCohort, reviewed: bytes | None) -> tuple[Line, ...]:
    """The checklist for a cohort as it is; `reviewed` is the review that the freeze would name, None where there is none."""
    index = cohort.cohort
    # As it will be: a scaffold may have sources that are no commits, a frozen cohort may not.
    frozen = {**index.value, "stage": Stage.FROZEN.value, "definition_digest": definition_digest(index)}
    report = validated(cohort.where, cohort_bytes(frozen), Options())
    return (
        _pinned(index),
        _families(index),
        _size(index, report),
        _bound(report),
        _digest(index),
        _pending(index),
        _authority(index),
        _valid(report),
        _reviewed(cohort, reviewed),
        _stage(cohort),
        _unexposed(cohort),
    )


def _line(code: str, title: str, problems: list[str], fine: str) -> Line:
    more = f"; and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
    return Line(code, title, not problems, "; ".join(problems[:_SHOWN]) + more if problems else fine)


def _pinned(index: Cohort) -> Line:
    loose = [task.id for task in index.tasks if not is_full_revision(task.revision)]
    problems = [f"{name}: the source revision is no full commit of 40 hex digits" for name in loose]
    return _line("sources-pinned", "every source is one commit", problems, f"{len(index.tasks)} tasks")


def _families(index: Cohort) -> Line:
    found = Counter(task.family for task in index.tasks)
    problems = [f"no task of the family {family}" for family in sorted(set(index.required_families) - found.keys())]
    return _line("families-covered", "every required family is there", problems, f"{len(found)} families")


def _size(index: Cohort, report: Report) -> Line:
    count, minimum = len(index.tasks), index.minimum_final_tasks
    problems = [f"{count} tasks, and the cohort asks for {minimum}"] if count < minimum else []
    problems += [finding.message for finding in report.findings if finding.code in _DUPLICATES]
    return _line("enough-tasks", "enough tasks, each one once", problems, f"{count} of at least {minimum}")


def _bound(report: Report) -> Line:
    problems = [finding.message for finding in report.findings if finding.step in _BINDING]
    return _line(
        "documents-bound", "WorkUnits and EvaluatorPlans are the ones named", problems, "digests, ids, versions, validators"
    )


def _digest(index: Cohort) -> Line:
    """Inspected, recorded, reproduced: from the canonical bytes of the definition, as anybody would who was given them."""
    computed, recorded = definition_digest(index), index.definition_digest
    again = pyjson.digest(pyjson.read(pyjson.canonical(definition(index)), strict=True))
    problems = [] if again == computed else [f"{computed} is not reproduced: {again}"]
    if recorded not in {None, computed}:
        problems.append(f"the cohort records {recorded}, its definition has {computed}")
    return _line("digest-reproduced", "the definition's digest is reproduced", problems, computed)


def _pending(index: Cohort) -> Line:
    problems = []
    for task in index.tasks:
        if task.attempts or task.status is TaskStatus.VERIFIED:
            problems.append(f"{task.id}: an attempt is attached")
        if task.negative_case.evidence_status is not NegativeStatus.PENDING:
            problems.append(f"{task.id}: the seeded negative was run already")
    return _line("evidence-pending", "no evidence is there yet", problems, "attempts and seeded negatives are pending")


def _authority(index: Cohort) -> Line:
    problems = [f"{name} is not false" for name, flag in sorted(index.value["authority"].items()) if flag is not False]
    return _line("no-authority", "the cohort grants no authority", problems, "four flags are false")


def _valid(report: Report) -> Line:
    return _line("validates", "tally cohort validate", [finding.message for finding in report.findings], "strict, as if frozen")


def _reviewed(cohort: OpenCohort, data: bytes | None) -> Line:
    title = "the definition was reviewed with another key"
    if data is None:
        todo = f"name one with --review; its reviewer makes it with: tally cohort review {cohort.where.path}"
        return Line("reviewed", title, passed=False, says=todo)
    problems = review_problems(data, cohort.state.cohort_id, cohort.state.author, definition_digest(cohort.cohort))
    return _line("reviewed", title, [problem.message for problem in problems], "signed, of this definition")


def _stage(cohort: OpenCohort) -> Line:
    problems = []
    if cohort.state.stage is not Stage.COLLECTING:
        problems.append(f"the cohort is {cohort.state.stage}{' already' if cohort.state.frozen else ''}")
    if cohort.state.successor is not None:
        problems.append(f"{cohort.state.successor} has taken its place")
    return _line(
        "collecting", "the cohort is collecting", problems, f"{len(cohort.chain.entries)} entries, chain and signatures hold"
    )


def _unexposed(cohort: OpenCohort) -> Line:
    problems = [f"one is: {says}" for says in cohort.state.exposed]
    return _line("not-exposed", "no exposure of a solution is recorded", problems, "that none is known is not shown")
