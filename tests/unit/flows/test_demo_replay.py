"""The recording that came with tally is one that this tally can run again."""

from __future__ import annotations

from pathlib import Path

from tallystick.flows.demo_replay import RECORDING, Machine, replay_one
from tallystick.flows.known import known_prices, known_rules
from tallystick.flows.verify import VerifyRequest, verify_path
from tallystick.records.base import UNSET, digest_of
from tallystick.records.containers import open_bundle
from tallystick.records.report import Status, Step
from tallystick.runner.presets import load_preset


def test_it_follows_from_its_evidence_by_the_rules_of_this_version() -> None:
    report = verify_path(VerifyRequest(RECORDING, execute=False))
    assert (report.status, report.level, report.passed) == (Status.MATCH, "rederived", report.attempts)
    assert report.steps[Step.journals - 1].note == "", "after a change of rules: scripts/demo_recording.py"


def test_its_agent_rules_and_prices_are_known_here() -> None:
    with RECORDING.open("rb") as stream:
        bundle = open_bundle(stream).bundle
    assert bundle.agent.rules == digest_of(load_preset(bundle.agent.adapter).rules)
    assert bundle.agent.rules in known_rules()
    assert bundle.config.prices is not UNSET
    assert bundle.config.prices in known_prices()
    assert str(bundle.agent.model).startswith("scripted"), "no real model's name may stand in it"


def test_where_the_agent_is_not_installed_it_says_so(tmp_path: Path) -> None:
    said = list(replay_one(Machine("/nonexistent", tmp_path)))
    assert said[0] == "recorded: mini-swe-agent 2.4.6 asking scripted-1, which is a script and no model of anybody"
    assert said[1].startswith("not shown here: mini-swe-agent is not installed")
