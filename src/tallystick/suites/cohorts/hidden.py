"""Step 17 for hidden evaluators: that they are revealed in the end, and are then what was committed to before outcomes.

A reveal is a file with the plan and its salt (`records.cohort.opening`), named in `extensions.tallystick.reveals` by task:
`{path, digest}`, the digest over its bytes. From then on everything is asked of the plan that is asked of a public one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tallystick.core.digest import sha256
from tallystick.core.pyjson import Json, PyJsonError
from tallystick.records.cohort.cohort import Cohort, CohortTask
from tallystick.records.cohort.evaluator_plan import EvaluatorPlan
from tallystick.records.cohort.opening import GuessableError, Opening, OpeningError, parse_opening
from tallystick.records.cohort.vocabulary import Stage
from tallystick.records.cohort.work_unit import WorkUnit
from tallystick.suites.cohorts.evaluators import check_plan
from tallystick.suites.cohorts.reading import Place, Reader
from tallystick.suites.cohorts.reporting import Code

__all__ = ["Reveal", "check_opening", "check_reveal", "check_reveals", "hidden_tasks", "reveals_of", "still_hidden"]

STEP: Final = 17
_FINAL: Final = (Stage.FROZEN, Stage.BURNED)


@dataclass(frozen=True, slots=True)
class Reveal:
    """Where an opening is, relative to the root, and the digest of its bytes."""

    path: str
    digest: str


def reveals_of(cohort: Cohort) -> dict[str, Reveal | None]:
    """What the cohort says was revealed, by task; None where it names no path and digest."""
    named = cohort.ours.get("reveals", {})
    return {task: _reveal(value) for task, value in named.items()} if isinstance(named, dict) else {}


def _reveal(value: Json) -> Reveal | None:
    if not isinstance(value, dict) or value.keys() != {"digest", "path"}:
        return None
    path, digest = value["path"], value["digest"]
    return Reveal(path, digest) if isinstance(path, str) and isinstance(digest, str) else None


def hidden_tasks(cohort: Cohort) -> dict[str, CohortTask]:
    """The tasks whose evaluator is hidden, by id."""
    return {task.id: task for task in cohort.tasks if task.evaluator.plan_path is None}


def still_hidden(cohort: Cohort) -> tuple[str, ...]:
    """The tasks whose evaluator was not revealed, in the order of the cohort."""
    return tuple(task for task in hidden_tasks(cohort) if task not in reveals_of(cohort))


def check_reveal(reader: Reader, cohort: Cohort, task: CohortTask, unit: WorkUnit | None) -> EvaluatorPlan | None:
    """Check the hidden evaluator of a task; returns its plan if it was revealed and can be read."""
    place = _place(task)
    reveals = reveals_of(cohort)
    if task.id not in reveals:
        if cohort.stage == Stage.BURNED:
            message = f"{task.id}: the cohort is burned, and its hidden evaluator was not revealed"
            reader.say(place, Code.HIDDEN_NOT_REVEALED, message)
        return None
    if cohort.stage not in _FINAL:
        message = f"{task.id}: the evaluator was revealed while the cohort is {cohort.stage}, so it is not hidden"
        reader.say(place, Code.REVEAL_BEFORE_FREEZE, message)
    reveal = reveals[task.id]
    if reveal is None:
        _mismatch(reader, place, "extensions.tallystick.reveals does not give exactly a path and a digest")
        return None
    data = reader.bytes_at(reveal.path, place)
    if data is None:
        return None
    if sha256(data) != reveal.digest:
        _mismatch(reader, place, f"{reveal.path} is not the file that was revealed, whose digest is {reveal.digest}")
    return _check_bytes(reader, task, unit, data, reveal.path)


def _check_bytes(reader: Reader, task: CohortTask, unit: WorkUnit | None, data: bytes, path: str) -> EvaluatorPlan | None:
    place = _place(task)
    try:
        opening = parse_opening(data)
    except GuessableError as error:
        reader.say(place, Code.REVEAL_GUESSABLE, f"{task.id}: {path}: {error}")
    except OpeningError as error:
        _mismatch(reader, place, f"{path} is no opening: {error}")
    else:
        return check_opening(reader, task, unit, opening)
    return None


def check_opening(reader: Reader, task: CohortTask, unit: WorkUnit | None, opening: Opening) -> EvaluatorPlan | None:
    """Check an opening against the commitment, and its plan as a public one; of any other opening no more is said."""
    place = _place(task)
    try:
        found = opening.commitment
    except PyJsonError as error:
        _mismatch(reader, place, f"the revealed plan has no digest: {error}")
        return None
    if found != task.evaluator.plan_digest:
        message = f"plan and salt have the digest {found}, committed to was {task.evaluator.plan_digest}"
        _mismatch(reader, place, message)
        return None
    return check_plan(reader, task, unit, opening.plan, place)


def check_reveals(reader: Reader, cohort: Cohort) -> None:
    """Reveals of evaluators that are not hidden, or of no task."""
    if not isinstance(cohort.ours.get("reveals", {}), dict):
        reader.say(Place(STEP, ""), Code.REVEAL_MISMATCH, "extensions.tallystick.reveals is no object")
    for name in sorted(reveals_of(cohort).keys() - hidden_tasks(cohort).keys()):
        message = f"extensions.tallystick.reveals names {name}, and the cohort has no hidden evaluator of a task with that id"
        reader.say(Place(STEP, ""), Code.REVEAL_MISMATCH, message)


def _place(task: CohortTask) -> Place:
    return Place(STEP, f"{task.id} revealed EvaluatorPlan", task.id)


def _mismatch(reader: Reader, place: Place, message: str) -> None:
    reader.say(place, Code.REVEAL_MISMATCH, f"{place.task}: {message}")
