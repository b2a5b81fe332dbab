"""Lies about one attempt, hashed and signed unless the name says otherwise: named at their row, and no other row suffers."""

from collections.abc import Callable
from decimal import Decimal
from io import BytesIO
from typing import Any

import msgspec
import pytest

from tallystick.core import c1
from tallystick.core.digest import EMPTY, sha256
from tallystick.records.base import digest_of
from tallystick.records.bundle import Observed
from tallystick.records.containers import BundleFile, open_bundle
from tallystick.records.evidence import Excluded, Receipt, SpineEntry, TestOutcome
from tallystick.records.journal import AgentEnd, AgentStart, AttemptBegin, AttemptEnd, Event, WorkspaceSealed
from tallystick.records.report import Report, Status, Step
from tallystick.records.task import SyntaxValid
from tallystick.records.traffic.cassette import Cassette
from tallystick.verify.bundle import verify
from tallystick.verify.ports import VerifyOptions
from tests.support import synthetic as s

Told = s.Sealed | BundleFile
Lie = Callable[[], Told]

change = msgspec.structs.replace
HONEST = s.seal(s.honest_run())
FIX, SHORTEN, WRITE = 2, 1, 0


def found(told: Told) -> Report:
    file = s.opened(told) if isinstance(told, s.Sealed) else told
    return verify(file, s.SUITE, VerifyOptions())


def told(**parts: Any) -> s.Sealed:
    """An honest run with members of the attempt at `fix_bug` changed."""
    run = s.honest_run()
    for name, value in parts.items():
        setattr(run.part("fix_bug"), name, value)
    return s.seal(run)


# Receipts and blobs.


def task_of_eased_limits() -> Told:
    eased = s.make_suite(change(s.LIMITS, wall_ms=10_000_000))
    sealed = s.seal(s.honest_run(suite=eased))
    return s.resigned(sealed, suite_hash=s.SUITE.suite_hash)


def task_hash_of_another_task() -> Told:
    return s.resigned(HONEST, task_results=s.with_result(HONEST, FIX, task_hash=HONEST.bundle.task_results[0].task_hash))


def receipt_left_out() -> Told:
    tree = s.document(s.file_bytes(HONEST))
    del tree["task_results"][FIX]["receipt"]
    return open_bundle(BytesIO(c1.dumps(tree)))


def receipt_edited_as_it_stands() -> Told:
    tree = s.document(s.file_bytes(HONEST))
    tree["task_results"][FIX]["receipt"]["events"][2]["exit"] = 1
    return open_bundle(BytesIO(c1.dumps(tree)))


def receipt_with_null() -> Told:
    return receipt_with(lambda receipt: receipt["events"][2].update(exit=True))


def receipt_with_an_unknown_member() -> Told:
    return receipt_with(lambda receipt: receipt.update(model="gpt-99"))


def receipt_with(edit: Callable[[Any], None]) -> Told:
    """A receipt that no writer makes, hashed and signed."""
    tree = s.document(s.file_bytes(HONEST))
    result = tree["task_results"][FIX]
    edit(result["receipt"])
    digest = sha256(c1.dumps(result["receipt"]))
    bundle = s.resigned(HONEST, task_results=s.with_result(HONEST, FIX, receipt_hash=digest)).bundle
    for name in ("bundle_hash", "signature"):
        tree[name] = getattr(bundle, name)
    result["receipt_hash"] = digest
    return open_bundle(BytesIO(c1.dumps(tree)))


def receipt_from_other_task() -> Told:
    other = HONEST.bundle.task_results[WRITE]
    return s.resigned(HONEST, task_results=s.with_result(HONEST, FIX, receipt=other.receipt, receipt_hash=other.receipt_hash))


def one_receipt_for_two_attempts() -> Told:
    two = s.seal(s.honest_run(2))
    first = two.bundle.task_results[0]
    return s.resigned(two, task_results=s.with_result(two, 1, receipt=first.receipt, receipt_hash=first.receipt_hash))


def graded_try_hidden_behind_a_retry() -> Told:
    run = s.honest_run(failing=("fix_bug",))
    failed = s.evidence_of(run, run.part("fix_bug")).receipt
    better = s.honest_run()
    better.part("fix_bug").tries = (failed,)
    return s.seal(better)


def try_of_another_task() -> Told:
    run = s.honest_run()
    part = run.part("shorten")
    part.ending = AttemptEnd(seq=0, outcome="interrupted", cause="interrupted")
    return told(tries=(s.evidence_of(run, part).receipt,))


def blob_left_out() -> Told:
    gone = next(r.digest for r in s.honest_run().part("fix_bug").final.records if r.path == "lib.py")
    return s.Sealed(HONEST.bundle, HONEST.digests - {gone}, HONEST.blobs)  # type: ignore[arg-type]


def raw_output_left_out() -> Told:
    run = s.honest_run()
    output = run.blobs.put(b"raw output")
    run.part("fix_bug").observed = Observed(wall_ms=1, outputs=(("stdout", output),))
    sealed = s.seal(run)
    return s.Sealed(sealed.bundle, sealed.digests - {output}, sealed.blobs)


def blob_changed_in_place() -> Told:
    data = s.file_bytes(HONEST, "tally")
    assert b"return 2" in data
    return open_bundle(BytesIO(data.replace(b"return 2", b"return 3")))


# Journals and spines.


def with_events(edit: Callable[[list[Event]], None]) -> Told:
    def changed(events: tuple[Event, ...]) -> tuple[Event, ...]:
        edited = list(events)
        edit(edited)
        return tuple(edited)

    return told(change_events=changed)


def journal_head_of_other_events() -> Told:
    return told(change_receipt=lambda receipt: change(receipt, journal_head=EMPTY))


def journal_emptied() -> Told:
    return with_events(lambda events: events.clear())


def journal_cut_off() -> Told:
    return with_events(lambda events: events.pop())


def journal_with_a_gap() -> Told:
    return with_events(lambda events: events.__setitem__(-1, change(events[-1], seq=9)))


def journal_without_an_agent() -> Told:
    def edit(events: list[Event]) -> None:
        del events[1:3]
        events[:] = [change(event, seq=i) for i, event in enumerate(events)]

    return with_events(edit)


def journal_that_begins_with_another_task() -> Told:
    return with_events(lambda events: events.__setitem__(0, AttemptBegin(seq=0, task_hash=EMPTY, workspace=EMPTY)))


def journal_with_another_instruction() -> Told:
    def edit(events: list[Event]) -> None:
        events[1] = AgentStart(seq=1, adapter="oracle", instruction=sha256(b"the answer is 2"))

    return with_events(edit)


def journal_of_another_adapter() -> Told:
    def edit(events: list[Event]) -> None:
        assert isinstance(events[1], AgentStart)
        events[1] = change(events[1], adapter="command")

    return with_events(edit)


def agent_that_ended_twice() -> Told:
    return with_events(lambda events: events.__setitem__(2, AgentEnd(seq=2, exit=0, signal=9)))


def agent_that_never_ended() -> Told:
    return with_events(lambda events: events.__setitem__(2, AgentEnd(seq=2)))


def refused_names_without_names() -> Told:
    def edit(events: list[Event]) -> None:
        assert isinstance(events[3], WorkspaceSealed)
        events[3] = change(events[3], refused_total=3)

    return with_events(edit)


def failure_called_an_infra_error() -> Told:
    def edit(events: list[Event]) -> None:
        events[-1] = AttemptEnd(seq=5, outcome="infra_error", cause="sandbox_failed")

    return with_events(edit)


def limit_left_out_of_the_claim() -> Told:
    return with_events(lambda events: events.__setitem__(2, AgentEnd(seq=2, limit="wall")))


def other_changes_counted() -> Told:
    def edit(events: list[Event]) -> None:
        assert isinstance(events[3], WorkspaceSealed)
        events[3] = change(events[3], added=0, modified=0)

    return with_events(edit)


def with_spine(edit: Callable[[list[SpineEntry]], None]) -> Told:
    def changed(spine: tuple[SpineEntry, ...]) -> tuple[SpineEntry, ...]:
        edited = list(spine)
        edit(edited)
        return tuple(edited)

    return told(change_spine=changed)


def spine_head_of_other_links() -> Told:
    return told(change_receipt=lambda receipt: change(receipt, spine_head=EMPTY))


def spine_with_another_agent() -> Told:
    run = s.honest_run()
    other = SpineEntry(role="agent", digest=run.blobs.put(s.write(s.COMMAND)))
    run.part("fix_bug").change_spine = lambda spine: (*spine[:3], other, *spine[4:])
    return s.seal(run)


def spine_reordered() -> Told:
    return with_spine(lambda spine: spine.reverse())


def spine_with_a_cassette() -> Told:
    run = s.honest_run()
    entry = SpineEntry(role="cassette", digest=run.blobs.put(s.write(Cassette(rules=EMPTY, calls=()))))
    run.part("fix_bug").change_spine = lambda spine: (*spine[:5], entry, *spine[5:])
    return s.seal(run)


def spine_cut_off() -> Told:
    return with_spine(lambda spine: spine.pop())


def run_id_invented() -> Told:
    return told(change_receipt=lambda receipt: change(receipt, run_id=EMPTY))


def agent_renamed_after_the_run() -> Told:
    return s.resigned(HONEST, agent=change(HONEST.bundle.agent, name="frontier"))


def config_hardened_after_the_run() -> Told:
    loose = s.honest_run()
    loose.config = change(s.CONFIG, network="host")
    return s.resigned(s.seal(loose), config=s.CONFIG)


# Verdicts.


def failing() -> s.Run:
    return s.honest_run(failing=("fix_bug",))


def verdict_flipped() -> Told:
    sealed = s.seal(failing())
    return s.resigned(sealed, task_results=s.with_result(sealed, FIX, passed=True))


def score_flipped() -> Told:
    sealed = s.seal(failing())
    return s.resigned(sealed, task_results=s.with_result(sealed, FIX, score=Decimal("0.5")))


def pass_called_a_failure() -> Told:
    return s.resigned(HONEST, task_results=s.with_result(HONEST, FIX, passed=False, score=0))


def reason_replaced() -> Told:
    sealed = s.seal(failing())
    output = change(sealed.bundle.task_results[FIX].harness_output, failed=("two",))
    return s.resigned(sealed, task_results=s.with_result(sealed, FIX, harness_output=output))


def file_swapped_under_a_portable_assertion() -> Told:
    run = s.honest_run()
    run.part("write_file").final = run.put({"a.txt": "one\n", "b.txt": "three\n"})
    sealed = s.seal(run)
    honest = HONEST.bundle.task_results[WRITE]
    members = {"passed": True, "score": 1, "harness_output": honest.harness_output}
    return s.resigned(sealed, task_results=s.with_result(sealed, WRITE, **members))


def with_grade(edit: Callable[[Any], Any]) -> Told:
    return told(change_grade=edit)


def grade_of_another_workspace() -> Told:
    return with_grade(lambda grade: change(grade, workspace=EMPTY))


def grade_of_another_task() -> Told:
    return with_grade(lambda grade: change(grade, task_hash=EMPTY))


def grade_in_one_process() -> Told:
    return with_grade(lambda grade: change(grade, mode="in_process"))


def grade_of_protected_changes() -> Told:
    """The agent rewrote the protected tests and the grade claims to have used them."""
    run = s.honest_run()
    part = run.part("fix_bug")
    part.final = run.put({"lib.py": "def f():\n    return 2\n", "test_lib.py": "x = 1\n"})
    run.blobs.put(s.write(part.final))
    part.change_grade = lambda grade: change(grade, graded=digest_of(part.final), excluded=())
    return s.seal(run)


def exclusion_invented() -> Told:
    return with_grade(lambda grade: change(grade, excluded=(Excluded(path="x", reason="not_owned"),)))


def assertion_left_out_of_the_grade() -> Told:
    return with_grade(lambda grade: change(grade, results=()))


def one_test_left_out_of_the_grade() -> Told:
    only = (TestOutcome(id="returns_two", outcome="pass"),)
    return with_grade(lambda grade: change(grade, results=(change(grade.results[0], tests=only),)))


def outcome_against_its_tests() -> Told:
    tests = (TestOutcome(id="returns_two", outcome="fail"), TestOutcome(id="is_function", outcome="pass"))
    return with_grade(lambda grade: change(grade, results=(change(grade.results[0], tests=tests),)))


def outcome_against_its_exit() -> Told:
    run = s.honest_run()

    def exit_one(grade: Any) -> Any:
        return change(grade, results=(grade.results[0], change(grade.results[1], exit=1)))

    run.part("shorten").change_grade = exit_one
    return s.seal(run)


def cost_below_zero() -> Told:
    return s.resigned(HONEST, task_results=s.with_result(HONEST, FIX, observed=Observed(wall_ms=1, cost_usd=-5)))


ROWS: list[tuple[Lie, int, Status, Step]] = [
    (task_hash_of_another_task, FIX, Status.HASH_MISMATCH, Step.coverage),
    (receipt_left_out, FIX, Status.MISSING_RECEIPT, Step.blobs),
    (receipt_edited_as_it_stands, FIX, Status.HASH_MISMATCH, Step.blobs),
    (receipt_with_null, FIX, Status.MALFORMED_RECEIPT, Step.blobs),
    (receipt_with_an_unknown_member, FIX, Status.MALFORMED_RECEIPT, Step.blobs),
    (receipt_from_other_task, FIX, Status.DIVERGED, Step.blobs),
    (one_receipt_for_two_attempts, 1, Status.DIVERGED, Step.blobs),
    (graded_try_hidden_behind_a_retry, FIX, Status.MALFORMED_RECEIPT, Step.blobs),
    (try_of_another_task, FIX, Status.DIVERGED, Step.blobs),
    (blob_left_out, FIX, Status.MISSING_RECEIPT, Step.blobs),
    (raw_output_left_out, FIX, Status.MISSING_RECEIPT, Step.blobs),
    (blob_changed_in_place, FIX, Status.HASH_MISMATCH, Step.blobs),
    (journal_head_of_other_events, FIX, Status.HASH_MISMATCH, Step.journals),
    (journal_emptied, FIX, Status.MALFORMED_RECEIPT, Step.journals),
    (journal_cut_off, FIX, Status.MALFORMED_RECEIPT, Step.journals),
    (journal_with_a_gap, FIX, Status.MALFORMED_RECEIPT, Step.journals),
    (journal_without_an_agent, FIX, Status.MALFORMED_RECEIPT, Step.journals),
    (journal_that_begins_with_another_task, FIX, Status.DIVERGED, Step.journals),
    (journal_with_another_instruction, FIX, Status.DIVERGED, Step.journals),
    (journal_of_another_adapter, FIX, Status.DIVERGED, Step.journals),
    (agent_that_ended_twice, FIX, Status.DIVERGED, Step.journals),
    (agent_that_never_ended, FIX, Status.DIVERGED, Step.journals),
    (refused_names_without_names, FIX, Status.DIVERGED, Step.journals),
    (failure_called_an_infra_error, FIX, Status.MALFORMED_RECEIPT, Step.journals),
    (spine_head_of_other_links, FIX, Status.HASH_MISMATCH, Step.spines),
    (spine_with_another_agent, FIX, Status.DIVERGED, Step.spines),
    (spine_reordered, FIX, Status.DIVERGED, Step.spines),
    (spine_with_a_cassette, FIX, Status.DIVERGED, Step.spines),
    (spine_cut_off, FIX, Status.DIVERGED, Step.spines),
    (run_id_invented, FIX, Status.HASH_MISMATCH, Step.spines),
    (verdict_flipped, FIX, Status.FABRICATED_SCORE, Step.verdicts),
    (score_flipped, FIX, Status.FABRICATED_SCORE, Step.verdicts),
    (pass_called_a_failure, FIX, Status.FABRICATED_SCORE, Step.verdicts),
    (reason_replaced, FIX, Status.DIVERGED, Step.verdicts),
    (limit_left_out_of_the_claim, FIX, Status.FABRICATED_SCORE, Step.verdicts),
    (file_swapped_under_a_portable_assertion, WRITE, Status.FABRICATED_SCORE, Step.verdicts),
    (other_changes_counted, FIX, Status.DIVERGED, Step.verdicts),
    (grade_of_another_workspace, FIX, Status.DIVERGED, Step.verdicts),
    (grade_of_another_task, FIX, Status.DIVERGED, Step.verdicts),
    (grade_in_one_process, FIX, Status.DIVERGED, Step.verdicts),
    (grade_of_protected_changes, FIX, Status.DIVERGED, Step.verdicts),
    (exclusion_invented, FIX, Status.DIVERGED, Step.verdicts),
    (assertion_left_out_of_the_grade, FIX, Status.DIVERGED, Step.verdicts),
    (one_test_left_out_of_the_grade, FIX, Status.DIVERGED, Step.verdicts),
    (outcome_against_its_tests, FIX, Status.DIVERGED, Step.verdicts),
    (outcome_against_its_exit, SHORTEN, Status.DIVERGED, Step.verdicts),
    (cost_below_zero, FIX, Status.FABRICATED_SCORE, Step.scores),
]
"""Lies about one attempt: its place, its status and its step. Every other row still matches."""

EVERYWHERE: list[tuple[Lie, Status, Step]] = [
    (task_of_eased_limits, Status.HASH_MISMATCH, Step.coverage),
    (agent_renamed_after_the_run, Status.DIVERGED, Step.spines),
    (config_hardened_after_the_run, Status.DIVERGED, Step.spines),
]
"""Lies that every receipt contradicts."""


def name_of(value: object) -> str | None:
    return value.__name__ if callable(value) and not isinstance(value, type) else None


@pytest.mark.parametrize(("lie", "place", "status", "step"), ROWS, ids=name_of)
def test_a_lie_about_one_attempt_is_named_at_its_row(lie: Lie, place: int, status: Status, step: Step) -> None:
    report = found(lie())
    assert report.status is Status.DIVERGED
    row = report.rows[place]
    assert (row.status, row.step) == (status, step)
    assert row.reason
    assert {other.status for other in report.rows if other is not row} == {Status.MATCH}
    assert any(row.task_id in reason for reason in report.reasons)


@pytest.mark.parametrize(("lie", "status", "step"), EVERYWHERE, ids=name_of)
def test_a_lie_about_the_run_is_named_at_every_row(lie: Lie, status: Status, step: Step) -> None:
    report = found(lie())
    assert report.status is Status.DIVERGED
    assert {(row.status, row.step) for row in report.rows} == {(status, step)}


def test_two_lies_are_both_named() -> None:
    sealed = s.seal(s.honest_run(failing=("fix_bug", "shorten")))
    results = list(sealed.bundle.task_results)
    for place in (FIX, SHORTEN):
        results[place] = change(results[place], passed=True)
    report = found(s.resigned(sealed, task_results=tuple(results)))
    assert [row.status for row in report.rows] == [Status.MATCH, Status.FABRICATED_SCORE, Status.FABRICATED_SCORE]


def test_an_invented_grade_passes_where_nothing_is_run() -> None:
    """What a level below `regraded` cannot see: a grade that says what the tests never said."""
    run = s.honest_run(failing=("shorten",))
    part = run.part("shorten")
    part.final = run.put({"m.py": "boom\n"})
    part.results = s.honest_results(part.task)
    report = found(s.seal(run))
    assert (report.status, report.level) == (Status.MATCH, "rederived")
    assert any(isinstance(check, SyntaxValid) for check in part.task.assertions)
    assert isinstance(HONEST.bundle.task_results[0].receipt, Receipt)
