"""Bundles are made of evidence alone, cover exactly what was declared, and name their submitter before they are hashed."""

from dataclasses import replace

import msgspec
import pytest

from tallystick.attest.bundle import IncompleteRunError, blobs_of, build, sign
from tallystick.records.base import UNSET, digest_of
from tallystick.records.blobs import MemoryBlobs, MissingBlobError
from tallystick.records.bundle import Observed, bundle_hash
from tallystick.records.journal import AttemptEnd
from tallystick.scoring.verdict import EvidenceError
from tallystick.trust import jws
from tests.support import synthetic as s


def test_a_bundle_has_one_result_per_task_and_attempt_in_order() -> None:
    bundle = build(s.inputs_of(s.honest_run(2)))
    found = [(result.task_id, result.attempt.index) for result in bundle.task_results]
    assert found == [(task.id, index) for task in s.SUITE.tasks for index in (1, 2)]
    assert bundle.bundle_hash == bundle_hash(bundle)
    assert bundle.signature is bundle.submitter is bundle.partial is UNSET


def test_the_same_evidence_makes_the_same_bundle() -> None:
    assert build(s.inputs_of(s.honest_run())) == build(s.inputs_of(s.honest_run()))


def test_signing_names_the_submitter_under_the_hash() -> None:
    bundle = build(s.inputs_of(s.honest_run()))
    signed = sign(bundle, s.signer())
    kid = s.signer().public.kid
    assert signed.submitter is not UNSET
    assert signed.submitter.kid == signed.signer_fingerprint == kid
    assert signed.bundle_hash == bundle_hash(signed) != bundle.bundle_hash
    assert signed.signature is not UNSET
    jws.verify(signed.signature, signed.bundle_hash.encode(), jws.BUNDLE_TYP, s.signer().public)


def test_signing_again_by_another_is_another_bundle() -> None:
    bundle = build(s.inputs_of(s.honest_run()))
    assert sign(bundle, s.signer()).bundle_hash != sign(bundle, s.signer("other")).bundle_hash


@pytest.mark.parametrize("drop", [0, 2])
def test_an_attempt_left_out_is_no_bundle(drop: int) -> None:
    run = s.honest_run()
    del run.parts[drop]
    with pytest.raises(IncompleteRunError, match="needs 3 attempts"):
        build(s.inputs_of(run))


def test_attempts_out_of_order_are_no_bundle() -> None:
    run = s.honest_run()
    run.parts.reverse()
    with pytest.raises(IncompleteRunError):
        build(s.inputs_of(run))


def test_a_negative_cost_is_not_signed() -> None:
    run = s.honest_run()
    run.part("shorten").observed = Observed(wall_ms=1, cost_usd=-1)
    with pytest.raises(IncompleteRunError, match="shorten attempt 1"):
        build(s.inputs_of(run))


def test_a_grade_of_another_workspace_is_not_signed() -> None:
    run = s.honest_run()
    run.part("fix_bug").change_grade = lambda grade: msgspec.structs.replace(grade, graded=grade.task_hash)
    with pytest.raises(IncompleteRunError, match="fix_bug attempt 1"):
        build(s.inputs_of(run, changed=True))


def test_a_grade_that_contradicts_itself_is_not_signed() -> None:
    run = s.honest_run()
    run.part("fix_bug").results = ()
    with pytest.raises(EvidenceError):
        build(s.inputs_of(run))


def test_a_partial_run_names_its_tasks() -> None:
    run = s.honest_run()
    run.parts, run.tasks = run.parts[:2], ("write_file", "shorten")
    bundle = build(s.inputs_of(run))
    assert bundle.partial == ("write_file", "shorten")
    assert (bundle.totals.tasks, bundle.totals.attempts) == (2, 2)


def test_a_bundle_holds_what_its_receipts_name_and_nothing_else() -> None:
    run = s.honest_run()
    output = run.blobs.put(b"raw")
    run.blobs.put(b"of another run")
    run.part("shorten").observed = Observed(wall_ms=1, outputs=(("stdout", output),))
    inputs = s.inputs_of(run)
    held = blobs_of(inputs)
    expected = {output, digest_of(run.agent), digest_of(run.config)}
    for one in inputs.evidence:
        assert one.grade is not None
        expected |= {digest_of(one.grade), one.grade.graded, one.grade.workspace}
    for part in run.parts:
        expected |= {record.digest for record in part.final.records if record.digest is not UNSET}
    assert held == expected
    run.withheld = frozenset({output})
    assert blobs_of(s.inputs_of(run)) == expected - {output}


def test_an_attempt_without_a_workspace_names_two_documents() -> None:
    run = s.honest_run()
    for part in run.parts:
        part.ending = AttemptEnd(seq=0, outcome="refused", cause="budget_exceeded")
    assert blobs_of(s.inputs_of(run)) == {digest_of(run.agent), digest_of(run.config)}


def test_a_workspace_that_was_lost_is_named() -> None:
    run = s.honest_run()
    inputs = replace(s.inputs_of(run), blobs=MemoryBlobs())
    with pytest.raises(MissingBlobError):
        build(inputs)
