"""Verification of a reliability receipt: its own numbered steps, among them every step of the bundle inside.

Pure, as `verify.bundle`. Steps 1 to 3 were passed by whoever opened the file. Specification: docs/spec/reliability.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tallystick.core import limits
from tallystick.core.digest import short
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET
from tallystick.records.containers import ReliabilityFile
from tallystick.records.reliability import (
    INFORMATION,
    FloorStep,
    ReliabilityReport,
    TaskReliability,
    reliability_hash,
)
from tallystick.records.report import Status
from tallystick.scoring.coordination import first_difference
from tallystick.scoring.floor import AttemptFacts, Floor, floor_of
from tallystick.trust.jws import RELIABILITY_TYP
from tallystick.verify.bundle import examine
from tallystick.verify.floor_report import FloorCheck, Problem, floor_report
from tallystick.verify.ports import ReaderSuite, Regrader, Replayer, VerifyOptions
from tallystick.verify.reporting import make_report
from tallystick.verify.signed import is_unsigned, key_problem, signature_problem
from tallystick.verify.state import RowState, Verification

__all__ = ["verify_reliability"]


def verify_reliability(
    opened: ReliabilityFile,
    suite: ReaderSuite,
    options: VerifyOptions,
    regrader: Regrader | None = None,
    replayer: Replayer | None = None,
) -> ReliabilityReport:
    """Derive the floor again with the reader's suite, after every step of the embedded bundle.

    Nothing that a receipt says makes this raise: what does not hold is in the report.
    """
    check = FloorCheck(opened.receipt, opened.bundle, options)
    _run(check, FloorStep.receipt_hash, _check_hash)
    _run(check, FloorStep.key, _check_key)
    _run(check, FloorStep.signature, _check_signature)
    if opened.bundle is not None:
        runs = not _tampered(check)
        check.at = examine(opened.bundle, suite, options, regrader if runs else None, replayer if runs else None)
        check.report = make_report(check.at)
        check.floor = _derived(check.at)
    _run(check, FloorStep.evidence, _check_evidence)
    if check.at is not None:
        _run(check, FloorStep.binding, _check_binding)
        _run(check, FloorStep.coverage, _check_coverage)
        _run(check, FloorStep.answers, _check_answers)
    _run_derived(check)
    return floor_report(check)


def _tampered(check: FloorCheck) -> bool:
    """Whether the receipt is not what its signer signed: nothing of it is executed then."""
    return any(problem.status in {Status.HASH_MISMATCH, Status.BAD_SIGNATURE} for _, problem in check.found)


_Step = Callable[[FloorCheck], Iterator[Problem]]


def _run(check: FloorCheck, step: FloorStep, body: _Step) -> None:
    check.found.extend((step, problem) for problem in body(check))


def _run_derived(check: FloorCheck) -> None:
    """What needs verdict and coordination of every attempt."""
    if check.floor is not None:
        _run(check, FloorStep.coordination, _check_coordination)
        _run(check, FloorStep.floor, _check_floor)
        return
    first = FloorStep.coordination if check.at is not None else FloorStep.binding
    for step in FloorStep:
        if first <= step < FloorStep.report:
            check.skipped.add(step)
            check.notes[step] = "not derived: not every attempt has a verdict" if check.at else "there is no bundle"


def _derived(at: Verification) -> Floor | None:
    """The floor that the evidence gives; None where an attempt has no verdict, or the attempts are not those declared."""
    k = at.bundle.scheduler_config.attempts
    incomplete = any(finding.status is Status.COVERAGE_MISMATCH for finding in at.findings)
    if incomplete or not at.rows or k > limits.FLOOR_ATTEMPTS:
        return None
    facts = [_facts(row) for row in at.rows]
    known = [one for one in facts if one is not None]
    return floor_of(known, k) if len(known) == len(facts) else None


def _facts(row: RowState) -> AttemptFacts | None:
    if row.verdict is None or row.coordination is None or row.journal is None or row.result is None:
        return None
    return AttemptFacts(
        task_id=row.task_id,
        task_hash=row.result.task_hash,
        passed=row.verdict.passed,
        infra_error=row.verdict.output.outcome == "infra_error",
        coordination=row.coordination,
        journal=row.journal,
        asked=row.asked,
        recorded=row.cassette,
    )


def _check_hash(check: FloorCheck) -> Iterator[Problem]:
    """Step 4."""
    stated, found = check.receipt.receipt_hash, reliability_hash(check.receipt)
    if stated != found:
        yield Problem(Status.HASH_MISMATCH, f"receipt_hash is {short(stated)}, the contents give {short(found)}")


def _check_key(check: FloorCheck) -> Iterator[Problem]:
    """Step 5."""
    problem = key_problem(check.receipt)
    if problem:
        yield Problem(Status.BAD_SIGNATURE, problem)


def _check_signature(check: FloorCheck) -> Iterator[Problem]:
    """Step 6: one signer of receipt and bundle, who is the submitter of both."""
    receipt = check.receipt
    if is_unsigned(receipt):
        yield Problem(Status.UNSIGNED, "the receipt carries no signature")
        return
    problem = signature_problem(receipt, receipt.receipt_hash, RELIABILITY_TYP, "receipt")
    if problem is None and check.file is not None and check.file.bundle.submitter != receipt.submitter:
        problem = "the bundle inside is not by the signer of the receipt"
    if problem:
        yield Problem(Status.BAD_SIGNATURE, problem)
        return
    if check.found:  # over a hash that these contents do not have
        return
    kid = str(receipt.signer_fingerprint)
    check.signer = check.options.policy.judge(kid)
    check.notes[FloorStep.signature] = f"signer {kid} ({check.signer})"
    if check.options.require_trusted_signer and check.signer == "unknown":
        yield Problem(Status.UNTRUSTED_SIGNER, f"the signer {kid} is not one this reader trusts")


def _check_evidence(check: FloorCheck) -> Iterator[Problem]:
    """Step 7: the bundle is there and verifies."""
    if check.report is None:
        yield Problem(Status.MISSING_RECEIPT, "no bundle stands in the receipt, so nothing in it can be derived")
        return
    if check.report.status is Status.MATCH:
        return
    rows = [row for row in check.report.rows if row.status is not Status.MATCH]
    why = f": {check.report.reasons[0]}" if check.report.reasons and not rows else ""
    yield Problem(check.report.status, f"the bundle is {check.report.status.value}{why}")
    for row in rows:
        yield Problem(row.status, f"{row.status.value}, {row.reason}", row.task_id, row.attempt)


def _check_binding(check: FloorCheck) -> Iterator[Problem]:
    """Step 8: the receipt is about this bundle."""
    assert check.file is not None
    receipt, bundle = check.receipt, check.file.bundle
    for name in ("bundle_hash", "suite_hash"):
        stated, found = getattr(receipt, name), getattr(bundle, name)
        if stated != found:
            yield Problem(Status.HASH_MISMATCH, f"{name} is {short(stated)}, the bundle's is {short(found)}")
    for name in ("suite_version", "scheduler_config", "harness"):
        if getattr(receipt, name) != getattr(bundle, name):
            yield Problem(Status.COVERAGE_MISMATCH, f"{name} is not the bundle's")
    if receipt.emitted_at < bundle.submitted_at:
        yield Problem(Status.MALFORMED_RECEIPT, "emitted_at lies before the time at which the bundle was made")


def _check_coverage(check: FloorCheck) -> Iterator[Problem]:
    """Step 9: as many attempts as stated, at the tasks of the bundle, in order."""
    assert check.at is not None
    receipt, attempts = check.receipt, check.at.bundle.scheduler_config.attempts
    if receipt.k != attempts:
        yield Problem(Status.COVERAGE_MISMATCH, f"k is {receipt.k}, the bundle has {attempts} attempts at each task")
    hashes = {row.task_id: row.result.task_hash for row in check.at.rows if row.result is not None}
    stated = [result.task_id for result in receipt.task_results]
    if stated != list(hashes):
        yield Problem(Status.COVERAGE_MISMATCH, "task_results are not the tasks of the bundle in its order")
    for result in receipt.task_results:
        if hashes.get(result.task_id, result.task_hash) != result.task_hash:
            yield Problem(Status.HASH_MISMATCH, "task_hash is not the bundle's", result.task_id)


def _check_answers(check: FloorCheck) -> Iterator[Problem]:
    """Step 10: no answer that a cache gave. One answer in two recordings was refused by the bundle's own steps."""
    assert check.at is not None
    for row in check.at.rows:
        if row.cached is not None:
            reason = f"call {row.cached} was answered by a cache, so the attempt is no new one"
            yield Problem(Status.CACHED_ANSWERS, reason, row.task_id, row.attempt)


def _check_coordination(check: FloorCheck) -> Iterator[Problem]:
    """Step 11: the same in every attempt, and as stated."""
    assert check.floor is not None
    derived = {result.task_id: result for result in check.floor.task_results}
    for result in check.floor.task_results:
        if not result.coordination_identical:
            attempt, how = _parting(check, result)
            yield Problem(Status.COORDINATION_DIVERGED, how, result.task_id, attempt)
    for stated in check.receipt.task_results:
        found = derived.get(stated.task_id)
        pair = (stated.coordination_hash, stated.coordination_identical)
        if found is not None and pair != (found.coordination_hash, found.coordination_identical):
            yield Problem(Status.COORDINATION_DIVERGED, "the journals give another coordination than stated", stated.task_id)
    if check.receipt.coordination_ok != check.floor.coordination_ok:
        yield Problem(Status.COORDINATION_DIVERGED, f"coordination_ok is stated {check.receipt.coordination_ok}")


def _parting(check: FloorCheck, task: TaskReliability) -> tuple[int, str]:
    """The first attempt whose coordination is not the first one's, and where they part."""
    assert check.at is not None
    assert check.file is not None
    rows = [row for row in check.at.rows if row.task_id == task.task_id]
    other = next(row for row in rows if row.coordination != task.coordination_hash)
    try:
        lanes = [check.file.receipt(row.result.receipt_hash).events for row in (rows[0], other) if row.result is not None]
    except InputError:
        return other.attempt, "its coordination is not that of attempt 1"
    parted = first_difference(*lanes)
    if parted is None:  # pragma: no cover - the roots differ
        return other.attempt, "its coordination is not that of attempt 1"
    return other.attempt, f"decision {parted.position}: attempt 1 has {parted.one}, attempt {other.attempt} {parted.other}"


def _check_floor(check: FloorCheck) -> Iterator[Problem]:
    """Step 12: every number follows."""
    floor, receipt = check.floor, check.receipt
    assert floor is not None
    derived = {result.task_id: result for result in floor.task_results}
    for stated in receipt.task_results:
        found = derived.get(stated.task_id)
        if found is None:
            continue
        for name in ("attempts", "passes", "infra_errors"):
            if getattr(stated, name) != getattr(found, name):
                reason = f"{name}: stated {getattr(stated, name)}, the evidence gives {getattr(found, name)}"
                yield Problem(Status.FABRICATED_FLOOR, reason, stated.task_id)
    for name in ("pass_at_1", "pass_caret_k", "flip_rate", "infra_errors", "information"):
        if getattr(receipt, name) != getattr(floor, name):
            reason = f"{name}: stated {_plain(getattr(receipt, name))}, the evidence gives {_plain(getattr(floor, name))}"
            yield Problem(Status.FABRICATED_FLOOR, reason)
    if receipt.rates != floor.rates:
        yield Problem(Status.FABRICATED_FLOOR, "rates do not follow from the verdicts")
    if receipt.information_says != INFORMATION[floor.information]:
        yield Problem(Status.FABRICATED_FLOOR, f"information_says is not: {INFORMATION[floor.information]}")


def _plain(value: object) -> str:
    return "nothing" if value is UNSET else str(value)
