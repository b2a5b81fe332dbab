"""Scores for coding agents that carry their own proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tallystick.flows.api import (
        BenchRunner,
        BenchVerifier,
        MockReplayAdapter,
        ReliabilityReceipt,
        ReliabilityRunner,
        ReliabilityVerifier,
        StochasticMockReplayAdapter,
        SubmissionBundle,
        VerificationResult,
        build_golden_suite_v1,
    )
    from tallystick.flows.eval_api import (
        EvalHarness,
        EvalResult,
        FailureCategory,
        TaskTelemetry,
        compute_efficiency,
        evaluate_task,
    )
    from tallystick.trust.signing import Signer

__version__ = "0.1.0"

__all__ = [
    "BenchRunner",
    "BenchVerifier",
    "EvalHarness",
    "EvalResult",
    "FailureCategory",
    "MockReplayAdapter",
    "ReliabilityReceipt",
    "ReliabilityRunner",
    "ReliabilityVerifier",
    "Signer",
    "StochasticMockReplayAdapter",
    "SubmissionBundle",
    "TaskTelemetry",
    "VerificationResult",
    "__version__",
    "build_golden_suite_v1",
    "compute_efficiency",
    "evaluate_task",
]

_OF_EVAL = frozenset({"EvalHarness", "EvalResult", "FailureCategory", "TaskTelemetry", "compute_efficiency", "evaluate_task"})


def __getattr__(name: str) -> object:
    """Load the Python interface when it is first used: the command line does not need it."""
    if name == "Signer":
        from tallystick.trust.signing import Signer  # noqa: PLC0415 - see above

        return Signer
    if name in _OF_EVAL:
        from tallystick.flows import eval_api  # noqa: PLC0415 - see above

        return getattr(eval_api, name)
    if name in __all__:
        from tallystick.flows import api  # noqa: PLC0415 - see above

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
