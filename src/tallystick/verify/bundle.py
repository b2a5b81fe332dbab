"""Verification of a bundle: numbered steps over bytes, in the order and with the numbers of `records.report.Step`.

Pure: bytes and Protocols in, a report out. Steps 1 to 3 (container, canonical bytes, closed schema) were passed by whoever
opened the file, since `open_bundle` gives nothing out otherwise. Specification: docs/spec/verify.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tallystick.records.containers import BundleFile
from tallystick.records.report import Level, Report, Step
from tallystick.verify.claim import check_bundle_hash, check_coverage, check_key, check_signature, check_suite
from tallystick.verify.numbers import check_agent, check_blobs_exact, check_coordination, check_scores
from tallystick.verify.ports import ReaderSuite, Regrader, Replayer, VerifyOptions
from tallystick.verify.regrade import regrade_rows
from tallystick.verify.replay import replay_rows
from tallystick.verify.reporting import make_report
from tallystick.verify.rows import check_row_journals, check_row_spines, check_telemetry, check_verdict, open_evidence
from tallystick.verify.state import Finding, RefusedError, RowState, Verification

__all__ = ["CLAIM_STEPS", "CLOSING_STEPS", "examine", "verify"]

WholeStep = Callable[[Verification], Iterator[RefusedError]]

CLAIM_STEPS: Final[tuple[tuple[Step, WholeStep], ...]] = (
    (Step.bundle_hash, check_bundle_hash),
    (Step.key, check_key),
    (Step.signature, check_signature),
    (Step.suite, check_suite),
    (Step.coverage, check_coverage),
)
"""The claim as a whole, before any evidence is opened."""

CLOSING_STEPS: Final[tuple[tuple[Step, WholeStep], ...]] = (
    (Step.blobs, check_blobs_exact),
    (Step.spines, check_agent),
    (Step.scores, check_scores),
    (Step.coordination, check_coordination),
)
"""What needs every row. Between the two tuples each row goes through steps 9 to 13 by itself."""

_DERIVING: Final = frozenset({Step.verdicts, Step.scores, Step.coordination})


def verify(
    file: BundleFile,
    suite: ReaderSuite,
    options: VerifyOptions,
    regrader: Regrader | None = None,
    replayer: Replayer | None = None,
) -> Report:
    """Derive the claim of `file` again with the reader's suite, as far as `options.level` asks for.

    Nothing that a bundle says makes this raise: what does not hold is in the report.
    """
    return make_report(examine(file, suite, options, regrader, replayer))


def examine(
    file: BundleFile,
    suite: ReaderSuite,
    options: VerifyOptions,
    regrader: Regrader | None = None,
    replayer: Replayer | None = None,
) -> Verification:
    """All steps but the report: what is known of every row afterwards. As `verify`."""
    at = Verification(file, suite, options)
    _run(at, CLAIM_STEPS)
    for row in at.rows:
        if row.finding is None:
            _verify_row(at, row)
    if options.level < Level.rederived:
        at.skipped |= _DERIVING
    _run(at, tuple(step for step in CLOSING_STEPS if step[0] not in at.skipped))
    regrade_rows(at, regrader)
    replay_rows(at, replayer)
    if file.bundle.config.sandbox == "none":
        at.notes[Step.report] = "made without a sandbox: the agent could read and change whatever its user could"
    return at


def _run(at: Verification, steps: tuple[tuple[Step, WholeStep], ...]) -> None:
    for step, check in steps:
        at.findings.extend(Finding(step, refusal.status, refusal.reason) for refusal in check(at))


def _verify_row(at: Verification, row: RowState) -> None:
    """Steps 9 to 13 of one row; its receipt and trees are let go afterwards."""
    step, result = Step.blobs, row.result
    assert result is not None  # a row without a result has a finding from step 8
    try:
        evidence = open_evidence(at, row, result)
        step = Step.journals
        check_row_journals(at, row, evidence)
        step = Step.spines
        check_row_spines(at, row, evidence)
        if at.options.level < Level.rederived:
            return
        step = Step.verdicts
        check_verdict(at, row, evidence, result)
        step = Step.scores
        check_telemetry(row, evidence, result)
    except RefusedError as refusal:
        row.refuse(step, refusal.status, refusal.reason)
