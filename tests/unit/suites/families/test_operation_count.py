"""Trips and nodes: the drawn solution keeps to the budget, and whoever asks for more or trusts too much does not."""

from __future__ import annotations

import importlib
import unittest
from collections.abc import Mapping

import pytest

from tests.unit.suites.families.drawn import failing, front, importable, made, workspace

FAMILY = "operation_count"
SEEDS = range(1, 7)


@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_budget_passes(seed: int) -> None:
    files = made(FAMILY, seed)
    assert failing(files, "solution") == set()
    assert failing(files) == set(front(files)["assertions"][0]["tests"])
    assert failing(files, "cheats/every_summary_trusted") == {"open_total", "open_diff"}
    assert failing(files, "cheats/everything_fetched_at_once") >= {"get", "total", "diff"}
    assert failing(files, "partials/differences_trusting") == {"open_diff", "resolve"}


@pytest.mark.parametrize("seed", SEEDS)
def test_everybody_answers_the_visible_tests(seed: int) -> None:
    files = made(FAMILY, seed)
    for overlay in ("", "solution", "cheats/every_summary_trusted", "cheats/everything_fetched_at_once", "partials/totals"):
        assert visible_problems(workspace(files, overlay)) == []


def visible_problems(files: Mapping[str, str]) -> list[str]:
    with importable(files):
        suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module("tests.test_queries"))
        result = unittest.TestResult()
        suite.run(result)
        assert result.testsRun == 4
        return [text for _, text in (*result.errors, *result.failures)]


def test_asking_twice_and_asking_in_vain_count() -> None:
    files = made(FAMILY, 1)
    path = next(path for path in files if path.startswith("solution/"))
    twice = files[path].replace("yield wanted", "yield [*wanted, *wanted[:1]]")
    empty = files[path].replace("nodes, below = (yield wanted), []", "yield []\n        nodes, below = (yield wanted), []")
    for text in (twice, empty):
        assert text != files[path]
        assert failing({**files, path: text}, "solution") == {"total", "open_total"}


def test_instances_differ() -> None:
    drawn = [made(FAMILY, seed) for seed in range(1, 61)]
    assert len({files["workspace/docs/store.md"] for files in drawn}) >= 55
    assert len({files["grader/grade.py"] for files in drawn}) == 60
