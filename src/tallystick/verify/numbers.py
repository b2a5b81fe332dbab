"""Steps 9, 11, 13 and 14 for the bundle as a whole, after every row was looked at. Each yields what it refuses."""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.core.digest import Digest, short
from tallystick.records.base import UNSET
from tallystick.records.containers import named_receipts
from tallystick.records.evidence import SELF_TEST_ADAPTERS
from tallystick.records.report import Status, Step
from tallystick.scoring.coordination import coordinate
from tallystick.scoring.totals import Scored, TelemetryError, summarise
from tallystick.verify.state import RefusedError, Verification

__all__ = ["check_agent", "check_blobs_exact", "check_coordination", "check_scores"]


def check_blobs_exact(at: Verification) -> Iterator[RefusedError]:
    """Step 9: no receipt and no blob beyond the named ones, and withheld names blobs that are named and not here."""
    extra = set(at.file.receipts) - named_receipts(at.bundle)
    if extra:
        yield RefusedError(Status.HASH_MISMATCH, f"the receipt {short(min(extra))} is in the file but in no result")
    if tuple(sorted(at.withheld)) != at.bundle.withheld:
        yield RefusedError(Status.HASH_MISMATCH, "withheld is not sorted, or names a blob twice")
    both = at.withheld & set(at.file.sizes)
    if both:
        yield RefusedError(Status.HASH_MISMATCH, f"the blob {short(min(both))} is listed as withheld and is in the file")
    unnamed = (set(at.file.sizes) | at.withheld) - at.named
    if unnamed and not _names_unknown(at):  # refused unread: a small file may inflate to much
        yield RefusedError(Status.HASH_MISMATCH, f"the blob {short(min(unnamed))} is in the file but no receipt names it")
    elif unnamed:
        for digest in unnamed:
            at.breakage(digest)
    for digest, reason in sorted(at.broken.items()):
        yield RefusedError(Status.HASH_MISMATCH, f"{reason} ({short(digest)})")


def _names_unknown(at: Verification) -> bool:
    """Whether the documents of some row could not be read, so that nobody can tell which blobs they name."""
    return any(row.finding is not None and row.finding.step <= Step.blobs for row in at.rows)


def check_agent(at: Verification) -> Iterator[RefusedError]:
    """Step 11: the agent says of itself whether it is a self-test, as its adapter is."""
    agent = at.bundle.agent
    if agent.self_test != (agent.adapter in SELF_TEST_ADAPTERS):
        yield RefusedError(Status.DIVERGED, f"agent.self_test is {agent.self_test}, but the adapter is {agent.adapter}")


def check_scores(at: Verification) -> Iterator[RefusedError]:
    """Step 13: totals, rates, interval, components and overall score follow from the verdicts and the telemetry."""
    problem = _incomplete(at)
    if problem:
        at.skipped.add(Step.scores)
        at.notes[Step.scores] = problem
        return
    scored = [Scored(row.verdict, row.result.observed, row.quality) for row in at.rows if row.verdict and row.result]
    tasks = {row.task_id for row in at.rows}
    try:
        derived = summarise(len(tasks), scored)
    except TelemetryError as error:
        yield RefusedError(Status.FABRICATED_SCORE, str(error))
        return
    for name in ("totals", "pass_rate", "overall_score", "interval", "components"):
        stated, found = getattr(at.bundle, name), getattr(derived, name)
        if stated != found:
            yield RefusedError(Status.FABRICATED_SCORE, f"{name}: stated {_plain(stated)}, the evidence gives {_plain(found)}")


def _plain(value: object) -> str:
    """A number, or the members of a record, in one short line."""
    fields = getattr(value, "__struct_fields__", None)
    if fields is None:
        return str(value)
    return " ".join(f"{name}={getattr(value, name)}" for name in fields if getattr(value, name) is not UNSET)


def _incomplete(at: Verification) -> str | None:
    """Why numbers over all attempts cannot be derived, or None."""
    if any(finding.status is Status.COVERAGE_MISMATCH and finding.step is Step.coverage for finding in at.findings):
        return "not derived: the attempts are not those of the suite"
    without = sum(row.verdict is None for row in at.rows)
    return f"not derived: {without} attempts without a verdict" if without else None


def check_coordination(at: Verification) -> Iterator[RefusedError]:
    """Step 14: whether the harness decided the same in every attempt, from the coordination lane of the journals."""
    roots: dict[str, list[Digest]] = {}
    for row in at.rows:
        if row.coordination is None:
            at.skipped.add(Step.coordination)
            at.notes[Step.coordination] = "not derived: a journal was not accepted"
            return
        roots.setdefault(row.task_id, []).append(row.coordination)
    if coordinate(roots) != at.bundle.coordination:
        yield RefusedError(Status.DIVERGED, "coordination does not follow from the journals")
