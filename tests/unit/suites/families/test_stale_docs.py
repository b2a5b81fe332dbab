"""Upgrades along a changelog: README, docs and code really contradict it, and only what it says answers the questions."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.unit.suites.families.drawn import failing, front, importable, made, workspace

FAMILY = "stale_docs"
SEEDS = range(1, 13)


def package(files: Mapping[str, str]) -> str:
    return str(front(files)["owned_files"][0]).rstrip("/")


def literal(files: Mapping[str, str], name: str) -> Any:
    text = files["grader/grade.py"].split(f'{name} = json.loads(r"""')[1].split('""")')[0]
    return json.loads(text)


def wrong(files: Mapping[str, str], overlay: str) -> set[str]:
    """Tests with a question that the workspace answers otherwise than expected."""
    with importable(workspace(files, overlay)):
        upgrade = importlib.import_module(f"{package(files)}.upgrade").upgrade
        asked = literal(files, "ASKED")
        return {name for name, rows in asked.items() if not all(answers(upgrade, *row) for row in rows)}


def answers(upgrade: Any, settings: dict[str, Any], version: str, names: list[str], expected: Any) -> bool:
    try:
        found = upgrade(settings, version)
    except ValueError:
        return bool(expected == "ValueError")
    except (AttributeError, KeyError):
        return False
    return bool({name: found[name] for name in found if not names or name in names} == expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_changelog_answers(seed: int) -> None:
    files = made(FAMILY, seed)
    assert wrong(files, "solution") == set()
    assert wrong(files, "cheats/code_believed") == set()  # its tables are wrong
    assert {"defaults"} <= wrong(files, "cheats/every_section_applied") <= {"defaults", "refusals", "names"}
    assert wrong(files, "partials/defaults_of_today") == {"defaults"}
    assert wrong(files, "partials/nothing_left_out") == {"defaults", "removed", "refusals"}
    assert wrong(files, "cheats/settings_passed_on") >= {"names", "units", "values", "removed", "defaults", "refusals"}


def test_whoever_refuses_for_ever_answers_nothing_right() -> None:
    for seed in (1, 2, 3):
        files = made(FAMILY, seed)
        assert failing(files, "solution") == set()
        assert failing(files, "cheats/refuses_once_and_for_all") >= {"names", "units", "values", "removed", "defaults"}


@pytest.mark.parametrize("seed", SEEDS)
def test_readme_and_code_are_behind(seed: int) -> None:
    files = made(FAMILY, seed)
    defaults, units = literal(files, "DEFAULTS"), literal(files, "UNITS")
    table = re.findall(r"\| `(\w+)` \| (\S+) \| (\S+) \|", files["workspace/README.md"])
    truth = [(name, json.dumps(value), units.get(name, "-")) for name, value in defaults.items()]
    assert len(set(truth) - set(table)) >= 2
    with importable(workspace(files)):
        code = importlib.import_module(f"{package(files)}.settings")
        assert code.DEFAULTS.keys() == defaults.keys()
        assert sum(code.DEFAULTS[name] != value for name, value in defaults.items()) == 2
        assert units != code.UNITS


@pytest.mark.parametrize("seed", SEEDS)
def test_every_default_can_be_found_where_the_instruction_says(seed: int) -> None:
    """A default of today stands in a released section, or else in the code as it is."""
    files = made(FAMILY, seed)
    released = files["workspace/CHANGELOG.md"].partition("\n## Unreleased")[2].partition("\n## ")[2]
    withdrawn = re.search(r"## \S+ \(withdrawn\)\n.*?(?=\n## )", released, re.DOTALL)
    assert withdrawn
    released = released.replace(withdrawn[0], "")
    future = files["workspace/CHANGELOG.md"].partition("\n## Unreleased")[2].partition("\n## ")[0]
    with importable(workspace(files)):
        code = importlib.import_module(f"{package(files)}.settings").DEFAULTS
    for name, value in literal(files, "DEFAULTS").items():
        said = f"`{json.dumps(value)}`"
        assert code[name] == value or said in released.replace("\n  ", " ") or said in future.replace("\n  ", " ")


def test_instances_differ() -> None:
    drawn = [made(FAMILY, seed) for seed in range(1, 41)]
    assert len({files["workspace/CHANGELOG.md"] for files in drawn}) == 40
    assert len({package(files) for files in drawn}) >= 6
