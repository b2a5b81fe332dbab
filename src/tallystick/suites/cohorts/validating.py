"""Whether a cohort, its documents and its evidence belong together: numbered steps, in the order of the original's.

Every step writes down what is wrong and goes on as far as what it found allows, so that all failures are listed and the first
is the one at which the original stops. Documents stream past: one attempt's are held at a time. Strict steps run beside the
original's (`strict`), and their findings come after.

 0 path and bytes of the cohort      5 WorkUnit version             10 attempts
 1 its schema                        6 WorkUnit source revision     11 seeded negative
 2 task ids are unique               7 no item twice                12 required evidence
 3 source revision is pinned         8 evaluator                    13 size and families
 4 WorkUnit                          9 attempt ids are unique       14 definition digest
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from tallystick.core.digest import Digest
from tallystick.records.cohort.cohort import Cohort, CohortTask, parse_cohort
from tallystick.records.cohort.schemas import DocumentKind
from tallystick.records.cohort.vocabulary import NegativeStatus, Stage, TaskStatus
from tallystick.records.cohort.work_unit import WorkUnit, parse_work_unit
from tallystick.suites.cohorts.attempts import check_attempts
from tallystick.suites.cohorts.definition import definition
from tallystick.suites.cohorts.evaluators import check_evaluator
from tallystick.suites.cohorts.files import Files
from tallystick.suites.cohorts.negatives import check_negative
from tallystick.suites.cohorts.reading import Place, Reader, Told
from tallystick.suites.cohorts.reporting import WORK_UNIT_STEP, Code, Report, Sheet
from tallystick.suites.cohorts.strict import Strict

__all__ = ["LABEL", "Options", "is_full_revision", "load_cohort", "validate"]

LABEL: Final = "BenchmarkCohort"
_FULL_REVISION: Final = re.compile(r"[0-9a-f]{40}").fullmatch
_FINAL: Final = (Stage.FROZEN, Stage.BURNED)
_Item = tuple[str, str, str, float]


@dataclass(frozen=True, slots=True)
class Options:
    """How to judge: exactly as the original (`compat`), and whether every task has to have its evidence."""

    compat: bool = False
    require_evidence: bool = False


@dataclass(slots=True)
class _Course:
    """What one validation carries from task to task."""

    reader: Reader
    cohort: Cohort
    options: Options
    strict: Strict | None
    items: set[_Item] = field(default_factory=set)


def validate(files: Files, cohort_path: str, options: Options) -> Report:
    """Validate the cohort at a path below the root of `files`, with everything it names."""
    reader = Reader(files, Sheet(), options.compat)
    cohort = load_cohort(reader, cohort_path)
    if cohort is None:
        return Report(reader.sheet.findings(), reader.sheet.left_out)
    strict = None if options.compat else Strict(reader, cohort, require_evidence=options.require_evidence)
    course = _Course(reader, cohort, options, strict)
    if len({task.id for task in cohort.tasks}) != len(cohort.tasks):
        reader.sheet.say(2, Code.TASK_IDS_NOT_UNIQUE, "benchmark task ids must be unique")
    for task in cohort.tasks:
        _check_task(course, task)
    _check_size(reader.sheet, cohort)
    digest = _check_definition(reader, cohort, cohort_path)
    if strict is not None:
        strict.check_cohort()
    return _report(reader.sheet, cohort, digest)


def load_cohort(reader: Reader, path: str) -> Cohort | None:
    """Steps 0 and 1, with which every command on a cohort begins."""
    value = reader.value_at(path, Place(0, LABEL))
    if value is None or not reader.fits(value, DocumentKind.COHORT, Place(1, LABEL)):
        return None
    return parse_cohort(value)


def _check_task(course: _Course, task: CohortTask) -> None:
    """Steps 3 to 12 for one task."""
    reader = course.reader
    _check_revision(reader.sheet, course.cohort, task)
    unit = _work_unit(reader, task)
    _check_item(course, task)
    plan = check_evaluator(reader, task, unit)
    if len({attempt.attempt_id for attempt in task.attempts}) != len(task.attempts):
        reader.sheet.say(9, Code.ATTEMPT_IDS_NOT_UNIQUE, f"{task.id}: attempt ids must be unique within a task", task.id)
    check_attempts(reader, task, unit, course.strict)
    check_negative(reader, task, course.strict)
    if course.options.require_evidence:
        _check_required(reader.sheet, task)
    if course.strict is not None:
        course.strict.check_task(task, unit, plan)


def is_full_revision(text: str) -> bool:
    """Whether a revision is one commit: 40 lowercase hex digits, and no line feed."""
    return _FULL_REVISION(text) is not None


def _check_revision(sheet: Sheet, cohort: Cohort, task: CohortTask) -> None:
    """Step 3: from collecting on, a source is one commit."""
    if cohort.stage != Stage.SCAFFOLD and not is_full_revision(task.revision):
        message = f"{task.id}: collecting/frozen benchmark source revision must be a full 40-hex Git SHA"
        sheet.say(3, Code.REVISION_NOT_PINNED, message, task.id)


def _work_unit(reader: Reader, task: CohortTask) -> WorkUnit | None:
    """Steps 4 to 6: the WorkUnit is the one that the task names."""
    place = Place(WORK_UNIT_STEP, f"{task.id} WorkUnit", task.id)
    value = reader.document(task.work_unit.path, DocumentKind.WORK_UNIT, place)
    if value is None:
        return None
    unit = parse_work_unit(value)
    reader.same(value, task.work_unit, place)
    if unit.version != task.work_unit.version:
        reader.sheet.say(5, Code.VERSION_DRIFT, f"{task.id}: WorkUnit version drift", task.id)
    if unit.source_revision != task.revision:
        reader.sheet.say(6, Code.REVISION_DRIFT, f"{task.id}: WorkUnit source revision drift", task.id)
    return unit


def _check_item(course: _Course, task: CohortTask) -> None:
    """Step 7: one piece of work counts once."""
    item = (task.repository, task.revision, task.work_unit.id, task.work_unit.version)
    if item in course.items:
        message = f"{task.id}: duplicate source/WorkUnit benchmark item"
        course.reader.sheet.say(7, Code.DUPLICATE_ITEM, message, task.id)
    course.items.add(item)


def _check_required(sheet: Sheet, task: CohortTask) -> None:
    """Step 12: what is counted has attempts and a negative that was caught; what is excluded says why instead."""
    if task.status == TaskStatus.PENDING:
        sheet.say(12, Code.EVIDENCE_PENDING, f"{task.id}: evidence is still pending", task.id)
    elif task.status == TaskStatus.VERIFIED and task.negative_case.evidence_status != NegativeStatus.VERIFIED:
        message = f"{task.id}: included benchmark item lacks verified seeded-negative evidence"
        sheet.say(12, Code.NEGATIVE_UNVERIFIED, message, task.id)


def _check_size(sheet: Sheet, cohort: Cohort) -> None:
    """Step 13: a cohort that is final is large enough and covers its families; excluded tasks count."""
    if cohort.stage not in _FINAL:
        return
    if len(cohort.tasks) < cohort.minimum_final_tasks:
        sheet.say(13, Code.TOO_FEW_TASKS, "frozen/burned cohort is smaller than minimum_final_tasks")
    if not set(cohort.required_families) <= {task.family for task in cohort.tasks}:
        sheet.say(13, Code.FAMILIES_UNCOVERED, "frozen/burned cohort does not cover all required task families")


def _check_definition(reader: Reader, cohort: Cohort, path: str) -> Digest | None:
    """Step 14: the digest that is recorded, at whatever stage, is that of the definition; returns the latter."""
    place = Place(14, LABEL)
    if cohort.definition_digest is None:
        return reader.digest(definition(cohort), place)
    told = Told(place, path, Code.DEFINITION_DRIFT, "benchmark pre-outcome definition digest drift")
    return reader.digested(definition(cohort), cohort.definition_digest, told)


def _report(sheet: Sheet, cohort: Cohort, digest: Digest | None) -> Report:
    statuses = Counter(task.status for task in cohort.tasks)
    return Report(
        sheet.findings(),
        sheet.left_out,
        cohort_id=cohort.id,
        definition_digest=digest,
        stage=cohort.stage,
        task_count=len(cohort.tasks),
        pending_tasks=statuses[TaskStatus.PENDING],
        verified_tasks=statuses[TaskStatus.VERIFIED],
        excluded_tasks=statuses[TaskStatus.EXCLUDED],
        automatic_candidate_selection=cohort.value["authority"]["automatic_candidate_selection"],
    )
