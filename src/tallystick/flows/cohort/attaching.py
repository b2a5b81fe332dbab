"""`tally cohort attach`: the attempts of a bundle, graded again here, as evidence of a frozen cohort.

1 the cohort's history holds, and it is frozen;
2 the bundle is signed, by another key than the one that attaches it;
3 it is about the cohort's suite, none of its attempts is attached already, and its agent under no other signature;
4 it verifies by that suite, and every row of it at `regraded`;
5 every attempt at a task that is not excluded becomes evidence, none is chosen;
6 every metric that the task demands was measured;
7 with it the cohort still validates.

Only then is anything referred to. Nothing is ranked, selected or merged.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tallystick.core.errors import InputError
from tallystick.core.pyjson import Json
from tallystick.flows.cohort.attempts import Bound, Witness
from tallystick.flows.cohort.documents import Documents, make_documents
from tallystick.flows.cohort.doubles import attached_before, doubles_of
from tallystick.flows.cohort.evidence import MANIFEST, RESULT, folder_for, keep, refer, task_in
from tallystick.flows.cohort.manifests import unmeasured
from tallystick.flows.cohort.opening import OpenCohort, Where, check_valid, opened
from tallystick.flows.cohort.suites import CohortSuite, cohort_suite, is_hidden
from tallystick.flows.verified import NotVerifiedError, open_at
from tallystick.flows.verify import UNWATCHED, VerifyRequest, Watching, verify_open
from tallystick.records.base import UNSET
from tallystick.records.bundle import Bundle, TaskResult
from tallystick.records.cohort.cohort import Cohort, CohortTask, parse_cohort
from tallystick.records.cohort.vocabulary import AttemptOutcome, Metric, TaskStatus
from tallystick.records.cohort_history import Attach, AttemptRef, CohortEntry
from tallystick.records.containers import BundleFile
from tallystick.records.report import Level, Report, Row, Status
from tallystick.suites.cohorts.budgets import find_unequal
from tallystick.trust.signing import Signer

if TYPE_CHECKING:
    from tallystick.sandbox.drivers import SandboxName  # a name of types only

__all__ = ["AttachRequest", "Attached", "AttachedAttempt", "attach", "bound_to", "regraded_report"]

_NUMBER: Final = 3
"""Digits of an attempt's number."""


@dataclass(frozen=True, slots=True)
class AttachRequest:
    """Which bundle is attached to which cohort, by whom. `signature` is the structural one; None where there is one only."""

    where: Where
    bundle: Path
    signer: Signer
    signature: str | None = None
    human_minutes: Fraction | None = None
    sandbox: SandboxName = "bwrap"


@dataclass(frozen=True, slots=True)
class AttachedAttempt:
    """One attempt, as the index has it now."""

    task_id: str
    attempt_id: str
    signature: str
    outcome: AttemptOutcome


@dataclass(frozen=True, slots=True)
class Attached:
    """What was attached, and what its author should know."""

    entry: CohortEntry
    attempts: tuple[AttachedAttempt, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Work:
    """An attach under way."""

    request: AttachRequest
    cohort: Cohort
    suite: CohortSuite
    file: BundleFile
    witness: Witness


def attach(request: AttachRequest, watching: Watching = UNWATCHED) -> Attached:
    """Do it (see the head of this file).

    Raises:
        NotVerifiedError: the bundle does not verify at `regraded` here.
        InputError: any other of the steps.
        CohortFolderError, WriteError: the system refuses.
    """
    with ExitStack() as stack:
        cohort = stack.enter_context(opened(request.where))
        cohort.check_frozen("outcomes are attached to")
        index = parse_cohort(cohort.value)
        file = open_at(stack, request.bundle)
        _check_keys(file.bundle, request)
        suite = cohort_suite(request.where, index)
        places = _places(request, index, suite, file.bundle)
        began = time.monotonic()
        regraded_report(request.bundle, file, suite, request.sandbox, watching)
        took = Fraction(round((time.monotonic() - began) * 1000), 1000 * max(1, len(file.bundle.task_results)))
        witness = Witness(request.signer, int(time.time()), took, request.human_minutes)
        return _write(cohort, _Work(request, index, suite, file, witness), places)


def _check_keys(bundle: Bundle, request: AttachRequest) -> None:
    if bundle.submitter is UNSET:
        raise InputError(f"{request.bundle}: it is unsigned, so nobody can tell that its verifier is another than its worker")
    if bundle.submitter.kid == request.signer.public.kid:
        raise InputError(
            f"{request.bundle}: it was signed with the key that would verify it, so not independently; name another with --key"
        )


def regraded_report(path: Path, file: BundleFile, suite: CohortSuite, sandbox: SandboxName, watching: Watching) -> Report:
    """The report of a bundle of which every row was graded again here.

    Raises:
        NotVerifiedError: it is not so; the line names the first reason.
    """
    asked = VerifyRequest(path=path, suite=suite.suite, demand=Level.regraded, sandbox=sandbox)
    report = verify_open(file, suite.suite, asked, before_running=watching.before_running, regraded=watching.regraded)
    if report.status not in {Status.MATCH, Status.PARTIAL}:
        raise NotVerifiedError(f"{path}: {report.status.value}, {next(iter(report.reasons), '')}; see: tally verify {path}")
    low = next((row for row in report.rows if not _is_regraded(row)), None)
    if low is not None:
        raise NotVerifiedError(f"{path}: {low.task_id} attempt {low.attempt} reaches {low.level} only, not regraded")
    return report


def _is_regraded(row: Row) -> bool:
    return row.status is Status.MATCH and Level[row.level.partition(" ")[0]] >= Level.regraded


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a result of the bundle goes: its task, its number there, and the signature of its structure."""

    result: TaskResult
    task: CohortTask
    ordinal: int
    signature: str

    @property
    def attempt_id(self) -> str:
        return f"attempt-{self.ordinal:0{_NUMBER}}"


def _places(request: AttachRequest, cohort: Cohort, suite: CohortSuite, bundle: Bundle) -> list[_Place]:
    """Every attempt of the bundle at a task that is not excluded.

    Raises:
        InputError: of another suite, attached already, of a structure not declared or not its agent's, or none is left.
    """
    if bundle.suite_hash != suite.suite.suite_hash:
        raise InputError(
            f"{request.bundle}: it is about another suite than {suite.path}, by which the cohort's tasks are graded"
        )
    doubles = doubles_of(attached_before(request.where, cohort), bundle)
    counts: dict[str, int] = {}
    places = []
    for result in bundle.task_results:
        task = suite.tasks.get(result.task_id)
        if task is None or task.status is TaskStatus.EXCLUDED:
            continue
        if doubles.hold(result, task.id):
            raise InputError(
                f"{request.bundle}: {task.id}: attempt {result.attempt.index} of this agent is attached already, under "
                "whatever name; one attempt counts once"
            )
        counts[task.id] = counts.get(task.id, len(task.attempts)) + 1
        places.append(_Place(result, task, counts[task.id], _signature(task, request)))
    if not places:
        raise InputError(f"{request.bundle}: every task of it is excluded from the cohort")
    _check_one_signature(request.bundle, doubles.signature, places)
    return places


def _check_one_signature(path: Path, had: str | None, places: Sequence[_Place]) -> None:
    """That an agent which is attached already is not attached under another structural signature."""
    other = next((place.signature for place in places if had not in {None, place.signature}), None)
    if other is not None:
        raise InputError(
            f"{path}: this agent is attached as {had} already, under whatever name, and not as {other}; one agent has one "
            "structural signature in a cohort"
        )


def bound_to(cohort: Cohort, task: CohortTask, signature: str, ordinal: int) -> Bound:
    """What the documents of an attempt at a task are bound to."""
    attempt_id = f"{task.id}/attempt-{ordinal:0{_NUMBER}}"
    return Bound(
        work_unit_id=task.work_unit.id,
        work_unit_version=task.work_unit.version,
        work_unit_digest=task.work_unit.digest,
        plan_digest=task.evaluator.plan_digest,
        revision=task.revision,
        signature=signature,
        ordinal=ordinal,
        id=attempt_id,
        hidden=is_hidden(task, cohort),
    )


def _signature(task: CohortTask, request: AttachRequest) -> str:
    declared = task.declared_structural_signatures
    if request.signature is None:
        if len(declared) > 1:
            raise InputError(f"{task.id} declares {', '.join(declared)}; say with --signature which one these attempts have")
        return declared[0]
    if request.signature not in declared:
        raise InputError(
            f"{task.id} declares {', '.join(declared)}, and not {request.signature[:80]!r}: it was not predeclared"
        )
    return request.signature


def _check_metrics(place: _Place, documents: Documents) -> None:
    resources = documents.manifest["resources"]
    assert isinstance(resources, dict)
    for metric in unmeasured(resources, place.task.required_metrics, observed=place.result.observed is not UNSET):
        hint = "; give it with --human-minutes" if metric is Metric.HUMAN_MINUTES else ", and its bundle has it not"
        raise InputError(f"{place.task.id}: the cohort demands {metric} of every attempt{hint}")


def _made(work: _Work, place: _Place) -> Documents:
    bound = bound_to(work.cohort, place.task, place.signature, place.ordinal)
    documents = make_documents(work.file, work.suite.suite, place.result, bound, work.witness)
    _check_metrics(place, documents)
    return documents


def _write(cohort: OpenCohort, work: _Work, places: Sequence[_Place]) -> Attached:
    """Write the evidence, then the act that refers to it."""
    made = [(place, _made(work, place)) for place in places]
    value, refs, listed = copy.deepcopy(cohort.value), [], []
    for place, documents in made:
        folder = folder_for(work.request.where, place.task, place.attempt_id)
        keep(work.request.where, folder, documents)
        manifest, result = refer(folder, MANIFEST, documents.manifest), refer(folder, RESULT, documents.result)
        row: dict[str, Json] = {
            "attempt_id": place.attempt_id,
            "structural_signature": place.signature,
            "result_manifest": manifest,
            "verification_result": result,
            "outcome": documents.outcome.value,
        }
        _append(value, place.task.id, row)
        refs.append(_ref(place.task.id, place.attempt_id, manifest, result))
        listed.append(AttachedAttempt(place.task.id, place.attempt_id, place.signature, documents.outcome))
    check_valid(work.request.where, value)
    entry = cohort.commit(Attach(attempts=tuple(refs), bundle_hash=work.file.bundle.bundle_hash), value, work.request.signer)
    return Attached(entry, tuple(listed), tuple(_notes(parse_cohort(value), work)))


def _ref(task_id: str, attempt_id: str, manifest: dict[str, Json], result: dict[str, Json]) -> AttemptRef:
    return AttemptRef(
        task_id=task_id,
        attempt_id=attempt_id,
        result_manifest=str(manifest["digest"]),  # type: ignore[arg-type]  # a digest of ours
        verification_result=str(result["digest"]),  # type: ignore[arg-type]  # as above
    )


def _append(value: dict[str, Json], task_id: str, row: Json) -> None:
    evidence = task_in(value, task_id)["evidence"]
    assert isinstance(evidence, dict)
    attempts = evidence["attempts"]
    assert isinstance(attempts, list)
    evidence["attempts"] = [*attempts, row]
    evidence["status"] = TaskStatus.VERIFIED.value


def _notes(cohort: Cohort, work: _Work) -> Iterator[str]:
    gone = {task.id for task in work.cohort.tasks if task.status is TaskStatus.EXCLUDED}
    left = dict.fromkeys(
        work.suite.tasks[result.task_id].id
        for result in work.file.bundle.task_results
        if work.suite.tasks[result.task_id].id in gone
    )
    yield from (f"{task}: excluded, so its attempts were left out" for task in left)
    yield from find_unequal(cohort)
