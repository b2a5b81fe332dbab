"""Honest bundles: what a verifier finds, how far it comes, and what it says of itself."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.records.base import UNSET, digest_of
from tallystick.records.bundle import Observed
from tallystick.records.evidence import Receipt
from tallystick.records.journal import AttemptBegin, AttemptEnd, WorkspaceSealed
from tallystick.records.report import STEPS, Level, Report, Status, Step
from tallystick.scoring.verdict import event_of
from tallystick.trust.policy import SignerPolicy
from tallystick.verify.bundle import CLAIM_STEPS, CLOSING_STEPS, verify
from tallystick.verify.ports import VerifyOptions
from tests.support import synthetic as s

CONTAINERS = ("json", "tally")


def check(sealed: s.Sealed, container: str = "json", **options: object) -> Report:
    return verify(s.opened(sealed, container), sealed.suite, VerifyOptions(**options))  # type: ignore[arg-type]


def state(report: Report, step: Step) -> str:
    return report.steps[step - 1].state


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("attempts", [1, 3])
def test_an_honest_bundle_matches_at_rederived(container: str, attempts: int) -> None:
    report = check(s.seal(s.honest_run(attempts)), container)
    assert report.status is Status.MATCH
    assert report.level == "rederived"
    assert (report.passed, report.attempts, report.pass_rate) == (3 * attempts, 3 * attempts, 1)
    assert report.reasons == ()
    assert {row.status for row in report.rows} == {Status.MATCH}
    assert all(row.equals_reference for row in report.rows)


def test_both_containers_make_one_report() -> None:
    sealed = s.seal(s.honest_run(2, failing=("fix_bug",)))
    assert check(sealed, "json") == check(sealed, "tally")


def test_failing_tasks_are_verified_as_failing() -> None:
    report = check(s.seal(s.honest_run(failing=("fix_bug",))))
    assert report.status is Status.MATCH
    assert [row.passed for row in report.rows] == [True, True, False]
    assert [row.equals_reference for row in report.rows] == [True, True, False]
    assert str(report.pass_rate) == "0.666667"


def test_every_step_has_its_number_title_and_state() -> None:
    report = check(s.seal(s.honest_run()))
    assert [(step.step, step.title) for step in report.steps] == [(int(step), STEPS[step]) for step in Step]
    done = {step.step for step in report.steps if step.state == "ok"}
    assert done == set(range(1, 15)) | {18}
    assert state(report, Step.announcement) == state(report, Step.replay) == "not_applicable"
    assert state(report, Step.regrade) == "skipped"


def test_the_lists_of_steps_are_in_order() -> None:
    for steps in (CLAIM_STEPS, CLOSING_STEPS):
        numbers = [int(step) for step, _ in steps]
        assert numbers == sorted(numbers)


def test_an_unsigned_bundle_is_unsigned_and_its_rows_are_derived() -> None:
    report = check(s.seal(s.honest_run(), signed=False))
    assert report.status is Status.UNSIGNED
    assert report.level == "claimed"
    assert {row.level for row in report.rows} == {"rederived"}


def test_the_signer_is_judged_by_the_readers_policy() -> None:
    sealed = s.seal(s.honest_run())
    kid = s.signer().public.kid
    assert check(sealed).signer == "unknown"
    assert check(sealed, policy=SignerPolicy(trusted=frozenset({kid}))).signer == "trusted"
    assert check(sealed, policy=SignerPolicy(own=frozenset({kid}))).signer == "self"


def test_an_unknown_signer_fails_only_where_a_trusted_one_is_required() -> None:
    sealed = s.seal(s.honest_run())
    refused = check(sealed, require_trusted_signer=True)
    assert refused.status is Status.UNTRUSTED_SIGNER
    assert state(refused, Step.signature) == "failed"
    policy = SignerPolicy(trusted=frozenset({s.signer().public.kid}))
    assert check(sealed, require_trusted_signer=True, policy=policy).status is Status.MATCH


def test_a_run_without_a_sandbox_says_so_in_every_report() -> None:
    run = s.honest_run()
    run.config = msgspec.structs.replace(s.CONFIG, sandbox="none")
    report = check(s.seal(run))
    assert report.status is Status.MATCH
    assert "without a sandbox" in report.steps[Step.report - 1].note


def test_a_reader_may_stop_at_intact() -> None:
    report = check(s.seal(s.honest_run()), level=Level.intact)
    assert (report.status, report.level) == (Status.MATCH, "intact")
    assert report.pass_rate is UNSET
    assert state(report, Step.verdicts) == state(report, Step.scores) == "skipped"


@pytest.mark.parametrize(
    ("outcome", "cause"),
    [
        ("infra_error", "sandbox_failed"),
        ("infra_error", "grader_failed"),
        ("refused", "budget_exceeded"),
        ("interrupted", "interrupted"),
    ],
)
def test_an_attempt_without_a_grade_is_verified_and_counts_as_not_passed(outcome: str, cause: str) -> None:
    run = s.honest_run(2)
    run.part("shorten", 2).ending = AttemptEnd(seq=0, outcome=outcome, cause=cause)  # type: ignore[arg-type]
    sealed = s.seal(run)
    report = check(sealed)
    assert report.status is Status.MATCH
    assert (report.passed, report.attempts) == (5, 6)
    totals = sealed.bundle.totals
    assert (totals.passed, totals.failed, totals.infra_errors + totals.refused) == (5, 0, 1)


def test_an_agent_that_a_limit_ended_has_not_passed() -> None:
    run = s.honest_run()
    run.part("write_file").agent_end = s.AgentEnd(seq=0, limit="wall")
    report = check(s.seal(run))
    assert report.status is Status.MATCH
    assert [row.passed for row in report.rows] == [False, True, True]


def test_a_partial_run_is_verified_and_is_no_score() -> None:
    run = s.honest_run()
    run.parts, run.tasks = [run.part("shorten")], ("shorten",)
    report = check(s.seal(run))
    assert report.status is Status.PARTIAL
    assert [row.status for row in report.rows] == [Status.MATCH]
    assert [row.level for row in report.rows] == ["rederived"]


def earlier_try(run: s.Run, task_id: str) -> Receipt:
    part = run.part(task_id)
    ending, part.ending = part.ending, AttemptEnd(seq=0, outcome="interrupted", cause="interrupted")
    receipt = s.evidence_of(run, part).receipt
    part.ending = ending
    return receipt


@pytest.mark.parametrize("container", CONTAINERS)
def test_receipts_of_earlier_tries_are_checked_and_kept(container: str) -> None:
    run = s.honest_run()
    earlier = earlier_try(run, "fix_bug")
    run.part("fix_bug").tries = (earlier, earlier)
    assert check(s.seal(run), container).status is Status.MATCH


def test_withheld_raw_output_costs_no_level() -> None:
    run = s.honest_run()
    digest = run.blobs.put(b"42 tests ran in 0.1 s")
    run.part("shorten").observed = Observed(wall_ms=1, cost_usd=0, outputs=(("stdout", digest),))
    assert check(s.seal(run)).status is Status.MATCH
    run.withheld = frozenset({digest})
    report = check(s.seal(run))
    assert (report.status, report.level) == (Status.MATCH, "rederived")


@pytest.mark.parametrize("what", ["tree", "grade", "file"])
def test_withheld_evidence_caps_its_task_at_intact(what: str) -> None:
    run = s.honest_run()
    evidence = s.evidence_of(run, run.part("fix_bug"))
    seal, grade = event_of(evidence.receipt, WorkspaceSealed), evidence.grade
    assert seal is not None
    assert grade is not None
    tree = run.part("fix_bug").final
    file = tree.by_path()["lib.py"].digest
    assert file is not UNSET
    run.withheld = frozenset({{"tree": seal.tree, "grade": digest_of(grade), "file": file}[what]})
    sealed = s.seal(run)
    held = sealed.digests
    if what == "tree":  # without the tree nobody knows which files are its
        held -= {record.digest for record in tree.records if record.digest is not UNSET}
    report = verify(s.opened(s.Sealed(sealed.bundle, held, sealed.blobs)), MaskedSuite(run.withheld), VerifyOptions())
    assert (report.status, report.level) == (Status.WITHHELD, "intact")
    assert [row.level for row in report.rows] == ["rederived", "rederived", "intact"]
    assert report.pass_rate is UNSET


class MaskedSuite(s.MemorySuite):
    """A suite whose reference solution a reader does not have."""

    def __init__(self, hidden: frozenset[s.Digest]) -> None:
        blobs = s.MemoryBlobs()
        for tree in s.SUITE.document.trees:
            for record in tree.records:
                if record.digest is not UNSET and record.digest not in hidden:
                    blobs.put(s.SUITE.blobs.read(record.digest))
        super().__init__(s.SUITE.document, blobs)


@given(st.sampled_from(["write_file", "shorten", "fix_bug"]), st.integers(0, 10**9), st.integers(0, 30))
def test_telemetry_changes_the_score_and_never_the_verdicts(task: str, wall_ms: int, orphans: int) -> None:
    run = s.honest_run()
    run.part(task).observed = Observed(wall_ms=wall_ms, orphans=orphans)
    report = check(s.seal(run))
    assert report.status is Status.MATCH
    assert report.passed == 3


def test_a_begin_alone_is_what_a_kill_leaves() -> None:
    run = s.honest_run()
    earlier = earlier_try(run, "fix_bug")
    assert [type(event) for event in earlier.events] == [AttemptBegin, AttemptEnd]
    assert msgspec.structs.asdict(earlier)["task_id"] == "fix_bug"
