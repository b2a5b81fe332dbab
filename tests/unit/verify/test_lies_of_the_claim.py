"""Lies of the claim as a whole, hashed and signed unless the name says otherwise: the step that failed first."""

from collections.abc import Callable
from decimal import Decimal

import msgspec
import pytest

from tallystick.core.digest import EMPTY, Digest, sha256
from tallystick.records.base import UNSET
from tallystick.records.bundle import Jwk, Observed, SchedulerConfig, Submitter
from tallystick.records.containers import BundleFile
from tallystick.records.evidence import Agent, Attempt
from tallystick.records.report import Report, Status, Step
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


# The claim as a whole.


def edited_without_a_new_hash() -> Told:
    return s.edited(HONEST, submitted_at=1)


def edited_and_hashed_but_not_signed_again() -> Told:
    return s.rehashed(HONEST, submitted_at=1)


def signed_by_another_who_keeps_the_submitter() -> Told:
    other = s.sign(HONEST.bundle, s.signer("thief"))
    stolen = {"signature": other.signature, "signer_fingerprint": other.signer_fingerprint, "signer_jwk": other.signer_jwk}
    return s.edited(HONEST, **stolen)


def fingerprint_of_another_key() -> Told:
    return s.edited(HONEST, signer_fingerprint=s.signer("thief").public.kid)


def signature_left_out_but_key_kept() -> Told:
    return s.edited(HONEST, signature=UNSET)


def submitter_left_out() -> Told:
    return s.rehashed(HONEST, submitter=UNSET)


def submitter_renamed() -> Told:
    return s.rehashed(HONEST, submitter=Submitter(kid=s.signer("thief").public.kid))


def key_of_small_order() -> Told:
    return s.edited(HONEST, signer_jwk=Jwk(crv="Ed25519", kty="OKP", x="AQ" + "A" * 41))


def suite_of_another_content() -> Told:
    return s.resigned(HONEST, suite_hash=sha256(b"another suite"))


def suite_renamed() -> Told:
    return s.resigned(HONEST, suite_version="tiny-v2")


def task_dropped() -> Told:
    return s.resigned(HONEST, task_results=HONEST.bundle.task_results[:-1])


def all_tasks_dropped() -> Told:
    return s.resigned(HONEST, task_results=())


def task_doubled() -> Told:
    results = HONEST.bundle.task_results
    return s.resigned(HONEST, task_results=(results[0], *results))


def tasks_reordered() -> Told:
    return s.resigned(HONEST, task_results=HONEST.bundle.task_results[::-1])


def more_attempts_declared_than_made() -> Told:
    return s.resigned(HONEST, scheduler_config=SchedulerConfig(attempts=10_000, order="suite"))


def fewer_attempts_declared_than_made() -> Told:
    return s.resigned(s.seal(s.honest_run(2)), scheduler_config=SchedulerConfig(attempts=1, order="suite"))


def attempts_renumbered() -> Told:
    two = s.seal(s.honest_run(2))
    return s.resigned(two, task_results=s.with_result(two, 1, attempt=Attempt(index=1, of=2)))


def whole_suite_called_partial() -> Told:
    return s.resigned(HONEST, partial=("write_file", "shorten", "fix_bug"))


def self_test_called_an_agent() -> Told:
    run = s.honest_run(agent=Agent(adapter="oracle", name="frontier", self_test=False))
    return s.seal(run)


def blob_nobody_names() -> Told:
    run = s.honest_run()
    digest = run.blobs.put(b"an answer for later")
    sealed = s.seal(run)
    return s.Sealed(sealed.bundle, sealed.digests | {digest}, sealed.blobs)


def blob_withheld_and_present() -> Told:
    return s.resigned(HONEST, withheld=(min(HONEST.digests),))


def blob_withheld_that_nobody_names() -> Told:
    return s.resigned(HONEST, withheld=(sha256(b"nothing"),))


# Blobs and numbers over all.


FAILING = s.seal(s.honest_run(failing=("fix_bug",)))


def pass_rate_inflated() -> Told:
    return s.resigned(FAILING, pass_rate=1)


def overall_score_inflated() -> Told:
    return s.resigned(HONEST, overall_score=Decimal("0.95"))


def totals_without_the_failure() -> Told:
    return s.resigned(FAILING, totals=change(FAILING.bundle.totals, failed=0, attempts=2))


def wall_time_shortened() -> Told:
    return s.resigned(HONEST, totals=change(HONEST.bundle.totals, wall_ms=1))


def cost_left_out() -> Told:
    return s.resigned(HONEST, totals=change(HONEST.bundle.totals, cost_usd=UNSET))


def interval_narrowed() -> Told:
    return s.resigned(HONEST, interval=change(HONEST.bundle.interval, low=1))


def quality_judged_by_nobody() -> Told:
    return s.resigned(HONEST, components=change(HONEST.bundle.components, code_quality=1, judged=3))


def costs_beyond_writing() -> Told:
    sealed, cost = HONEST, Decimal("99999999999999.5")
    for place in range(3):
        observed = Observed(wall_ms=1500, cost_usd=cost if place < 2 else Decimal("0.000001"))
        sealed = s.resigned(sealed, task_results=s.with_result(sealed, place, observed=observed))
    return sealed


def coordination_called_different() -> Told:
    return s.resigned(HONEST, coordination=change(HONEST.bundle.coordination, identical=False))


def coordination_root_invented() -> Told:
    first, *others = HONEST.bundle.coordination.tasks
    return s.resigned(HONEST, coordination=change(HONEST.bundle.coordination, tasks=(change(first, root=EMPTY), *others)))


CLAIM: list[tuple[Lie, Status, Step]] = [
    (edited_without_a_new_hash, Status.HASH_MISMATCH, Step.bundle_hash),
    (edited_and_hashed_but_not_signed_again, Status.BAD_SIGNATURE, Step.signature),
    (signed_by_another_who_keeps_the_submitter, Status.BAD_SIGNATURE, Step.signature),
    (fingerprint_of_another_key, Status.BAD_SIGNATURE, Step.signature),
    (signature_left_out_but_key_kept, Status.BAD_SIGNATURE, Step.signature),
    (submitter_left_out, Status.BAD_SIGNATURE, Step.signature),
    (submitter_renamed, Status.BAD_SIGNATURE, Step.signature),
    (key_of_small_order, Status.BAD_SIGNATURE, Step.key),
    (suite_of_another_content, Status.HASH_MISMATCH, Step.suite),
    (suite_renamed, Status.COVERAGE_MISMATCH, Step.coverage),
    (task_dropped, Status.COVERAGE_MISMATCH, Step.coverage),
    (all_tasks_dropped, Status.COVERAGE_MISMATCH, Step.coverage),
    (task_doubled, Status.COVERAGE_MISMATCH, Step.coverage),
    (tasks_reordered, Status.COVERAGE_MISMATCH, Step.coverage),
    (more_attempts_declared_than_made, Status.COVERAGE_MISMATCH, Step.coverage),
    (fewer_attempts_declared_than_made, Status.COVERAGE_MISMATCH, Step.coverage),
    (attempts_renumbered, Status.COVERAGE_MISMATCH, Step.coverage),
    (whole_suite_called_partial, Status.COVERAGE_MISMATCH, Step.coverage),
    (blob_nobody_names, Status.HASH_MISMATCH, Step.blobs),
    (blob_withheld_and_present, Status.HASH_MISMATCH, Step.blobs),
    (blob_withheld_that_nobody_names, Status.HASH_MISMATCH, Step.blobs),
    (self_test_called_an_agent, Status.DIVERGED, Step.spines),
    (pass_rate_inflated, Status.FABRICATED_SCORE, Step.scores),
    (overall_score_inflated, Status.FABRICATED_SCORE, Step.scores),
    (totals_without_the_failure, Status.FABRICATED_SCORE, Step.scores),
    (wall_time_shortened, Status.FABRICATED_SCORE, Step.scores),
    (cost_left_out, Status.FABRICATED_SCORE, Step.scores),
    (interval_narrowed, Status.FABRICATED_SCORE, Step.scores),
    (quality_judged_by_nobody, Status.FABRICATED_SCORE, Step.scores),
    (costs_beyond_writing, Status.FABRICATED_SCORE, Step.scores),
    (coordination_called_different, Status.DIVERGED, Step.coordination),
    (coordination_root_invented, Status.DIVERGED, Step.coordination),
]
"""Lies of the claim as a whole: the status of the report, and the step that failed first."""


def name_of(value: object) -> str | None:
    return value.__name__ if callable(value) and not isinstance(value, type) else None


@pytest.mark.parametrize(("lie", "status", "step"), CLAIM, ids=name_of)
def test_a_lie_about_the_whole_is_named_with_its_step(lie: Lie, status: Status, step: Step) -> None:
    report = found(lie())
    assert report.status is status
    assert next(one.step for one in report.steps if one.state == "failed") == step
    assert report.level in {"claimed", "intact"}
    assert report.reasons


def test_a_blob_that_nothing_names_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    run = s.honest_run()
    unnamed = run.blobs.put(b"it would inflate to gigabytes")
    sealed = s.seal(run)
    file = s.opened(s.Sealed(sealed.bundle, sealed.digests | {unnamed}, sealed.blobs))
    read, asked = file.read, list[str]()

    def noting(digest: Digest) -> bytes:
        asked.append(digest)
        return read(digest)

    monkeypatch.setattr(file, "read", noting)
    report = verify(file, s.SUITE, VerifyOptions())
    assert any("no receipt names it" in reason for reason in report.reasons)
    assert unnamed not in asked
    assert set(file.sizes) - {unnamed} <= set(asked)
