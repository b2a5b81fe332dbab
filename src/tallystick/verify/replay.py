"""Step 17: the agent's program runs again on its recorded answers, by somebody who was handed in; here receipts are compared.

A replay that comes out otherwise is repeated, since some programs race with themselves; how often is in the report.
"""

from __future__ import annotations

from typing import Final

from tallystick.records.report import Level, Status, Step
from tallystick.records.traffic.cassette import parse_cassette
from tallystick.verify.ports import CannotReplayError, Replayed, Replayer
from tallystick.verify.state import RowState, Verification

__all__ = ["TRIES", "replay_rows"]

TRIES: Final = 3
"""Replays of one attempt before it counts as diverged."""

_LEAK: Final = "a value that the rules rename stands in a later answer and is declared no handle"
_NOT_ASKED: Final = "not asked for"
_NOT_RECORDED: Final = "this bundle carries no recorded answers"


def replay_rows(at: Verification, replayer: Replayer | None) -> None:
    """Replay every regraded row that has a recording; the others stay where they are, with the reason in their note."""
    recorded = at.bundle.config.recording == "cassette"
    if replayer is None or at.options.level < Level.replayed:
        at.skipped.add(Step.replay)
        at.notes[Step.replay] = _NOT_ASKED if recorded else _NOT_RECORDED
    else:
        for row in at.verified_rows():
            if row.level is Level.regraded:
                _one(at, row, replayer)
    _demand(at)


def _one(at: Verification, row: RowState, replayer: Replayer) -> None:
    reason = _obstacle(at, row)
    if reason:
        row.note = at.notes[Step.replay] = f"not run again: {reason}"
        return
    try:
        found, tries = _repeat(at, row, replayer)
    except CannotReplayError as error:
        row.note = at.notes[Step.replay] = f"not run again: {error}"
        return
    again = "" if tries == 1 else f", at the {tries}. of {TRIES} tries"
    if found.difference:
        row.refuse(Step.replay, Status.DIVERGED, f"run again {tries} times: {found.difference}")
        return
    if found.leaks:
        row.note = at.notes[Step.replay] = f"came out the same, but {_LEAK}: it does not count as replayed"
        return
    row.level = Level.replayed
    row.note = f"sent the same requests{_equality(found)} and left the same files{again}"


def _equality(found: Replayed) -> str:
    return f" (equal after declared rules, {found.spans} spans)" if found.spans else " (exact)"


def _obstacle(at: Verification, row: RowState) -> str:
    if at.bundle.config.recording != "cassette":
        return _NOT_RECORDED
    if at.bundle.config.hosts:
        return f"the agent could reach {', '.join(at.bundle.config.hosts)[:200]}, of which nothing is recorded"
    return row.unreplayable or ("" if row.recorded else "the attempt has no recording")


def _repeat(at: Verification, row: RowState, replayer: Replayer) -> tuple[Replayed, int]:
    """The first replay that came out the same, or the last; and how many there were."""
    assert row.result is not None  # a row without a result has a finding from step 8
    receipt = at.file.receipt(row.result.receipt_hash)
    digest = receipt.link("cassette")
    assert digest is not None  # recorded rows have one, step 11 saw to it
    cassette = parse_cassette(at.file.read(digest))
    task, tries = at.facts[row.task_id].task, 1
    found = replayer.replay(task, receipt, cassette, at.file)
    while found.difference and tries < TRIES:
        found, tries = replayer.replay(task, receipt, cassette, at.file), tries + 1
    return found, tries


def _demand(at: Verification) -> None:
    if at.options.demand < Level.replayed:
        return
    for row in at.verified_rows():
        if row.level < Level.replayed:
            row.refuse(Step.replay, Status.NOT_REPLAYED, row.note or at.notes.get(Step.replay, _NOT_ASKED))
