"""Where the golden harness keeps things, below the state folder."""

from __future__ import annotations

from pathlib import Path

__all__ = ["baselines_folder", "evaluations_folder", "own_tasks_folder", "telemetry_folder"]


def own_tasks_folder(state: Path) -> Path:
    """The operator's own tasks: a folder for each tier that has some."""
    return state / "eval" / "golden"


def telemetry_folder(state: Path) -> Path:
    """Where an orchestrator leaves the telemetry of its attempts."""
    return own_tasks_folder(state) / "telemetry"


def evaluations_folder(state: Path) -> Path:
    """Saved evaluations."""
    return state / "eval" / "runs"


def baselines_folder(state: Path) -> Path:
    """Grades of untouched workspaces."""
    return state / "eval" / "baselines"
