"""Hiding and revealing evaluators of a sample in memory, as its author or a liar would."""

from __future__ import annotations

from typing import Final

from tallystick.core.digest import sha256
from tallystick.records.cohort.opening import Opening
from tallystick.records.cohort.reading import EXTENSION, Node
from tallystick.suites.cohorts.samples import Sample

__all__ = ["OTHER_SALT", "SALT", "hide", "show"]

SALT: Final = "8d0b54c3f2a16e97" * 4
OTHER_SALT: Final = "79e61a2f3c45b0d8" * 4


def hide(made: Sample, number: int = 0, *, of: int | None = None) -> Opening:
    """Put the commitment to a plan, that of task `of` or its own, in the place of a task's public plan."""
    plan: Node = {**made.plan(number if of is None else of)}
    if "visibility" in plan:
        plan["visibility"] = "hidden"
    evaluator = made.task(number)["evaluator"]
    made.documents.pop(evaluator.pop("plan_path"))
    opening = Opening(plan, SALT)
    evaluator |= {"visibility": "hidden", "plan_id": plan["id"], "plan_digest": opening.commitment}
    return opening


def show(made: Sample, data: bytes, number: int = 0) -> str:
    """Name a file with these bytes as what a task's evaluator was; returns its path."""
    path = f"cohort/reveals/{number}.json"
    made.artifacts[path] = data
    ours = made.cohort.setdefault("extensions", {}).setdefault(EXTENSION, {}).setdefault("reveals", {})
    ours[made.task(number)["id"]] = {"digest": sha256(data), "path": path}
    return path
