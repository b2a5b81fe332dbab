"""What an evaluation says beside its numbers has bounds, and says where they cut."""

from tallystick.flows.harness.document import bounded_notes
from tallystick.records.eval_run import EVAL_RUN_CHARS, EVAL_RUN_NOTES


def test_notes_that_fit_stay_as_they_are() -> None:
    notes = [f"note {number}" for number in range(EVAL_RUN_NOTES)]
    assert bounded_notes(notes) == tuple(notes)


def test_notes_that_are_left_out_are_counted() -> None:
    kept = bounded_notes([f"note {number}" for number in range(EVAL_RUN_NOTES + 5)])
    assert len(kept) == EVAL_RUN_NOTES
    assert kept[-2:] == (f"note {EVAL_RUN_NOTES - 2}", "and 6 notes more")


def test_a_long_note_is_cut() -> None:
    assert bounded_notes(["x" * (EVAL_RUN_CHARS + 1)]) == ("x" * EVAL_RUN_CHARS,)
