"""Step 18: from what was found to a report."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from tallystick.core.exact import to_num
from tallystick.records.base import UNSET
from tallystick.records.report import LACKING, STEPS, Level, Report, Row, Status, Step, StepResult
from tallystick.scoring.golden import quality_of
from tallystick.verify.state import RowState, Verification

__all__ = ["make_report"]

_ROW_STEPS: Final = (Step.blobs, Step.journals, Step.spines, Step.verdicts, Step.scores)
_NOT_HERE: Final = {
    Step.announcement: "this bundle carries none",
}
"""Steps of which this format version of a bundle has nothing."""
_REASONS: Final = 100
"""Reasons listed in a report; the rows have them all."""


def make_report(at: Verification) -> Report:
    """The whole finding."""
    bundle = at.bundle
    verdicts = [row.verdict for row in at.rows if row.verdict is not None]
    passed = sum(verdict.passed for verdict in verdicts)
    derived = bool(verdicts) and len(verdicts) == len(at.rows)
    return Report(
        status=_status(at),
        level=_level(at),
        bundle_hash=bundle.bundle_hash,
        suite_hash=bundle.suite_hash,
        suite_version=bundle.suite_version,
        signer=at.signer,
        signer_kid="" if bundle.signer_fingerprint is UNSET else bundle.signer_fingerprint,
        self_test=bundle.agent.self_test,
        agent=bundle.agent.name,
        sandbox=bundle.config.sandbox,
        passed=passed,
        attempts=len(at.rows),
        pass_rate=to_num(Fraction(passed, len(at.rows))) if derived else UNSET,
        judged=sum(row.quality is not None for row in at.rows),
        code_quality=to_num(quality_of([row.quality for row in at.rows])) if derived else UNSET,
        steps=tuple(_step(at, step) for step in Step),
        rows=tuple(_row(row) for row in at.rows),
        reasons=_reasons(at),
    )


def _status(at: Verification) -> Status:
    """The first thing that is wrong: the claim, then its rows, then numbers over all; last, what is merely lacking."""
    wrong = [finding for finding in at.findings if finding.status not in LACKING]
    rows = {row.finding.status for row in at.rows if row.finding is not None}
    claim = [finding.status for finding in wrong if finding.step <= Step.coverage]
    if claim:
        return claim[0]
    if rows - set(LACKING):
        return _status_of_rows(rows - set(LACKING))
    if wrong:
        return wrong[0].status
    lacking = rows | {finding.status for finding in at.findings}
    return next((status for status in LACKING if status in lacking), Status.MATCH)


def _status_of_rows(statuses: set[Status]) -> Status:
    if len(statuses) == 1 and statuses <= {Status.NOT_REGRADED, Status.NOT_REPLAYED, Status.REUSED_ANSWERS}:
        return next(iter(statuses))
    return Status.UNSTABLE if statuses <= {Status.UNSTABLE, Status.NOT_REGRADED} else Status.DIVERGED


def _level(at: Verification) -> str:
    """The lowest level of a row; a claim that fails as a whole is not intact, one whose numbers fail not rederived."""
    lowest = min((row.level for row in at.rows), default=Level.claimed)
    for finding in at.findings:
        lowest = min(lowest, Level.claimed if finding.step <= Step.spines else Level.intact)
    in_process = any(row.in_process for row in at.rows)
    return _level_name(lowest, in_process=in_process)


def _level_name(level: Level, *, in_process: bool) -> str:
    """A level's name; graders that share a process with the subject are said to."""
    return f"{level.name} (in-process)" if in_process and level is Level.regraded else level.name


def _row(row: RowState) -> Row:
    finding = row.finding
    return Row(
        task_id=row.task_id,
        attempt=row.attempt,
        status=Status.MATCH if finding is None else finding.status,
        passed=UNSET if row.verdict is None else row.verdict.passed,
        step=UNSET if finding is None else int(finding.step),
        reason=row.note if finding is None else finding.reason,
        level=_level_name(row.level, in_process=row.in_process),
        tries=0 if row.result is None else len(row.result.tries),
        outcome="" if row.verdict is None else row.verdict.output.outcome,
        equals_reference=UNSET if row.equals_reference is None else row.equals_reference,
        quality=UNSET if row.quality is None else to_num(row.quality),
        opinion=UNSET if row.opinion is None else to_num(row.opinion),
    )


def _step(at: Verification, step: Step) -> StepResult:
    title = STEPS[step]
    failed = [finding.reason for finding in at.findings if finding.step is step]
    failed += [f"{row.task_id}: {row.finding.reason}" for row in at.rows if row.finding and row.finding.step is step]
    if failed:
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        return StepResult(step=step, title=title, state="failed", note=failed[0] + more)
    if step is Step.replay and at.bundle.config.recording != "cassette":
        return StepResult(step=step, title=title, state="not_applicable", note="this bundle carries no recorded answers")
    if step in _NOT_HERE:
        return StepResult(step=step, title=title, state="not_applicable", note=_NOT_HERE[step])
    why = _why_skipped(at, step)
    if why is not None:
        return StepResult(step=step, title=title, state="skipped", note=why)
    return StepResult(step=step, title=title, state="ok", note=at.notes.get(step, ""))


def _why_skipped(at: Verification, step: Step) -> str | None:
    """Why a step was not done for anything, or None."""
    if step in at.skipped:
        return at.notes.get(step, "not asked for")
    if step in _ROW_STEPS and not any(row.finding is None or row.finding.step > step for row in at.rows):
        return "no attempt came this far"
    if step is Step.replay and any(row.level < Level.replayed for row in at.verified_rows()):
        return at.notes.get(step, "not every attempt came this far")
    if step is Step.regrade and any(row.level < Level.regraded for row in at.verified_rows()):
        return at.notes.get(step, "not every attempt came this far")
    return None


def _reasons(at: Verification) -> tuple[str, ...]:
    whole = [f"step {int(finding.step)}, {STEPS[finding.step]}: {finding.reason}" for finding in at.findings]
    rows = [
        f"{row.task_id} attempt {row.attempt}, step {int(row.finding.step)}, {STEPS[row.finding.step]}: {row.finding.reason}"
        for row in at.rows
        if row.finding is not None and row.finding.status is not Status.COVERAGE_MISMATCH  # the claim has those already
    ]
    return tuple((whole + rows)[:_REASONS])
