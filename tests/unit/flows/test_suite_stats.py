"""Item statistics from bundle files: verified first, each attempt once, agents told from self-tests."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tallystick.cli.screen import Style
from tallystick.cli.suite_stats import _tree, stats_lines
from tallystick.core import c1
from tallystick.core.errors import InputError
from tallystick.flows.compare.likeness import UnlikeRunsError
from tallystick.flows.suite_stats import StatsRequest, SuiteStats, suite_stats
from tallystick.flows.verified import NotVerifiedError, Terms
from tests.support.many import bundle, reader, run_of, write
from tests.support.synthetic import ORACLE, Sealed, resigned, seal

TASKS = 3
SOLVED, SOME, NEVER = "1" * 10, "1010101010", "0" * 10


def measured(folder: Path, bundles: dict[str, Sealed], *, self_tests: bool = False) -> SuiteStats:
    return suite_stats(StatsRequest(write(folder, bundles), Terms(suite=reader(TASKS)), self_tests=self_tests))


def three(folder: Path) -> SuiteStats:
    words = {"a": [SOLVED, SOME, NEVER], "b": [SOLVED, SOLVED, NEVER], "c": [SOLVED, NEVER, NEVER]}
    return measured(folder, {name: bundle(each, name) for name, each in words.items()})


def test_each_task_is_measured(tmp_path: Path) -> None:
    found = three(tmp_path)
    assert (found.bundles, found.agents, found.attempts) == (3, 3, 90)
    assert [item.advice for item in found.items.values()] == ["retire: solved", "keep", "retire: unsolved"]
    assert found.items["t02"].rate == 0.5


def test_what_is_measured_and_what_is_predicted_is_labelled(tmp_path: Path) -> None:
    found = three(tmp_path)
    text = "\n".join(stats_lines(found, Style()))
    assert "measured on 3 bundles, 3 agents, 90 attempts" in text
    assert "measured: retire: solved" in text
    assert "measured: keep 1, retire 2, too few to say 0" in text
    assert max(map(len, text.splitlines())) <= 80
    tree = json.loads(c1.dumps(_tree(found)))
    assert tree["tasks"][0]["predicted"] == {"tier": "smoke"}
    assert tree["tasks"][0]["measured"]["advice"] == "retire: solved"
    assert "discrimination" not in tree["tasks"][0]["measured"]


def test_few_bundles_say_too_little(tmp_path: Path) -> None:
    found = measured(tmp_path, {"a": bundle([SOLVED, SOME, NEVER])})
    assert {item.advice for item in found.items.values()} == {"too few to say"}
    assert "too few to say which to retire, of 3 tasks" in "\n".join(stats_lines(found, Style()))


def test_bundles_of_one_agent_are_one_person(tmp_path: Path) -> None:
    """Told apart by their conditions, or their receipts would be the same."""
    same = [SOLVED, SOME, NEVER]
    found = measured(tmp_path, {"a": bundle(same), "b": bundle(same, network="host"), "c": bundle(same, hosts=("x.test:1",))})
    assert (found.bundles, found.agents) == (3, 1)


def test_self_tests_are_left_out_and_counted_only_when_asked(tmp_path: Path) -> None:
    oracle = seal(replace(run_of([SOLVED] * 3), agent=ORACLE))
    found = measured(tmp_path, {"a": bundle([SOLVED, SOME, NEVER]), "o": oracle})
    assert (found.agents, found.left_out, found.self_tests) == (1, 1, 0)
    assert "left out: 1 bundle of self-tests" in "\n".join(stats_lines(found, Style()))
    found = measured(tmp_path, {"a": bundle([SOLVED, SOME, NEVER]), "o": oracle}, self_tests=True)
    assert (found.agents, found.left_out, found.self_tests) == (2, 0, 1)
    assert "1 bundle of self-tests counted: they measure suite and harness" in "\n".join(stats_lines(found, Style()))
    with pytest.raises(InputError, match="only self-tests"):
        measured(tmp_path, {"o": oracle})


def test_no_attempt_counts_twice(tmp_path: Path) -> None:
    one = bundle([SOLVED, SOME, NEVER])
    with pytest.raises(InputError, match=r"a\.json and .*b\.json hold the same attempt \(t01\)"):
        measured(tmp_path, {"a": one, "b": one})
    (path,) = write(tmp_path, {"a": one})
    with pytest.raises(InputError, match="hold the same attempt"):
        suite_stats(StatsRequest([path, path], Terms(suite=reader(TASKS))))


def test_what_does_not_verify_measures_nothing(tmp_path: Path) -> None:
    lie = resigned(bundle([SOLVED, SOME, NEVER]), pass_rate=1)
    with pytest.raises(NotVerifiedError, match="FABRICATED_SCORE"):
        measured(tmp_path, {"a": bundle([SOLVED, SOME, NEVER], "x"), "b": lie})


def test_other_suites_and_partial_runs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnlikeRunsError, match="give bundles of one suite"):
        measured(tmp_path, {"a": bundle([SOLVED] * 4)})
    run = run_of([SOLVED] * 3)
    part = seal(replace(run, parts=[each for each in run.parts if each.task.id == "t01"], tasks=("t01",)))
    with pytest.raises(InputError, match="partial run of 1 task"):
        measured(tmp_path, {"a": part})
