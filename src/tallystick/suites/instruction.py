"""The text an agent is given for a task."""

from __future__ import annotations

from tallystick.records.task import Task

__all__ = ["instruction"]


def instruction(task: Task) -> str:
    """The description, then the steps as a numbered list; ends with one line feed."""
    parts = [task.description.strip("\n")] if task.description.strip() else []
    if task.steps:
        parts.append("\n".join(_numbered(number, step) for number, step in enumerate(task.steps, 1)))
    return "\n\n".join(parts) + "\n"


def _numbered(number: int, step: str) -> str:
    mark = f"{number}. "
    return mark + step.strip("\n").replace("\n", "\n" + " " * len(mark))
