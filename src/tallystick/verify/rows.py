"""Steps 9 to 13 for one attempt: its receipt and blobs, journal, spine, verdict and telemetry. Each raises what it refuses.

A row stops at its first failure; other rows go on.
"""

from __future__ import annotations

from tallystick.core.digest import Digest, short
from tallystick.core.errors import InputError
from tallystick.core.exact import to_num
from tallystick.records.base import UNSET
from tallystick.records.blobs import MissingBlobError
from tallystick.records.bundle import TaskResult
from tallystick.records.containers import DigestMismatchError
from tallystick.records.evidence import Grade, Receipt, parse_grade
from tallystick.records.journal import AttemptEnd, WorkspaceSealed, coordination_root
from tallystick.records.report import Level, Status
from tallystick.records.task import Task
from tallystick.records.traffic.cassette import Cassette, parse_cassette
from tallystick.records.tree import Tree
from tallystick.scoring.evidence import exchange_blobs, named_blobs
from tallystick.scoring.portable import Workspaces
from tallystick.scoring.quality import judged_quality
from tallystick.scoring.totals import telemetry_problem
from tallystick.scoring.verdict import EvidenceError, Verdict, derive, event_of, needs_grader
from tallystick.verify.cassette import check_calls, check_used
from tallystick.verify.journal import check_journal, check_spine
from tallystick.verify.judgement import check_judgement, read_judgement
from tallystick.verify.opinion import check_opinion
from tallystick.verify.state import Evidence, RefusedError, RowState, SealedWorkspace, TaskFacts, Verification

__all__ = ["check_row_journals", "check_row_spines", "check_telemetry", "check_verdict", "open_evidence"]


def open_evidence(at: Verification, row: RowState, result: TaskResult) -> Evidence:
    """Step 9 for a row: its receipts and every blob that they name are here, or are listed as withheld."""
    facts = at.facts[row.task_id]
    receipt = _receipt(at, result.receipt_hash)
    if (receipt.task_id, receipt.attempt, receipt.task_hash) != (result.task_id, result.attempt, result.task_hash):
        whose = f"{receipt.task_id} attempt {receipt.attempt.index} of {receipt.attempt.of}"
        raise RefusedError(Status.DIVERGED, f"the receipt is that of {whose} ({short(receipt.task_hash)})")
    tries = tuple(_try(at, earlier.receipt_hash, receipt) for earlier in result.tries)
    evidence = Evidence(facts, receipt, tries)
    _open_documents(at, evidence)
    _open_exchange(at, evidence, result)
    final = None if evidence.sealed is None else evidence.sealed.tree
    named = (
        *named_blobs(receipt, final, evidence.grade, result.observed, evidence.cassette),
        *exchange_blobs(result.opinion, evidence.exchange),
    )
    at.named.update(named)
    _check_blobs(at, named, final)
    return evidence


def _receipt(at: Verification, digest: Digest) -> Receipt:
    try:
        return at.file.receipt(digest)
    except MissingBlobError:
        raise RefusedError(Status.MISSING_RECEIPT, f"the receipt {short(digest)} is not in the file") from None
    except DigestMismatchError as error:
        raise RefusedError(Status.HASH_MISMATCH, str(error)) from None
    except InputError as error:
        raise RefusedError(Status.MALFORMED_RECEIPT, str(error)) from None


def _whose(receipt: Receipt) -> tuple[object, ...]:
    return receipt.run_id, receipt.task_id, receipt.task_hash, receipt.attempt


def _try(at: Verification, digest: Digest, receipt: Receipt) -> Receipt:
    """The receipt of an earlier try: of the same attempt, and never graded, since a graded attempt is not tried again."""
    earlier = _receipt(at, digest)
    if _whose(earlier) != _whose(receipt):
        raise RefusedError(Status.DIVERGED, f"the earlier try {short(digest)} is not one of this attempt")
    end = event_of(earlier, AttemptEnd)
    if end is None or end.outcome == "graded":
        raise RefusedError(
            Status.MALFORMED_RECEIPT, f"the earlier try {short(digest)} was graded; it would have been the attempt"
        )
    return earlier


def _open_documents(at: Verification, evidence: Evidence) -> None:
    final, grade = evidence.receipt.link("workspace.final"), evidence.receipt.link("grade")
    evidence.withheld = next((digest for digest in (final, grade) if digest in at.withheld), None)
    if final is not None and final not in at.withheld:
        evidence.sealed = _document(at, final, evidence.facts)
    if grade is not None and grade not in at.withheld:
        evidence.grade = _grade(at, grade)
        _open_judgement(at, evidence)
    cassette = evidence.receipt.link("cassette")
    if cassette is not None and cassette not in at.withheld:
        evidence.cassette = _cassette(at, cassette)


def _document(at: Verification, digest: Digest, facts: TaskFacts) -> SealedWorkspace:
    _check_blob(at, digest)
    try:
        return facts.sealed(digest, at.file)
    except InputError as error:
        raise RefusedError(Status.MALFORMED_RECEIPT, f"workspace.final: {error}") from None


def _grade(at: Verification, digest: Digest) -> Grade:
    _check_blob(at, digest)
    try:
        return parse_grade(at.file.read(digest))
    except InputError as error:
        raise RefusedError(Status.MALFORMED_RECEIPT, f"grade: {error}") from None


def _open_judgement(at: Verification, evidence: Evidence) -> None:
    digest = UNSET if evidence.grade is None else evidence.grade.judgement
    if digest is UNSET:
        return
    _check_blob(at, digest)
    if digest in at.withheld:
        evidence.withheld = evidence.withheld or digest
    else:
        evidence.judgement = read_judgement(at, digest)


def _open_exchange(at: Verification, evidence: Evidence, result: TaskResult) -> None:
    if result.opinion is UNSET or result.opinion.cassette in at.withheld:
        return
    evidence.exchange = _cassette(at, result.opinion.cassette)


def _cassette(at: Verification, digest: Digest) -> Cassette:
    _check_blob(at, digest)
    try:
        return parse_cassette(at.file.read(digest))
    except InputError as error:
        raise RefusedError(Status.MALFORMED_RECEIPT, f"cassette: {error}") from None


def _check_blob(at: Verification, digest: Digest) -> None:
    problem = at.breakage(digest)
    if problem:
        raise RefusedError(Status.HASH_MISMATCH, problem)
    if digest not in at.file.sizes and digest not in at.withheld:
        raise RefusedError(Status.MISSING_RECEIPT, f"the blob {short(digest)} is neither in the file nor listed as withheld")


def _check_blobs(at: Verification, named: tuple[Digest, ...], final: Tree | None) -> None:
    for digest in named:
        _check_blob(at, digest)
    for record in () if final is None else final.records:
        if record.digest is not UNSET and at.file.sizes.get(record.digest, record.size) != record.size:
            raise RefusedError(Status.HASH_MISMATCH, f"{record.path}: the tree gives another size than the file has")


def check_row_journals(at: Verification, row: RowState, evidence: Evidence) -> None:
    """Step 10 for a row: its journal, and those of earlier tries."""
    for receipt in (evidence.receipt, *evidence.tries):
        check_journal(receipt, evidence.facts, at)
    check_calls(at, row, evidence)
    row.coordination = coordination_root(evidence.receipt.events)
    row.journal = evidence.receipt.journal_head


def check_row_spines(at: Verification, row: RowState, evidence: Evidence) -> None:
    """Step 11 for a row: its spine, and those of earlier tries. The row is intact after it."""
    for receipt in (evidence.receipt, *evidence.tries):
        check_spine(receipt, at, evidence.facts)
    row.level = Level.intact


def check_verdict(at: Verification, row: RowState, evidence: Evidence, result: TaskResult) -> None:
    """Step 12: the verdict that follows from the evidence is the one the bundle states."""
    if evidence.withheld is not None:
        raise RefusedError(Status.WITHHELD, f"the bundle withholds {short(evidence.withheld)}, so no verdict follows")
    workspaces = _workspaces(at, row, evidence)
    hidden = _hidden_from_graders(at, evidence)
    if hidden is not None:
        raise RefusedError(Status.WITHHELD, f"the bundle withholds {hidden}, which the task's graders look at")
    try:
        row.verdict = derive(evidence.facts.task, evidence.receipt, evidence.grade, workspaces)
    except EvidenceError as error:
        raise RefusedError(Status.DIVERGED, str(error)) from None
    except MissingBlobError as error:
        raise RefusedError(Status.WITHHELD, f"{error}, so no verdict follows") from None
    _compare(row.verdict, result)
    # Set before it is checked: a judgement that does not hold is named once, not again by every number that it went into.
    opinion = None if result.opinion is UNSET else result.opinion
    row.quality = judged_quality(evidence.facts.task, evidence.judgement, opinion)
    check_judgement(at, evidence)
    check_opinion(at, row, evidence, result.opinion)


def _hidden_from_graders(at: Verification, evidence: Evidence) -> str | None:
    """A file of the grade workspace that nobody can grade again because it is withheld, or None.

    Whoever withholds such a file would otherwise decide that his grades are never compared.
    """
    if not at.withheld or evidence.sealed is None or not _looked_at(evidence.facts.task):
        return None
    of_suite = {record.digest for record in evidence.facts.base.records}
    files = evidence.sealed.graded.records
    return next((file.path for file in files if file.digest in at.withheld and file.digest not in of_suite), None)


def _looked_at(task: Task) -> bool:
    """Whether a grade pass reads files: for its graders, or for the judge."""
    return needs_grader(task) or task.judge is not UNSET


def _workspaces(at: Verification, row: RowState, evidence: Evidence) -> Workspaces | None:
    """The workspaces of a row, after comparing what seal and grade say of them; None where nothing was sealed."""
    seal, sealed = event_of(evidence.receipt, WorkspaceSealed), evidence.sealed
    if seal is None or sealed is None:
        return None
    changes = sealed.difference
    if (seal.added, seal.modified, seal.removed) != (len(changes.added), len(changes.modified), len(changes.removed)):
        raise RefusedError(Status.DIVERGED, "workspace.sealed counts other changes than the trees show")
    reference = evidence.facts.reference
    row.equals_reference = None if reference is None else reference in (seal.tree, sealed.graded_digest)
    row.final, row.refused_total = seal.tree, seal.refused_total
    if evidence.grade is not None:
        _check_grade(evidence.grade, evidence.facts.task, sealed, seal.tree)
        row.grade = evidence.receipt.link("grade")
        row.in_process = evidence.grade.mode == "in_process"
    return Workspaces(
        base=evidence.facts.base,
        final=sealed.tree,
        graded=sealed.graded,
        refused_total=seal.refused_total,
        blobs=at.contents,
    )


def _check_grade(grade: Grade, task: Task, sealed: SealedWorkspace, tree: Digest) -> None:
    """The grade speaks of this task, this workspace, and of the grade workspace that the task allows."""
    if grade.task_hash != task.task_hash or grade.workspace != tree:
        raise RefusedError(Status.DIVERGED, "the grade is that of another task or workspace")
    if grade.mode != task.grading.mode:
        raise RefusedError(Status.DIVERGED, f"the grade was made {grade.mode}, the task asks for {task.grading.mode}")
    if grade.graded != sealed.graded_digest or grade.excluded != sealed.excluded:
        raise RefusedError(Status.DIVERGED, "the grade workspace is not the base plus the changes that the task allows")


def _compare(verdict: Verdict, result: TaskResult) -> None:
    if result.passed != verdict.passed or result.score != to_num(verdict.score):
        stated = f"{_word(passed=result.passed)} with score {result.score}"
        raise RefusedError(
            Status.FABRICATED_SCORE,
            f"stated {stated}; the evidence gives {_word(passed=verdict.passed)}{_because(verdict)}",
        )
    if result.harness_output != verdict.output:
        raise RefusedError(Status.DIVERGED, f"harness_output does not follow from the evidence{_because(verdict)}")


def _word(*, passed: bool) -> str:
    return "passed" if passed else "not passed"


def _because(verdict: Verdict) -> str:
    output = verdict.output
    if output.failed:
        return f" (failed: {', '.join(output.failed)[:200]})"
    return f" ({output.cause or output.limit})" if output.cause or output.limit else ""


def check_telemetry(row: RowState, evidence: Evidence, result: TaskResult) -> None:
    """Step 13 for a row: measurements that could be true, and follow from the recording where there is one.

    The row is rederived after it.
    """
    problem = telemetry_problem(result.observed)
    if problem:
        raise RefusedError(Status.FABRICATED_SCORE, f"observed: {problem}")
    check_used(evidence, result.observed)
    row.level = Level.rederived
