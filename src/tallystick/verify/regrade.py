"""Step 16: the graders run again, by somebody who was handed in; here their grades are compared with the recorded ones.

A row that differs is graded a second time: two equal answers make it DIVERGED, two different ones UNSTABLE.
"""

from __future__ import annotations

import msgspec

from tallystick.records.base import UNSET
from tallystick.records.blobs import MissingBlobError
from tallystick.records.evidence import Grade, parse_grade
from tallystick.records.report import NOTHING_RUN, Level, Status, Step
from tallystick.records.tree import parse_tree
from tallystick.scoring.verdict import needs_grader
from tallystick.verify.ports import CannotRegradeError, RegradeFailedError, Regrader
from tallystick.verify.state import RefusedError, RowState, Verification

__all__ = ["regrade_row", "regrade_rows"]


def regrade_rows(at: Verification, regrader: Regrader | None) -> None:
    """Grade every rederived row again; a file that is not what it says it is has nothing of it executed."""
    if regrader is None or at.options.level < Level.regraded:
        at.skipped.add(Step.regrade)
        at.notes[Step.regrade] = NOTHING_RUN
    elif _tampered(at):
        at.skipped.add(Step.regrade)
        at.notes[Step.regrade] = f"{NOTHING_RUN}: the claim itself does not hold"
    else:
        for row in at.verified_rows():
            if row.level is Level.rederived:
                _one(at, row, regrader)
    _demand(at)


def _tampered(at: Verification) -> bool:
    return any(
        finding.step <= Step.suite and finding.status in {Status.HASH_MISMATCH, Status.BAD_SIGNATURE} for finding in at.findings
    )


def _one(at: Verification, row: RowState, regrader: Regrader) -> None:
    try:
        regrade_row(at, row, regrader)
    except RefusedError as refusal:
        row.refuse(Step.regrade, refusal.status, refusal.reason)
    except MissingBlobError as error:
        row.refuse(Step.regrade, Status.WITHHELD, f"not graded again: {error}")
    except RegradeFailedError as error:
        # What was submitted may be the reason, so nobody may gain by it.
        row.refuse(Step.regrade, Status.NOT_REGRADED, f"the graders ran and came to no grade: {error}")
    except CannotRegradeError as error:
        row.note = f"not graded again: {error}"
        at.notes[Step.regrade] = row.note
    else:
        row.level = Level.regraded


def regrade_row(at: Verification, row: RowState, regrader: Regrader) -> None:
    """Grade one attempt again. An attempt without a grade, or with nothing to execute, has nothing to repeat.

    Raises:
        RefusedError: DIVERGED or UNSTABLE; FABRICATED_SCORE or NOT_REGRADED where only the judgement is another.
        CannotRegradeError: the graders cannot be run here.
        RegradeFailedError, MissingBlobError: they came to no grade, or had no files.
    """
    task = at.facts[row.task_id].task
    if row.grade is None or row.final is None:
        return
    recorded = parse_grade(at.file.read(row.grade))
    if not needs_grader(task) and recorded.judgement is UNSET:
        return
    final = parse_tree(at.file.read(row.final))

    def regrade() -> Grade:
        found = regrader.regrade(task, final, row.refused_total, at.contents)
        # Who leaves a judgement out claims nothing by it: the attempt is unjudged.
        return msgspec.structs.replace(found, judgement=UNSET) if recorded.judgement is UNSET else found

    found = regrade()
    if found == recorded:
        return
    try:
        again = regrade()
    except (CannotRegradeError, RegradeFailedError) as error:  # one answer is known, and it is not the recorded one
        raise RefusedError(Status.UNSTABLE, f"graded again: {_difference(recorded, found)}; then: {error}") from None
    if again != found:
        raise RefusedError(Status.UNSTABLE, f"two regrades of the same files disagree: {_difference(found, again)}")
    raise _differs(recorded, found)


def _differs(recorded: Grade, found: Grade) -> RefusedError:
    if msgspec.structs.replace(found, judgement=recorded.judgement) != recorded:
        return RefusedError(Status.DIVERGED, f"graded again: {_difference(recorded, found)}")
    if found.judgement is UNSET:
        return RefusedError(Status.NOT_REGRADED, "graded again: the judge came to no judgement of these files")
    return RefusedError(Status.FABRICATED_SCORE, f"graded again: {_difference(recorded, found)}")


def _difference(one: Grade, other: Grade) -> str:
    """The first assertion and test on which two grades differ."""
    for before, after in zip(one.results, other.results, strict=False):
        if before == after:
            continue
        if before.outcome != after.outcome or before.assertion != after.assertion:
            return f"assertion {before.assertion} was {before.outcome}, now {after.assertion} {after.outcome}"
        return f"assertion {before.assertion}: its exit or tests differ"
    if one.judgement != other.judgement and msgspec.structs.replace(other, judgement=one.judgement) == one:
        return "the judge measures something else than the judgement says"
    return "the grades speak of different workspaces or assertions"


def _demand(at: Verification) -> None:
    """A reader who asked for more than could be done is told so by status, not by a level in small print."""
    demand = min(at.options.demand, Level.regraded)
    for row in at.verified_rows():
        if row.level < demand:
            row.refuse(Step.regrade, Status.NOT_REGRADED, row.note or NOTHING_RUN)
