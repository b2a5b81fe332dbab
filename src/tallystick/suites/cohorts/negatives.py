"""Step 11: the wrong answer that had to be refused was refused, for the reason that was expected."""

from __future__ import annotations

from typing import Final, Protocol

from tallystick.records.cohort.cohort import CohortTask
from tallystick.records.cohort.schemas import DocumentKind
from tallystick.records.cohort.verification_result import VerificationResult, parse_verification_result
from tallystick.records.cohort.vocabulary import EvidenceType, NegativeCategory, NegativeStatus, Recommendation
from tallystick.suites.cohorts.reading import Place, Reader, Told
from tallystick.suites.cohorts.reporting import Code

__all__ = ["CANONICAL", "SeenNegative", "check_negative"]

CANONICAL: Final = frozenset(
    {
        NegativeCategory.CORRECTNESS,
        NegativeCategory.SCOPE,
        NegativeCategory.PROVENANCE,
        NegativeCategory.SECURITY,
        NegativeCategory.REGRESSION,
    }
)
"""Categories that a verifier's finding can have; the others are failures of worker or verifier."""


class SeenNegative(Protocol):
    """Whoever else wants to see each seeded negative that could be read."""

    def check_negative(self, task: CohortTask, result: VerificationResult | None) -> None:
        """Look at one; None where the evidence is no VerificationResult."""


def check_negative(reader: Reader, task: CohortTask, seen: SeenNegative | None) -> None:
    """Check the evidence of a task's seeded negative, where it is said to be there."""
    case = task.negative_case
    if case.evidence_status != NegativeStatus.VERIFIED or case.evidence_path is None:
        return
    place = Place(11, f"{task.id} negative evidence", task.id)
    value = reader.value_at(case.evidence_path, place)
    if value is None:
        return
    told = Told(place, case.evidence_path, Code.DIGEST_DRIFT, f"{task.id}: negative-evidence digest drift")
    reader.digested(value, case.evidence_digest, told)
    result = None
    if case.evidence_type == EvidenceType.VERIFICATION_RESULT:
        if not reader.fits(value, DocumentKind.VERIFICATION_RESULT, place):
            return
        result = parse_verification_result(value)
        _check_refusal(reader, task, result, place)
    if seen is not None:
        seen.check_negative(task, result)


def _check_refusal(reader: Reader, task: CohortTask, result: VerificationResult, place: Place) -> None:
    if result.recommendation == Recommendation.ACCEPT_CANDIDATE:
        message = f"{task.id}: negative VerificationResult unexpectedly recommends acceptance"
        reader.say(place, Code.NEGATIVE_ACCEPTS, message)
    category = task.negative_case.expected_category
    if category in CANONICAL and str(category) not in {str(finding.category) for finding in result.findings}:
        message = f"{task.id}: negative evidence lacks expected {category} finding"
        reader.say(place, Code.NEGATIVE_FINDING_MISSING, message)
