"""`tally cohort negatives`: the seeded negative of every task run for real, graded again, and rejected for the stated reason.

The negative of a task is the first cheat of its suite. It runs in the sandbox like an agent, its bundle is verified at
`regraded` like any other, and its VerificationResult must reject it with a finding of the category that the cohort froze. One
cheat that passes, or fails for another reason, and nothing is attached.
"""

from __future__ import annotations

import copy
import dataclasses
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError, TallyError
from tallystick.core.pyjson import Json, digest
from tallystick.flows.cohort.attaching import bound_to, regraded_report
from tallystick.flows.cohort.attempts import Bound, Witness
from tallystick.flows.cohort.documents import Documents, make_documents
from tallystick.flows.cohort.evidence import NEGATIVE, RESULT, folder_for, keep, task_in
from tallystick.flows.cohort.opening import OpenCohort, Where, check_valid, opened
from tallystick.flows.cohort.suites import CohortSuite, cohort_suite
from tallystick.flows.publishing import publish
from tallystick.flows.run import RunRequest, run
from tallystick.flows.verified import open_at
from tallystick.flows.verify import UNWATCHED
from tallystick.recording.passing import passing_folder
from tallystick.records.cohort.cohort import Cohort, CohortTask, parse_cohort
from tallystick.records.cohort.vocabulary import (
    AttemptOutcome,
    EvidenceType,
    NegativeCategory,
    NegativeStatus,
    TaskStatus,
)
from tallystick.records.cohort_history import Attach, CohortEntry, NegativeRef
from tallystick.records.task import Cheat
from tallystick.runner.adapters import CheatAdapter
from tallystick.suites.cohorts.labels import negative_of
from tallystick.trust.signing import Signer

if TYPE_CHECKING:
    from tallystick.sandbox.drivers import SandboxName  # a name of types only

__all__ = ["SIGNATURE", "NegativePassedError", "NegativesDone", "NegativesRequest", "RejectedNegative", "run_negatives"]

SIGNATURE: Final = "seeded-negative"
"""The structure and the worker of a negative: nobody's, so that no attempt is taken for one, nor the other way round."""


class NegativePassedError(TallyError):
    """A seeded negative that was not rejected for the stated reason: the evaluator of its task is not to be trusted."""


@dataclass(frozen=True, slots=True)
class NegativesRequest:
    """The negatives of which cohort are run, by whom."""

    where: Where
    signer: Signer
    workers: int = 1
    sandbox: SandboxName = "bwrap"


@dataclass(frozen=True, slots=True)
class RejectedNegative:
    """A negative that was rejected, by the task of the cohort: the cheat that was run, and the category of the finding."""

    task_id: str
    cheat: str
    category: NegativeCategory


@dataclass(frozen=True, slots=True)
class NegativesDone:
    """What was attached."""

    entry: CohortEntry
    rejected: tuple[RejectedNegative, ...]


@dataclass(frozen=True, slots=True)
class _Case:
    """A task whose negative is to be run, by its id in the suite, and its cheat."""

    suite_task: str
    task: CohortTask
    cheat: Cheat


def run_negatives(request: NegativesRequest, listener: Callable[[str], None] = lambda _: None) -> NegativesDone:
    """Run the negatives that are still pending, of all tasks that are not excluded, and attach them in one act.

    Raises:
        NegativePassedError: naming the task and its cheat.
        InputError: the cohort is not frozen, none is pending, or a task is not in the suite that is here.
        SandboxUnavailableError, CohortFolderError, WriteError: the system refuses.
    """
    with opened(request.where) as cohort:
        cohort.check_frozen("negatives are run of")
        index = parse_cohort(cohort.value)
        suite = cohort_suite(request.where, index)
        cases = _cases(index, suite)
        rejected = []
        with passing_folder("negatives") as folder:
            for name in sorted({case.cheat.name for case in cases}):
                listener(name)
                rejected += _run(_Trial(request, index, suite, folder), [case for case in cases if case.cheat.name == name])
        return _attach(cohort, request, rejected)


@dataclass(frozen=True, slots=True)
class _Trial:
    """Negatives being run, in a folder that goes afterwards."""

    request: NegativesRequest
    cohort: Cohort
    suite: CohortSuite
    folder: Path


def _cases(cohort: Cohort, suite: CohortSuite) -> list[_Case]:
    pending = [
        task
        for task in cohort.tasks
        if task.status is not TaskStatus.EXCLUDED and task.negative_case.evidence_status is NegativeStatus.PENDING
    ]
    if not pending:
        raise InputError(f"{cohort.id}: the negative of every task was run already")
    missing = [task.id for task in pending if task.id in suite.missing]
    if missing:
        raise InputError(
            f"{missing[0]}: not in the suite that is here; its negative is run by whoever has the hidden evaluator"
        )
    ids = {task.id: name for name, task in suite.tasks.items()}
    return [_Case(ids[task.id], task, negative_of(suite.suite, suite.suite.task(ids[task.id]))) for task in pending]


def _run(trial: _Trial, cases: Sequence[_Case]) -> list[tuple[_Case, Documents]]:
    """One cheat at the tasks whose negative it is."""
    request, suite = trial.request, trial.suite
    by_task, name = {case.suite_task: case for case in cases}, cases[0].cheat.name
    asked = RunRequest(
        suite=suite.suite,
        adapter=CheatAdapter(name),
        state=trial.folder / "state",
        tasks=tuple(by_task),
        workers=request.workers,
        sandbox=request.sandbox,
        fresh=True,
    )
    _, path = publish(run(asked), request.signer, trial.folder / f"{name}.json", "json")
    began = time.monotonic()
    rejected = []
    with ExitStack() as stack:
        file = open_at(stack, path)
        regraded_report(path, file, suite, request.sandbox, UNWATCHED)
        witness = Witness(
            request.signer, int(time.time()), Fraction(round((time.monotonic() - began) * 1000), 1000 * len(cases))
        )
        for result in file.bundle.task_results:
            case = by_task[result.task_id]
            documents = make_documents(file, suite.suite, result, _bound(trial.cohort, case), witness)
            _check_rejected(case, documents)
            rejected.append((case, documents))
    return rejected


def _bound(cohort: Cohort, case: _Case) -> Bound:
    bound = bound_to(cohort, case.task, SIGNATURE, 1)
    worker = SIGNATURE if bound.hidden else f"{SIGNATURE}/{case.cheat.name}"
    return dataclasses.replace(bound, id=f"{case.task.id}/{NEGATIVE}", worker=worker)


def _check_rejected(case: _Case, documents: Documents) -> None:
    """That the result says no, and why it should.

    Raises:
        NegativePassedError: it does not.
    """
    expected = case.task.negative_case.expected_category.value
    where = f"{case.task.id}: the negative {case.cheat.name}"
    if documents.outcome is not AttemptOutcome.REJECT:
        raise NegativePassedError(
            f"{where} came out as {documents.outcome.value}, not rejected; the task's evaluator lets it pass"
        )
    if expected not in _categories(documents):
        raise NegativePassedError(f"{where} was rejected without a finding of {expected}, which the cohort expects")


def _categories(documents: Documents) -> set[Json]:
    findings = documents.result["findings"]
    assert isinstance(findings, list)
    return {finding["category"] for finding in findings if isinstance(finding, dict)}


def _attach(cohort: OpenCohort, request: NegativesRequest, rejected: Sequence[tuple[_Case, Documents]]) -> NegativesDone:
    """Write the evidence, then the act that refers to it."""
    value = copy.deepcopy(cohort.value)
    refs = []
    for case, documents in rejected:
        folder = folder_for(request.where, case.task, NEGATIVE)
        keep(request.where, folder, documents)
        found = digest(documents.result)
        _refer(value, case.task.id, f"{folder}/{RESULT}", found)
        refs.append(NegativeRef(task_id=case.task.id, evidence=found))
    check_valid(request.where, value)
    entry = cohort.commit(Attach(attempts=(), negatives=tuple(refs)), value, request.signer)
    done = [RejectedNegative(case.task.id, case.cheat.name, case.task.negative_case.expected_category) for case, _ in rejected]
    return NegativesDone(entry, tuple(done))


def _refer(value: dict[str, Json], task_id: str, path: str, found: Digest) -> None:
    case = task_in(value, task_id)["negative_case"]
    assert isinstance(case, dict)
    case["evidence_status"] = NegativeStatus.VERIFIED.value
    case["evidence_type"] = EvidenceType.VERIFICATION_RESULT.value
    case["evidence_path"], case["evidence_digest"] = path, found
