"""The closed lists of words in documents of cohorts."""

from __future__ import annotations

from enum import StrEnum

__all__ = [
    "AttemptOutcome",
    "CandidateStatus",
    "CheckStatus",
    "Difficulty",
    "EvaluatorVisibility",
    "EvidenceType",
    "Family",
    "FindingCategory",
    "LogType",
    "Metric",
    "NegativeCategory",
    "NegativeStatus",
    "Recommendation",
    "Split",
    "Stage",
    "TaskStatus",
    "VerificationStatus",
]


class Stage(StrEnum):
    """How far a cohort has come."""

    SCAFFOLD = "scaffold"
    COLLECTING = "collecting"
    FROZEN = "frozen"
    BURNED = "burned"


class Family(StrEnum):
    """What kind of work a task asks for."""

    BUG_FIX = "bug_fix"
    TEST_FAILURE = "test_failure"
    BOUNDED_FEATURE = "bounded_feature"
    REFACTOR = "refactor"
    DOCUMENTATION_CONTRACT = "documentation_contract"
    OTHER = "other"


class Difficulty(StrEnum):
    """How large a task is thought to be."""

    TRIVIAL = "trivial"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


class Split(StrEnum):
    """What a task may be used for."""

    PILOT = "pilot"
    TRAIN = "train"
    DEVELOPMENT = "development"
    HELD_OUT = "held_out"


class EvaluatorVisibility(StrEnum):
    """Whether a task's plan lies open, or only its digest is known."""

    PUBLIC = "public"
    HIDDEN = "hidden"


class NegativeCategory(StrEnum):
    """What a seeded negative is expected to be refused for."""

    CORRECTNESS = "correctness"
    SCOPE = "scope"
    PROVENANCE = "provenance"
    SECURITY = "security"
    REGRESSION = "regression"
    WORKER_ERROR = "worker_error"
    VERIFIER_ERROR = "verifier_error"
    OTHER = "other"


class NegativeStatus(StrEnum):
    """Whether there is evidence of a seeded negative."""

    PENDING = "pending"
    VERIFIED = "verified"


class EvidenceType(StrEnum):
    """What the evidence of a seeded negative is."""

    VERIFICATION_RESULT = "verification_result"
    RUN_RECORD = "run_record"
    OTHER = "other"


class TaskStatus(StrEnum):
    """What has become of a task."""

    PENDING = "pending"
    VERIFIED = "verified"
    EXCLUDED = "excluded"


class AttemptOutcome(StrEnum):
    """What an attempt came to."""

    SUPPORT = "support"
    REJECT = "reject"
    ESCALATE = "escalate"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"


class Metric(StrEnum):
    """What a task wants measured of each attempt."""

    WALL_SECONDS = "wall_seconds"
    COMPUTE_UNITS = "compute_units"
    HUMAN_MINUTES = "human_minutes"
    TOKENS = "tokens"


class CandidateStatus(StrEnum):
    """How a worker says that its attempt ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    ERROR = "error"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"


class LogType(StrEnum):
    """What a log of a worker holds."""

    STDOUT = "stdout"
    STDERR = "stderr"
    TRACE = "trace"
    TOOL_CALLS = "tool_calls"
    OTHER = "other"


class VerificationStatus(StrEnum):
    """How a verification ended."""

    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"


class CheckStatus(StrEnum):
    """How one check of a verification ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    INCONCLUSIVE = "inconclusive"
    ERROR = "error"


class FindingCategory(StrEnum):
    """What a finding of a verification is about."""

    CORRECTNESS = "correctness"
    REGRESSION = "regression"
    SECURITY = "security"
    PERFORMANCE = "performance"
    MAINTAINABILITY = "maintainability"
    SCOPE = "scope"
    PROVENANCE = "provenance"
    POLICY = "policy"
    OTHER = "other"


class Recommendation(StrEnum):
    """What a verifier recommends; deciding is somebody else's."""

    ACCEPT_CANDIDATE = "accept_candidate"
    REJECT_CANDIDATE = "reject_candidate"
    ESCALATE = "escalate"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence"
