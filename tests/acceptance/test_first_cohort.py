"""The cohort that this repository holds: valid in every strict way on any clone, and its bundles verify."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.acceptance.support import environment, needs_bwrap, tally
from tests.repo.project import ROOT

COHORT = "cohorts/first-five"


def test_it_is_valid_with_evidence_and_history(tmp_path: Path) -> None:
    words = ("cohort", "validate", COHORT, "--require-evidence", "--history", "--json")
    done = tally(words, cwd=ROOT, env=environment(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert (found["stage"], found["task_count"], found["verified_tasks"]) == ("frozen", 5, 5)


def test_its_report_says_that_its_agents_are_self_tests(tmp_path: Path) -> None:
    done = tally(("cohort", "report", COHORT, "--json"), cwd=ROOT, env=environment(tmp_path))
    notes = " ".join(json.loads(done.stdout)["notes"])
    assert "reference-solution-v1: 10 of 10 attempts are of a self-test (oracle:oracle)" in notes
    assert "mutation-repair-v1: 10 of 10 attempts are of a self-test (ladder:ladder-mutation-repair)" in notes


@needs_bwrap
@pytest.mark.parametrize(("signature", "passed"), [("reference-solution-v1", 10), ("mutation-repair-v1", 0)])
def test_its_bundles_verify(tmp_path: Path, signature: str, passed: int) -> None:
    words = ("verify", f"{COHORT}/bundles/{signature}.json", "--suite", f"{COHORT}.private/suite")
    done = tally(words, cwd=ROOT, env=environment(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"MATCH, level regraded: passed {passed}/10" in done.stdout
