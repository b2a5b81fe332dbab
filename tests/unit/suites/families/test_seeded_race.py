"""The desk under a seeded kernel: every planted race shows, and mending it with one lock for everything does not pass."""

from __future__ import annotations

import importlib
import unittest

import pytest

from tallystick.suites.families.seeded_race.bodies import RIGHT, WRONG
from tests.unit.suites.families.drawn import failing, front, importable, made, workspace

FAMILY = "seeded_race"
SEEDS = range(1, 6)
TESTS = dict(zip(RIGHT, ("numbers", "stock", "cached", "sent", "moved", "counted"), strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_solution_passes(seed: int) -> None:
    files = made(FAMILY, seed)
    assert failing(files, "solution") == set()
    assert failing(files) == set(TESTS.values())
    assert failing(files, "cheats/one_lock_for_everything") == {"stock", "cached", "sent", "moved"}
    assert failing(files, "cheats/calls_left_out") == {"stock"}


def test_what_tasks_tell_one_another_in_python_shows() -> None:
    """Locks held in a variable keep every run right; only a task that runs again by itself betrays them."""
    files = made(FAMILY, 1)
    assert failing(files, "cheats/locks_in_python") >= {"numbers", "stock", "moved"}
    trusting = {**files, "grader/again.py": "def check_again(tasks):\n    pass\n"}
    assert failing(trusting, "cheats/locks_in_python") == set()


def filled(body: str, names: dict[str, str]) -> str:
    return body.format(**names).replace("\n", "\n    ")


@pytest.mark.parametrize("role", RIGHT)
@pytest.mark.parametrize("which", range(3))
def test_every_wrong_body_shows_by_itself(role: str, which: int) -> None:
    from tallystick.suites.families.draws import Draws  # noqa: PLC0415
    from tallystick.suites.families.seeded_race import _names  # noqa: PLC0415

    for seed in (1, 2):
        files = made(FAMILY, seed)
        names = _names(Draws("task", FAMILY, str(seed), "1"))
        path = f"solution/{names['pkg']}/desk.py"
        right, wrong = filled(RIGHT[role], names), filled(WRONG[role][which], names)
        assert right in files[path]
        found = failing({**files, path: files[path].replace(right, wrong)}, "solution")
        assert TESTS[role] in found
        assert found <= {TESTS[role], "counted"}


@pytest.mark.parametrize("seed", SEEDS)
def test_visible_tests_pass_before_and_after(seed: int) -> None:
    files = made(FAMILY, seed)
    for overlay in ("", "solution", "cheats/one_lock_for_everything"):
        with importable(workspace(files, overlay)):
            suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module("tests.test_desk"))
            result = unittest.TestResult()
            suite.run(result)
            assert result.testsRun == 5
            assert not result.errors
            assert not result.failures


def test_instances_differ() -> None:
    drawn = [made(FAMILY, seed) for seed in range(1, 81)]
    for part in ("workspace/", "solution/"):
        desks = {text for files in drawn for path, text in files.items() if path.startswith(part) and path.endswith("/desk.py")}
        assert len(desks) == len(drawn)
    assert len({str(front(files)["owned_files"]) for files in drawn}) == 6
