"""The migration's agreements: what is asked is what the drawn solution answers, and easy edits answer otherwise."""

from __future__ import annotations

import importlib
import json
import unittest
from collections.abc import Mapping
from typing import Any

import pytest

from tests.unit.suites.families.drawn import front, importable, made, workspace

FAMILY = "hidden_invariants"
SEEDS = range(1, 9)


def package(files: Mapping[str, str]) -> str:
    return str(front(files)["owned_files"][0]).rstrip("/")


def asked(files: Mapping[str, str]) -> dict[str, list[list[Any]]]:
    text = files["grader/grade.py"].split('ASKED = json.loads(r"""\n')[1].split('\n""")')[0]
    return dict(json.loads(text))


def wrong(files: Mapping[str, str], overlay: str) -> set[str]:
    """Tests with a question that the workspace answers otherwise than expected."""
    with importable(workspace(files, overlay)):
        return {name for name, rows in asked(files).items() if not all(answers(files, *row) for row in rows)}


def answers(files: Mapping[str, str], module: str, function: str, arguments: list[Any], expected: Any) -> bool:
    call = getattr(importlib.import_module(f"{package(files)}.{module}"), function)
    try:
        if function == "key":
            return [call(record) for record in arguments[0]] == expected
        if function == "dump":
            return [json.loads(line) for line in call(*arguments).splitlines()] == expected
        return bool(call(*arguments) == expected)
    except ValueError:
        return expected == "ValueError"
    except (KeyError, TypeError):
        return False


@pytest.mark.parametrize("seed", SEEDS)
def test_solution_answers_and_cheats_do_not(seed: int) -> None:
    files = made(FAMILY, seed)
    assert wrong(files, "solution") == set()
    assert wrong(files, "") == set(asked(files))
    assert {"old_lines"} <= wrong(files, "cheats/through_floats") <= {"old_lines", "feeds"}
    assert wrong(files, "cheats/keys_from_parts") == {"keys", "texts", "limits"}
    assert wrong(files, "cheats/limits_rescaled") == {"limits"}
    assert "old_lines" in wrong(files, "cheats/one_scale_for_all")


@pytest.mark.parametrize("seed", SEEDS)
def test_visible_tests_pass_before_and_after_the_move(seed: int) -> None:
    files = made(FAMILY, seed)
    for overlay in ("", "solution", "cheats/through_floats"):
        with importable(workspace(files, overlay)):
            suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module("tests.test_journal"))
            result = unittest.TestResult()
            suite.run(result)
            assert result.testsRun == 6
            assert not result.errors
            assert not result.failures


def test_every_rule_of_rounding_is_told_from_every_other() -> None:
    from tallystick.suites.families.hidden_invariants.journals import ROUNDINGS  # noqa: PLC0415

    for seed in SEEDS:
        files = made(FAMILY, seed)
        ledger = files[f"solution/{package(files)}/ledger.py"]
        used = next(rule.name for rule in ROUNDINGS if f"= {rule.name}(" in ledger)
        for rule in ROUNDINGS:
            overlaid = {**files, f"solution/{package(files)}/ledger.py": ledger.replace(f"= {used}(", f"= {rule.name}(")}
            assert (wrong(overlaid, "solution") == set()) == (rule.name == used)


def test_instances_differ() -> None:
    drawn = [made(FAMILY, seed) for seed in range(1, 41)]
    assert len({files["workspace/docs/design.md"] for files in drawn}) >= 38
    assert len({tuple(front(files)["owned_files"]) for files in drawn}) >= 5
