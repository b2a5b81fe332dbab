"""The validator's self-test: every case comes out, hidden evaluators included, and nothing runs but the validator."""

from __future__ import annotations

import subprocess
import sys

from tallystick.suites.cohorts.self_test import self_test
from tallystick.suites.cohorts.self_test_reveals import reveal_outcomes
from tests.repo.project import ROOT

WATCHED = """
import sys
from tallystick.suites.cohorts.self_test import self_test

def cases():
    return [(each.shows, each.ok) for each in self_test()]

def watch(event, arguments):
    if event.partition(".")[0] in {"open", "os", "subprocess", "socket", "exec", "compile", "import", "ctypes"}:
        done.append(event)

done, first = [], cases()  # what is imported late is imported now
sys.addaudithook(watch)
again = cases()
assert done == [], done
assert again == first
"""


def test_the_self_test_comes_out() -> None:
    outcomes = list(self_test())
    assert [each.shows for each in outcomes if not each.ok] == []
    assert len({each.shows for each in outcomes}) == len(outcomes) > 80


def test_hidden_evaluators_have_their_cases() -> None:
    cases = {each.shows for each in reveal_outcomes()}
    assert len(cases) > 10
    assert cases <= {each.shows for each in self_test()}


def test_it_opens_no_file_and_starts_nothing() -> None:
    line = [sys.executable, "-c", WATCHED]
    subprocess.run(line, cwd=ROOT, env={"PYTHONPATH": str(ROOT / "src")}, check=True)
