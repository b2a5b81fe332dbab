"""Whether the harness decided the same in every attempt: one root of the coordination lane per task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tallystick.core.digest import Digest
from tallystick.records.bundle import Coordination, TaskCoordination

__all__ = ["coordinate"]


def coordinate(roots: Mapping[str, Sequence[Digest]]) -> Coordination:
    """Compare the coordination roots of each task's attempts, by task id in suite order and attempt order.

    Where they differ, `root` is the first attempt's.
    """
    tasks = tuple(
        TaskCoordination(task_id=task_id, identical=len(set(found)) == 1, root=found[0]) for task_id, found in roots.items()
    )
    return Coordination(identical=all(task.identical for task in tasks), tasks=tasks)
