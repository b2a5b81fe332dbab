"""Attempts as telemetry of others tells them: one form with those that evidence shows, at the level `claimed`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.flows.harness.suites import KnownSuites
from tallystick.records.task import TIERS, Task, Tier
from tallystick.records.telemetry import TaskTelemetry
from tallystick.scoring.claimed import claims_to_pass, clues_of_telemetry, measured_of_telemetry
from tallystick.scoring.evaluated import Rated, unattempted
from tallystick.scoring.taxonomy import classify
from tallystick.suites.loaded import LoadedSuite

__all__ = ["Told", "rate_one", "rate_telemetry"]


@dataclass(frozen=True, slots=True)
class Told:
    """The telemetry of one attempt, and which source it came from, by number and name."""

    source: int
    telemetry: TaskTelemetry
    name: str


@dataclass
class _Covered:
    """A suite of which telemetry speaks, and the tiers of it."""

    suite: LoadedSuite
    tiers: set[Tier]


def rate_one(
    task: Task, telemetry: TaskTelemetry | None, index: int = 1, source: int = 0, quality: Fraction | None = None
) -> Rated:
    """One attempt as its telemetry tells it; one of which there is none did not pass."""
    passed = telemetry is not None and claims_to_pass(task, telemetry)
    return Rated(
        task_id=task.id,
        tier=task.tier,
        attempt=index,
        passed=passed,
        measured=measured_of_telemetry(telemetry),
        source=source,
        missing=("all",) if telemetry is None else telemetry.missing,
        quality=quality,
        failure=None if passed else classify(clues_of_telemetry(task, telemetry)),
    )


def rate_telemetry(
    told: Sequence[Told], suites: KnownSuites, tiers: frozenset[Tier]
) -> tuple[tuple[Rated, ...], tuple[str, ...]]:
    """Attempts that telemetry tells of and those it should tell of: every task of every tier it speaks of, equally often.

    Returns them with notes about what was left out.

    Raises:
        InputError: telemetry of a task that is nowhere.
    """
    taken: dict[str, list[Told]] = {}
    covered: dict[Digest, _Covered] = {}
    notes: dict[str, None] = {}
    known: dict[str, tuple[LoadedSuite, Task]] = {}
    for each in told:
        name = each.telemetry.task_id
        if name not in known:
            known[name] = _known(name, each.name, suites)
        suite, task = known[name]
        if task.tier in tiers:
            taken.setdefault(name, []).append(each)
            covered.setdefault(suite.suite_hash, _Covered(suite, set())).tiers.add(task.tier)
        else:
            notes[f"telemetry of {name} is not counted: its tier is {task.tier}"] = None
    return tuple(_rated(taken, covered)), tuple(notes)


def _known(name: str, source: str, suites: KnownSuites) -> tuple[LoadedSuite, Task]:
    found = suites.find_task(name, frozenset(TIERS))
    if found is None:
        raise InputError(f"{source}: telemetry speaks of the task {name}, which no tier has; give its suite with --suite")
    return found


def _rated(taken: Mapping[str, Sequence[Told]], covered: Mapping[Digest, _Covered]) -> Iterator[Rated]:
    most = max((len(attempts) for attempts in taken.values()), default=0)
    first = min((each.source for attempts in taken.values() for each in attempts), default=0)
    for of in covered.values():
        for task in of.suite.tasks:
            attempts = taken.get(task.id, ()) if task.tier in of.tiers else ()
            for index, each in enumerate(attempts, 1):
                yield rate_one(task, each.telemetry, index, each.source)
            lacking = range(len(attempts) + 1, most + 1) if task.tier in of.tiers else ()
            for index in lacking:
                yield unattempted(task.id, task.tier, index, first, "no telemetry of this task")
