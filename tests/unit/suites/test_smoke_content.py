"""golden-smoke-v1: solutions pass, doing nothing fails, every cheat fails for exactly its stated reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tallystick.suites.loading import load_suite, packaged_folder
from tests.unit.suites.golden import PACKAGED, Judge, files, front

SUITE = PACKAGED / "golden-smoke-v1"
TASKS = {path.name: path for path in sorted(SUITE.glob("smoke/*")) if path.is_dir()}
SINGLE = {name for name, path in TASKS.items() if not (path / "task.md").exists()}
CHEATS = [(name, cheat) for name, task in TASKS.items() for cheat in front(task)["cheats"]]


def test_the_order_names_every_task() -> None:
    suite = yaml.safe_load((SUITE / "suite.yaml").read_text())
    assert suite["version"] == SUITE.name
    assert sorted(suite["order"]) == sorted(TASKS)
    assert len(TASKS) >= 6


def test_both_forms_of_tasks_are_there() -> None:
    assert {path.stem for path in SUITE.glob("smoke/*.md")} == SINGLE
    portable = {name for name, task in TASKS.items() if not (task / "grader").exists()}
    assert portable == SINGLE
    assert 0 < len(SINGLE) < len(TASKS)


def test_what_is_packaged_was_compiled_from_these_files() -> None:
    from tallystick.suites.authoring import compile_suite  # noqa: PLC0415

    assert compile_suite(packaged_folder(SUITE.name)).document == load_suite(SUITE.name).document


@pytest.mark.parametrize("name", TASKS)
def test_solution_passes_everything(name: str, tmp_path: Path) -> None:
    judge = Judge(TASKS[name], TASKS[name] / "solution", tmp_path)
    assert judge.failing() == set(), {key: said.notes for key, said in judge.reported.items()}


@pytest.mark.parametrize("name", TASKS)
def test_doing_nothing_fails(name: str, tmp_path: Path) -> None:
    assert Judge(TASKS[name], None, tmp_path).failing()


@pytest.mark.parametrize(("name", "cheat"), CHEATS)
def test_cheat_fails_for_its_stated_reason(name: str, cheat: str, tmp_path: Path) -> None:
    judge = Judge(TASKS[name], TASKS[name] / "cheats" / cheat, tmp_path)
    assert judge.failing() == set(front(TASKS[name])["cheats"][cheat]["fails"])


@pytest.mark.parametrize("name", TASKS)
def test_every_cheat_is_declared_and_there_are_two(name: str) -> None:
    declared = set(front(TASKS[name])["cheats"])
    assert declared == {path.name for path in (TASKS[name] / "cheats").iterdir()}
    assert len(declared) >= 2


@pytest.mark.parametrize("name", TASKS)
def test_no_hidden_file_equals_a_visible_one(name: str) -> None:
    visible = set(files(TASKS[name] / "workspace").values())
    hidden = {**files(TASKS[name] / "grader"), **files(TASKS[name] / "solution")}
    assert not [path for path, content in hidden.items() if content in visible]


@pytest.mark.parametrize("name", sorted(TASKS.keys() - SINGLE))
def test_a_grader_asks_once(name: str, tmp_path: Path) -> None:
    judge = Judge(TASKS[name], TASKS[name] / "solution", tmp_path)
    judge.failing()
    assert [said.runs for said in judge.reported.values()] == [1]


def test_no_bytecode_or_stray_file() -> None:
    assert not [path for path in files(SUITE) if re.search(r"__pycache__|\.pyc$|~$|\.orig$", path)]
