"""Steps 4 to 8: the claim as a whole, before any evidence is opened. Each yields what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tallystick.core import limits
from tallystick.core.digest import short
from tallystick.records.base import UNSET
from tallystick.records.bundle import TaskResult, bundle_hash
from tallystick.records.report import Status, Step
from tallystick.trust.jws import BUNDLE_TYP
from tallystick.verify.signed import is_unsigned, key_problem, signature_problem
from tallystick.verify.state import RefusedError, RowState, Verification

__all__ = ["check_bundle_hash", "check_coverage", "check_key", "check_signature", "check_suite"]

_LISTED = 100
"""Missing attempts that get a row of their own."""


def check_bundle_hash(at: Verification) -> Iterator[RefusedError]:
    """Step 4: `bundle_hash` is the digest of everything it covers."""
    found = bundle_hash(at.bundle)
    if found != at.bundle.bundle_hash:
        yield RefusedError(
            Status.HASH_MISMATCH, f"bundle_hash is {short(at.bundle.bundle_hash)}, the contents give {short(found)}"
        )


def check_key(at: Verification) -> Iterator[RefusedError]:
    """Step 5: the signer's key passes the admission check (canonical, on the curve, of prime order)."""
    if at.bundle.signer_jwk is UNSET:
        at.notes[Step.key] = "no key: the bundle is unsigned"
    problem = key_problem(at.bundle)
    if problem:
        yield RefusedError(Status.BAD_SIGNATURE, problem)


def check_signature(at: Verification) -> Iterator[RefusedError]:
    """Step 6: `submitter`, fingerprint and key are one and the signature is theirs, or there is no signature at all."""
    bundle = at.bundle
    if is_unsigned(bundle):
        yield RefusedError(Status.UNSIGNED, "the bundle carries no signature")
        return
    problem = signature_problem(bundle, bundle.bundle_hash, BUNDLE_TYP, "bundle")
    if problem:
        yield RefusedError(Status.BAD_SIGNATURE, problem)
        return
    if any(finding.step is Step.bundle_hash for finding in at.findings):
        at.notes[Step.signature] = "the signature is over a bundle_hash that these contents do not have"
        return
    kid = str(bundle.signer_fingerprint)
    at.signer = at.options.policy.judge(kid)
    at.notes[Step.signature] = f"signer {kid} ({at.signer})"
    if at.options.require_trusted_signer and at.signer == "unknown":
        yield RefusedError(Status.UNTRUSTED_SIGNER, f"the signer {kid} is not one this reader trusts")


def check_suite(at: Verification) -> Iterator[RefusedError]:
    """Step 7: the bundle is about the suite that this reader has."""
    if at.bundle.suite_hash != at.suite.suite_hash:
        yield RefusedError(
            Status.HASH_MISMATCH,
            f"the bundle is about suite {short(at.bundle.suite_hash)}; "
            f"this reader's {at.suite.version} is {short(at.suite.suite_hash)}",
        )


def check_coverage(at: Verification) -> Iterator[RefusedError]:
    """Step 8: exactly the suite's tasks times the declared attempts, in order; makes a row for each.

    A partial run is verified for the tasks it names, and is PARTIAL: it is not a score of the suite.
    """
    bundle = at.bundle
    if bundle.suite_version != at.suite.version:
        yield RefusedError(
            Status.COVERAGE_MISMATCH, f"suite_version is {bundle.suite_version!r}, the suite's is {at.suite.version!r}"
        )
    tasks = [task.id for task in at.suite.tasks]
    if bundle.partial is not UNSET:
        wanted, tasks = tasks, [name for name in tasks if name in set(bundle.partial)]
        if tuple(tasks) != bundle.partial or not tasks or tasks == wanted:
            yield RefusedError(Status.COVERAGE_MISMATCH, "partial names some, not all, tasks of the suite, in its order")
        else:
            yield RefusedError(Status.PARTIAL, f"a partial run: {len(tasks)} of {len(wanted)} tasks; no score of the suite")
    yield from _coverage(at, tasks)


def _coverage(at: Verification, tasks: list[str]) -> Iterator[RefusedError]:
    """Make the rows and compare them with what the suite and the declared attempts ask for."""
    attempts = at.bundle.scheduler_config.attempts
    expected = ((task, index) for task in tasks for index in range(1, attempts + 1))
    known, seen = set(tasks), set[tuple[str, int]]()
    in_order = True
    for result in at.bundle.task_results:
        key = (result.task_id, result.attempt.index)
        in_order = in_order and next(expected, None) == key
        row = RowState(*key, result=result)
        at.rows.append(row)
        problem = _row_problem(at, result, known=result.task_id in known, double=key in seen)
        seen.add(key)
        if problem:
            row.refuse(Step.coverage, problem.status, problem.reason)
            if problem.status is Status.COVERAGE_MISMATCH:
                yield RefusedError(problem.status, f"{row.task_id} attempt {row.attempt}: {problem.reason}")
    yield from _missing(at, tasks, seen, in_order=in_order)


def _missing(at: Verification, tasks: list[str], seen: set[tuple[str, int]], *, in_order: bool) -> Iterator[RefusedError]:
    attempts = at.bundle.scheduler_config.attempts
    count = len(tasks) * attempts
    if count > limits.TASK_RESULTS:
        yield RefusedError(
            Status.COVERAGE_MISMATCH, f"{len(tasks)} tasks x {attempts} attempts are more than a bundle can hold"
        )
        return
    absent = ((task, index) for task in tasks for index in range(1, attempts + 1) if (task, index) not in seen)
    for task, index in islice(absent, _LISTED):
        row = RowState(task, index)
        row.refuse(Step.coverage, Status.COVERAGE_MISMATCH, "not in the bundle")
        at.rows.append(row)
        yield RefusedError(Status.COVERAGE_MISMATCH, f"{task} attempt {index} is not in the bundle")
    if not in_order or len(at.bundle.task_results) != count:
        yield RefusedError(
            Status.COVERAGE_MISMATCH,
            f"task_results are not {len(tasks)} tasks x {attempts} attempts in the order of the suite",
        )


def _row_problem(at: Verification, result: TaskResult, *, known: bool, double: bool) -> RefusedError | None:
    attempts = at.bundle.scheduler_config.attempts
    if not known:
        return RefusedError(Status.COVERAGE_MISMATCH, "not a task that this bundle has to cover")
    if double:
        return RefusedError(Status.COVERAGE_MISMATCH, "stands twice")
    if result.attempt.of != attempts:
        return RefusedError(
            Status.COVERAGE_MISMATCH, f"attempt {result.attempt.index} of {result.attempt.of}, where {attempts} are declared"
        )
    task = at.facts[result.task_id].task
    if result.task_hash != task.task_hash:
        return RefusedError(
            Status.HASH_MISMATCH,
            f"task_hash is {short(result.task_hash)}, the suite's task (with its limits) is {short(task.task_hash)}",
        )
    return None
