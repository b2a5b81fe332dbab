"""golden-v1: solutions pass, doing nothing fails, every cheat fails for exactly its stated reason."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
import yaml

from tests.unit.suites.golden import SUITE, TASKS, Judge, files, front

CHEATS = [(name, cheat) for name, task in TASKS.items() for cheat in front(task)["cheats"]]


def test_the_order_names_every_task() -> None:
    suite = yaml.safe_load((SUITE / "suite.yaml").read_text())
    assert suite["version"] == "golden-v1"
    assert sorted(suite["order"]) == sorted(TASKS)
    assert len(TASKS) == 5


@pytest.mark.parametrize("name", TASKS)
def test_solution_passes_everything(name: str, tmp_path: Path) -> None:
    judge = Judge(TASKS[name], TASKS[name] / "solution", tmp_path)
    assert judge.failing() == set(), {key: said.notes for key, said in judge.reported.items()}


@pytest.mark.parametrize("name", TASKS)
def test_doing_nothing_fails(name: str, tmp_path: Path) -> None:
    assert Judge(TASKS[name], None, tmp_path).failing()


@pytest.mark.slow
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


@pytest.mark.parametrize("name", TASKS)
def test_overlays_change_something(name: str) -> None:
    base = files(TASKS[name] / "workspace")
    for overlay in [TASKS[name] / "solution", *(TASKS[name] / "cheats").iterdir()]:
        assert any(base.get(path) != content for path, content in files(overlay).items()), overlay


def test_no_bytecode_or_stray_file() -> None:
    assert not [path for path in files(SUITE) if re.search(r"__pycache__|\.pyc$|~$|\.orig$", path)]


def test_grader_copy_of_the_tariff_is_the_workspace_file() -> None:
    task = TASKS["test_generation_happy_path"]
    variants = runpy.run_path(str(task / "grader/variants.py"))
    assert variants["ORIGINAL"] == (task / "workspace/parking/tariff.py").read_text()


@pytest.mark.parametrize("mistake", runpy.run_path(str(TASKS["test_generation_happy_path"] / "grader/variants.py"))["MISTAKES"])
def test_every_mistake_changes_an_answer(mistake: str) -> None:
    variants = runpy.run_path(str(TASKS["test_generation_happy_path"] / "grader/variants.py"))
    source, right, _ = variants["MISTAKES"][mistake]
    assert source.count(right) == 1
    assert answers(variants["planted"](mistake)) != answers(source)


def test_right_versions_answer_alike_everywhere() -> None:
    variants = runpy.run_path(str(TASKS["test_generation_happy_path"] / "grader/variants.py"))
    assert answers(variants["ORIGINAL"]) == answers(variants["REWRITTEN"])


def answers(source: str) -> list[object]:
    """What one version of the tariff returns or raises over a wide grid."""
    module: dict[str, object] = {}
    exec(source, module)
    stays = [
        (m, v, d)
        for m in [*range(-3, 200), *range(1380, 1560), 4321]
        for v in ("car", "bike", "van", "bus")
        for d in ("weekday", "weekend", "")
    ]
    texts = ["", "90", "h", "m", "1h75m", "1h30m", "2h", "45m", "90m", "0m", "30m1h", "1h1h", "1h5", " 1h", "-5m", "1H"]
    calls = [(n, s) for s in stays for n in ("fee", "receipt")] + [("parse_duration", (t,)) for t in texts]
    return [answer(module[name], arguments) for name, arguments in calls]


def answer(function: object, arguments: tuple[object, ...]) -> object:
    try:
        return function(*arguments)  # type: ignore[operator]
    except ValueError:
        return ValueError
