"""`tally cohort report`: what the evidence of a cohort shows about its structural signatures, and no rank.

A cohort is validated first; its numbers are of the index, and every attempt that was ever attached counts. An attempt of a task
that was excluded after outcomes were seen counts as not supported, so that leaving a task out gains nobody anything. Signatures
stand in the order in which they were declared. Only with `compare` are strategies held against each other, and then by a test.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final

from tallystick.core.digest import Digest
from tallystick.core.errors import TallyError
from tallystick.core.pyjson import Json, PyJsonError, read
from tallystick.flows.cohort.evidence import manifests
from tallystick.flows.cohort.folder import HISTORY, PENDING
from tallystick.flows.cohort.opening import Where, cohort_bytes, look, validated
from tallystick.flows.words import plural
from tallystick.records.cohort.cohort import Cohort, CohortTask, parse_cohort
from tallystick.records.cohort.reading import own_members
from tallystick.records.cohort.vocabulary import AttemptOutcome, TaskStatus
from tallystick.records.reliability import ClusteredInterval
from tallystick.scoring.clustered import clustered_interval
from tallystick.scoring.diversity import (
    Difference,
    Strategy,
    averaged,
    diversity,
    equal_budget,
    replication,
    subtract,
)
from tallystick.scoring.passk import TaskCount, mean_pass_at
from tallystick.suites.cohorts.budgets import find_unequal
from tallystick.suites.cohorts.definition import definition_digest
from tallystick.suites.cohorts.files import open_files
from tallystick.suites.cohorts.validating import Options

__all__ = ["NO_HISTORY", "CohortReport", "Compared", "CountedTask", "InvalidEvidenceError", "SignatureRow", "make_report"]

NO_HISTORY: Final = (
    "there is no history beside it: nothing shows that outcomes came after the freeze, or that none was left out"
)


class InvalidEvidenceError(TallyError):
    """A cohort whose numbers are not used, since it does not validate."""


@dataclass(frozen=True, slots=True)
class CountedTask:
    """A task that counts, with its attempts and those supported by signature. `excluded` ones were so after outcomes."""

    task: CohortTask
    counts: Mapping[str, TaskCount]
    seen: Mapping[str, TaskCount]
    """As they came out, also where they count as not supported."""
    excluded: bool


@dataclass(frozen=True, slots=True)
class SignatureRow:
    """Attempts of one structural signature that were made, and those supported that count; the rate is over counted ones."""

    signature: str
    attempts: int
    supported: int
    rate: Fraction
    interval: ClusteredInterval
    by_budget: tuple[Fraction, ...]
    """The chance that at least one of 1, 2, ... attempts at a task is supported."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Diversity minus replication, with the signature picked without looking, and minus each signature by itself."""

    overall: Difference
    each: tuple[tuple[str, Difference], ...]

    @property
    def standing(self) -> str:
        """What was shown, in words."""
        if not self.overall.shown:
            return "no difference shown"
        return "diversity is worth more" if self.overall.mean > 0 else "replication is worth more"


@dataclass(frozen=True, slots=True)
class CohortReport:
    """The whole report. `budget` is what strategies spend at each task, None where they cannot be put side by side."""

    cohort: Cohort
    definition_digest: Digest
    with_history: bool
    tasks: tuple[CountedTask, ...]
    rows: tuple[SignatureRow, ...]
    unused: tuple[str, ...]
    unequal: tuple[str, ...]
    budget: int | None
    strategies: tuple[Strategy, ...]
    asked: bool
    """Whether strategies were to be compared; where they could not be, `compared` is None all the same."""
    compared: Compared | None
    notes: tuple[str, ...]

    @property
    def excluded(self) -> tuple[CountedTask, ...]:
        """Tasks that were excluded after outcomes were seen."""
        return tuple(task for task in self.tasks if task.excluded)

    def statuses(self) -> dict[str, int]:
        """Tasks by what has become of them."""
        return {status.value: sum(task.status is status for task in self.cohort.tasks) for status in TaskStatus}


def make_report(where: Where, *, compare: bool = False, compat: bool = False) -> CohortReport:
    """The report of a cohort that validates; with a history beside it, one that its history leads to.

    Raises:
        InvalidEvidenceError: it does not validate.
        BrokenHistoryError, InputError: its history does not hold, or the file is no cohort.
    """
    value, late, with_history = _read(where, compat=compat)
    report = validated(where, cohort_bytes(value), Options(compat=compat))
    if not report.ok:
        found = f"{report.first()}; all of it: {_validate_command(where, compat=compat)}"
        raise InvalidEvidenceError(f"{where.path}: its numbers are not used, since it does not validate: {found}")
    cohort = parse_cohort(value)
    tasks = tuple(_counted(cohort, late))
    notes = (*_notes(cohort, with_history=with_history), *_self_tests(where, cohort, compat=compat))
    return _report(cohort, tasks, notes, with_history=with_history, compare=compare)


def _validate_command(where: Where, *, compat: bool) -> str:
    """The command line that lists every finding."""
    root = [] if where.root == Path() else ["--root", str(where.root)]
    return shlex.join(["tally", "cohort", "validate", where.path, *root, *(["--compat"] if compat else [])])


def _self_tests(where: Where, cohort: Cohort, *, compat: bool) -> Iterator[str]:
    """A line for each structural signature with attempts of our self-test agents, as the ResultManifests name their workers."""
    found: dict[str, Counter[str]] = {}
    total: Counter[str] = Counter()
    with open_files(where.root, compat=compat) as files:
        for _, attempt, manifest in manifests(files, cohort, strict=not compat):
            total[attempt.structural_signature] += 1
            worker = manifest.get("worker") if isinstance(manifest, dict) and own_members(manifest) else None
            if isinstance(worker, dict) and worker.get("type") == "system":
                found.setdefault(attempt.structural_signature, Counter())[str(worker.get("adapter"))] += 1
    for signature, adapters in found.items():
        yield (
            f"{signature}: {adapters.total()} of {plural(total[signature], 'attempt')} are of a self-test "
            f"({', '.join(sorted(adapters))}), which proves suite and harness, and measures no agent"
        )


def _read(where: Where, *, compat: bool) -> tuple[dict[str, Json], frozenset[str], bool]:
    """(cohort, tasks that its history says were excluded after outcomes, whether there is a history)."""
    if any((where.folder / name).exists() for name in (HISTORY, PENDING)):
        found = look(where)
        return found.value, found.state.excluded_after_outcome, True
    with open_files(where.root, compat=compat) as files:
        data = files.read(where.path, "BenchmarkCohort")
    try:
        value = read(data, strict=not compat)
    except PyJsonError as error:
        raise InvalidEvidenceError(f"{where.path}: its numbers are not used, since it is no cohort: {error}") from None
    if not isinstance(value, dict):
        raise InvalidEvidenceError(f"{where.path}: expected a JSON object, the index of a cohort")
    return value, frozenset(), False


def _counted(cohort: Cohort, late: frozenset[str]) -> Iterator[CountedTask]:
    """The tasks with attempts, and those that were excluded when outcomes were known.

    Of an excluded one each signature has as many attempts, none supported, as it has at any other task, or more if it had more.
    """
    kept = _kept(cohort)
    seen = {task.id: _by_signature(task, [*_attempts(task), *kept.get(task.id, [])]) for task in cohort.tasks}
    usual: dict[str, int] = {}
    for task in cohort.tasks:
        if task.status is TaskStatus.VERIFIED:
            for name, count in seen[task.id].items():
                usual[name] = max(usual.get(name, 0), count.attempts)
    for task in cohort.tasks:
        own = seen[task.id]
        if task.status is not TaskStatus.EXCLUDED and any(count.attempts for count in own.values()):
            yield CountedTask(task, own, own, excluded=False)
        elif task.id in late or task.id in kept:
            counts = {name: TaskCount(max(count.attempts, usual.get(name, 0)), 0) for name, count in own.items()}
            yield CountedTask(task, counts, own, excluded=True)


def _attempts(task: CohortTask) -> list[tuple[str, AttemptOutcome]]:
    return [(attempt.structural_signature, attempt.outcome) for attempt in task.attempts]


def _by_signature(task: CohortTask, attempts: Sequence[tuple[str, AttemptOutcome]]) -> dict[str, TaskCount]:
    found: dict[str, TaskCount] = {}
    for signature in task.declared_structural_signatures:
        outcomes = [outcome for name, outcome in attempts if name == signature]
        found[signature] = TaskCount(len(outcomes), outcomes.count(AttemptOutcome.SUPPORT))
    return found


def _kept(cohort: Cohort) -> dict[str, list[tuple[str, AttemptOutcome]]]:
    """Attempts that excluded tasks had, as the exclusion wrote them down.

    Raises:
        InvalidEvidenceError: that part of the extensions is not as we write it, so nobody can say what counts.
    """
    excluded = {task.id for task in cohort.tasks if task.status is TaskStatus.EXCLUDED}
    try:
        return {
            name: [(str(each["structural_signature"]), AttemptOutcome(each["outcome"])) for each in attempts]
            for name, attempts in cohort.ours.get("excluded_attempts", {}).items()
            if _of_excluded(name, excluded)
        }
    except (AttributeError, KeyError, TypeError, ValueError):
        says = "extensions.tallystick.excluded_attempts is not as tally cohort exclude writes it; put back what it wrote"
        raise InvalidEvidenceError(f"{cohort.id}: {says}") from None


def _of_excluded(name: str, excluded: set[str]) -> bool:
    if name not in excluded:
        says = "extensions.tallystick.excluded_attempts lists attempts of it, and it is not excluded; put back what tally wrote"
        raise InvalidEvidenceError(f"{name[:130]}: {says}")
    return True


def _report(
    cohort: Cohort, tasks: tuple[CountedTask, ...], notes: tuple[str, ...], *, with_history: bool, compare: bool
) -> CohortReport:
    declared = dict.fromkeys(name for each in tasks for name in each.counts)
    counts = {name: [each.counts.get(name, TaskCount(0, 0)) for each in tasks] for name in declared}
    used = {name: own for name, own in counts.items() if any(count.attempts for count in own)}
    made = {name: sum(each.seen[name].attempts for each in tasks if name in each.seen) for name in used}
    unequal = tuple(find_unequal(cohort))
    budget = None if unequal else equal_budget(used)
    strategies = () if budget is None else tuple(_strategies(used, budget))
    return CohortReport(
        cohort=cohort,
        definition_digest=definition_digest(cohort),
        with_history=with_history,
        tasks=tasks,
        rows=tuple(_row(name, own, made[name]) for name, own in used.items()),
        unused=tuple(name for name in declared if name not in used),
        unequal=unequal,
        budget=budget,
        strategies=strategies,
        asked=compare,
        compared=_compare(strategies) if compare and strategies else None,
        notes=notes,
    )


def _row(signature: str, counts: Sequence[TaskCount], made: int) -> SignatureRow:
    had = [count for count in counts if count.attempts]
    rates = [Fraction(count.passes, count.attempts) for count in had]
    least = min(count.attempts for count in had)
    return SignatureRow(
        signature=signature,
        attempts=made,
        supported=sum(count.passes for count in counts),
        rate=sum(rates, Fraction(0)) / len(rates),
        interval=clustered_interval(rates),
        by_budget=tuple(mean_pass_at(had, k) for k in range(1, least + 1)),
    )


def _strategies(counts: Mapping[str, Sequence[TaskCount]], budget: int) -> list[Strategy]:
    able = [name for name, own in counts.items() if min(count.attempts for count in own) >= budget]
    return [*(replication(name, counts[name], budget) for name in able), diversity(counts, budget)]


def _compare(strategies: Sequence[Strategy]) -> Compared:
    *alone, mixed = strategies
    return Compared(
        overall=subtract(mixed.rates, averaged(alone)),
        each=tuple((one.picks[0][0], subtract(mixed.rates, one.rates)) for one in alone),
    )


def _notes(cohort: Cohort, *, with_history: bool) -> list[str]:
    pending = sum(task.status is TaskStatus.PENDING for task in cohort.tasks)
    notes = [f"{pending} of {len(cohort.tasks)} tasks have no evidence yet and are in no number"] if pending else []
    if any(task.attempts for task in cohort.tasks):
        notes.append("structural signatures are declared by whoever attached the attempts; nothing here proves them")
    if not with_history:
        notes.insert(0, NO_HISTORY)
    return notes
