"""The sample of the Python interface runs as it is written in the documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from tallystick import BenchRunner, BenchVerifier, MockReplayAdapter, Signer, SubmissionBundle, build_golden_suite_v1
from tallystick.core.errors import InputError
from tallystick.flows.api import StochasticMockReplayAdapter
from tallystick.records.report import Status
from tallystick.trust.policy import SignerPolicy


@pytest.fixture(scope="module")
def bundle() -> SubmissionBundle:
    runner = BenchRunner(suite=build_golden_suite_v1(), adapter=MockReplayAdapter(), scheduler_config={})
    return runner.run()


def test_an_unsigned_bundle_verifies_as_unsigned(bundle: SubmissionBundle) -> None:
    suite = build_golden_suite_v1()
    result = BenchVerifier(suite=suite, adapter=MockReplayAdapter()).verify(bundle)
    assert result.status is Status.UNSIGNED
    assert "overall: UNSIGNED" in result.report()


def test_a_signed_bundle_matches(bundle: SubmissionBundle) -> None:
    signer = Signer.generate()
    result = BenchVerifier(suite=build_golden_suite_v1()).verify(bundle.sign(signer))
    assert result.status is Status.MATCH
    assert "overall: MATCH" in result.report()
    assert bundle.sign(signer).bundle_hash() != bundle.bundle_hash(), "the submitter belongs to the claim"


def test_the_members_of_the_sample(bundle: SubmissionBundle) -> None:
    suite = build_golden_suite_v1()
    assert (bundle.suite_hash, bundle.suite_version) == (suite.suite_hash, "golden-v1")
    assert bundle.pass_rate == 1
    assert len(bundle.task_results) == 5
    assert bundle.submitted_at > 0
    assert 0 < bundle.overall_score <= 1
    assert SubmissionBundle(bundle.to_bytes()).bundle_hash() == bundle.bundle_hash()


def test_a_bundle_is_written_and_read_again(bundle: SubmissionBundle, tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    bundle.write(path)
    assert path.read_bytes() == bundle.to_bytes()


def test_a_flipped_byte_is_not_a_match(bundle: SubmissionBundle) -> None:
    data = bytearray(bundle.sign(Signer.generate()).to_bytes())
    place = data.index(b'"pass_rate":1')
    data[place + len('"pass_rate":')] = ord("0")
    assert BenchVerifier(suite=build_golden_suite_v1()).verify(SubmissionBundle(bytes(data))).status is not Status.MATCH


def test_an_unknown_signer_can_be_refused(bundle: SubmissionBundle) -> None:
    signer = Signer.generate()
    policy = SignerPolicy(trusted=frozenset({signer.public.kid}))
    assert BenchVerifier(suite=build_golden_suite_v1(), policy=policy).verify(bundle.sign(signer)).found.signer == "trusted"


def test_settings() -> None:
    suite = build_golden_suite_v1()
    many = BenchRunner(
        suite=suite, adapter=StochasticMockReplayAdapter(4), scheduler_config={"attempts": 3, "workers": 1}
    ).run()
    assert len(many.task_results) == 15
    assert 0 < many.pass_rate < 1
    with pytest.raises(InputError, match="unknown speed"):
        BenchRunner(suite=suite, adapter=MockReplayAdapter(), scheduler_config={"speed": 9})
    with pytest.raises(InputError, match="bwrap or none"):
        BenchRunner(suite=suite, adapter=MockReplayAdapter(), scheduler_config={"sandbox": "docker"})
    with pytest.raises(InputError, match="-k"):
        BenchRunner(suite=suite, adapter=MockReplayAdapter(), scheduler_config={"attempts": 0}).run()


def test_bytes_that_are_no_bundle() -> None:
    for data in (b"", b"{}", b"[" * 1000):
        with pytest.raises(InputError):
            SubmissionBundle(data).bundle_hash()
