"""Which files a cohort consists of, so that nothing that tells of it is written over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tallystick.flows.cohort.folder import COHORT, HISTORY, PENDING, REVIEWS
from tallystick.flows.cohort.opening import Where
from tallystick.records.cohort.cohort import Cohort, CohortTask

__all__ = ["files_of"]


def files_of(where: Where, cohort: Cohort) -> Iterator[Path]:
    """Index, history, an act under way, reviews, and every document that the index names; not all of them need be there."""
    yield from (where.folder / name for name in (COHORT, HISTORY, PENDING))
    yield from (where.folder / REVIEWS).glob("*")
    for task in cohort.tasks:
        yield from (where.root / path for path in _documents(task))


def _documents(task: CohortTask) -> Iterator[str]:
    """Paths of the documents of a task, relative to the root."""
    yield task.work_unit.path
    yield from (path for path in (task.evaluator.plan_path, task.negative_case.evidence_path) if path is not None)
    for attempt in task.attempts:
        yield from (attempt.result_manifest.path, attempt.verification_result.path)
