"""Step 8: the plan that judges a task's answers is the one that the task names, and made for the task's WorkUnit.

A hidden plan is not read here: what the index says of it is a commitment, and the schema has refused one with a path. Once it
is revealed, `hidden` checks it in the same way, as a strict step.
"""

from __future__ import annotations

from tallystick.core.pyjson import Json
from tallystick.records.cohort.cohort import CohortTask
from tallystick.records.cohort.evaluator_plan import OWN_VERSION, EvaluatorPlan, parse_evaluator_plan
from tallystick.records.cohort.schemas import PLAN_KINDS
from tallystick.records.cohort.work_unit import WorkUnit
from tallystick.suites.cohorts.reading import Place, Reader, Told
from tallystick.suites.cohorts.reporting import Code

__all__ = ["check_evaluator", "check_plan"]


def check_evaluator(reader: Reader, task: CohortTask, unit: WorkUnit | None) -> EvaluatorPlan | None:
    """Check a public plan; returns it if it could be read."""
    if task.evaluator.plan_path is None:
        return None
    place = Place(8, f"{task.id} EvaluatorPlan", task.id)
    value = reader.value_at(task.evaluator.plan_path, place)
    return None if value is None else check_plan(reader, task, unit, value, place)


def check_plan(reader: Reader, task: CohortTask, unit: WorkUnit | None, value: Json, place: Place) -> EvaluatorPlan | None:
    """Check a plan that was read; returns it if its schema accepts it. A hidden one's digest is not its own, so not checked."""
    if not _known_version(reader, value, place):
        return None
    plan = parse_evaluator_plan(value)
    if plan.id != task.evaluator.plan_id:
        reader.say(place, Code.ID_DRIFT, f"{task.id}: EvaluatorPlan id drift")
    if (path := task.evaluator.plan_path) is not None:
        told = Told(place, path, Code.DIGEST_DRIFT, f"{task.id}: EvaluatorPlan digest drift")
        reader.digested(value, task.evaluator.plan_digest, told)
    if plan.backend_type != task.evaluator.backend:
        reader.say(place, Code.BACKEND_DRIFT, f"{task.id}: evaluator backend drift")
    _check_binding(reader, task, plan, place)
    if unit is not None and plan.required_validator_ids != unit.required_validator_ids:
        reader.say(place, Code.VALIDATOR_SET_DRIFT, f"{task.id}: EvaluatorPlan required-validator set drift")
    return plan


def _known_version(reader: Reader, value: Json, place: Place) -> bool:
    """Whether the plan is of a version that can be read, and its schema accepts it."""
    version = value.get("schema_version") if isinstance(value, dict) else None
    if not isinstance(version, str):
        reader.say(place, Code.PLAN_VERSION_MISSING, f"{place.label}: missing evaluator schema_version")
        return False
    kind = PLAN_KINDS.get(version)
    if kind is None or (reader.compat and version == OWN_VERSION):
        message = f"{place.label}: unsupported EvaluatorPlan schema_version {version!r}"
        reader.say(place, Code.PLAN_VERSION_UNSUPPORTED, message)
        return False
    return reader.fits(value, kind, place)


def _check_binding(reader: Reader, task: CohortTask, plan: EvaluatorPlan, place: Place) -> None:
    """The plan is made for this WorkUnit at this source."""
    bound = {
        "WorkUnit id": (plan.work_unit_id, task.work_unit.id),
        "WorkUnit version": (plan.work_unit_version, task.work_unit.version),
        "WorkUnit digest": (plan.work_unit_digest, task.work_unit.digest),
        "source revision": (plan.source_revision, task.revision),
    }
    for what, (said, wanted) in bound.items():
        if said != wanted:
            reader.say(place, Code.PLAN_DRIFT, f"{task.id}: EvaluatorPlan {what} drift")
