"""What telemetry of others is worth: whether it says that an attempt passed, what it measured, and why it failed.

Nothing here can be derived: the level of every number from it is `claimed`. An attempt passed exactly when all completion
signals passed, at least one was checked, no test failed, and time, cost and changes stay within what the task allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tallystick.core.exact import to_fraction
from tallystick.records.base import UNSET
from tallystick.records.task import Task
from tallystick.records.telemetry import TaskTelemetry
from tallystick.scoring.golden import NOTHING, Measured
from tallystick.scoring.taxonomy import Clues

__all__ = ["all_passed", "claims_to_pass", "clues_of_telemetry", "measured_of_telemetry"]


def claims_to_pass(task: Task, telemetry: TaskTelemetry) -> bool:
    """Whether the telemetry says that the attempt passed, within the task's limits and files."""
    return all_passed(telemetry) and not any(_beyond(task, telemetry))


def all_passed(telemetry: TaskTelemetry) -> bool:
    """Whether all completion signals passed, of at least one, and no test failed."""
    checked, passed = telemetry.completion_signals_checked, telemetry.completion_signals_passed
    return checked is not UNSET and checked > 0 and passed == checked and telemetry.tests_failed == 0


def _beyond(task: Task, telemetry: TaskTelemetry) -> Iterator[str]:
    yield from _too_long(task, telemetry)
    yield from _too_dear(task, telemetry)
    yield from _outside(task, telemetry)
    yield from _protected(task, telemetry)


def measured_of_telemetry(telemetry: TaskTelemetry | None) -> Measured:
    """What the formula takes of it; nothing where there is none."""
    if telemetry is None:
        return NOTHING
    return Measured(seconds=telemetry.seconds, cost_usd=telemetry.cost, complete=not telemetry.missing)


def clues_of_telemetry(task: Task, telemetry: TaskTelemetry | None) -> Clues:
    """What it shows of a failed attempt, by category."""
    if telemetry is None:
        return Clues(incomplete=("no telemetry of this task",))
    return Clues(
        test_regression=tuple(_failed_tests(telemetry)),
        timeout=tuple(_too_long(task, telemetry)),
        scope_creep=tuple(_outside(task, telemetry)),
        conflict=tuple(_protected(task, telemetry)),
        orientation_miss=tuple(_mostly_reading(telemetry)),
        incomplete=(*_too_dear(task, telemetry), *_signals(telemetry)),
    )


def _failed_tests(telemetry: TaskTelemetry) -> Iterator[str]:
    if telemetry.tests_failed is not UNSET and telemetry.tests_failed:
        yield f"{telemetry.tests_failed} {'test' if telemetry.tests_failed == 1 else 'tests'} failed"


def _too_long(task: Task, telemetry: TaskTelemetry) -> Iterator[str]:
    seconds, most = telemetry.seconds, Fraction(task.limits.wall_ms, 1000)
    if seconds is not None and seconds > most:
        yield f"{float(seconds):g} s of {float(most):g}"


def _too_dear(task: Task, telemetry: TaskTelemetry) -> Iterator[str]:
    cost, most = telemetry.cost, to_fraction(task.limits.cost_usd)
    if cost is not None and cost > most:
        yield f"{float(cost):g} USD of {float(most):g}"


def _modified(telemetry: TaskTelemetry) -> Iterator[str]:
    for path in () if telemetry.files_modified is UNSET else telemetry.files_modified:
        yield path.removeprefix("./")


def _covered(path: str, patterns: tuple[str, ...]) -> bool:
    return any(path == pattern.rstrip("/") or (pattern.endswith("/") and path.startswith(pattern)) for pattern in patterns)


def _outside(task: Task, telemetry: TaskTelemetry) -> Iterator[str]:
    owned = () if task.owned_files is UNSET else task.owned_files
    for path in _modified(telemetry):
        leaves = path.startswith("/") or ".." in path.split("/")
        stray = bool(owned) and not _covered(path, (*owned, *task.protected_files))
        if leaves or stray:
            yield f"changed {path}"


def _protected(task: Task, telemetry: TaskTelemetry) -> Iterator[str]:
    for path in _modified(telemetry):
        if _covered(path, tuple(f"{each.rstrip('/')}/" for each in task.protected_files)):
            yield f"changed {path}, which is protected"


def _mostly_reading(telemetry: TaskTelemetry) -> Iterator[str]:
    read = 0 if telemetry.files_read is UNSET else len(telemetry.files_read)
    modified = 0 if telemetry.files_modified is UNSET else len(telemetry.files_modified)
    if 2 * read > read + modified:
        yield f"read {read} files, changed {modified}"


def _signals(telemetry: TaskTelemetry) -> Iterator[str]:
    checked, passed = telemetry.completion_signals_checked, telemetry.completion_signals_passed
    if checked is UNSET or passed is UNSET:
        yield "no completion signals"
    elif checked == 0 or passed < checked:
        yield f"{passed} of {checked} completion signals passed"
    if telemetry.tests_failed is UNSET:
        yield "nothing says that no test failed"
