"""`tally suite`: what a person or a program sees."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tallystick.cli.suite import app
from tallystick.core.errors import InputError
from tallystick.records.task import TIERS
from tallystick.suites.loading import load_suite, packaged_names
from tests.unit.cli.conftest import Tally
from tests.unit.suites.authored import FULL, task_text, write_files


def said(*arguments: str) -> str:
    done: Any = CliRunner().invoke(app, list(arguments))
    assert done.exit_code == 0, done.exception
    return str(done.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_files(tmp_path / "s", FULL)


def test_list_names_what_comes_with_tally() -> None:
    assert [suite["version"] for suite in json.loads(said("list", "--json"))["suites"]] == list(packaged_names())
    assert all(name in said("list") for name in packaged_names())


def test_tiers_are_counted(folder: Path) -> None:
    assert said("show", str(folder)).startswith("demo-v1  2 tasks: 1 smoke, 1 standard\n")
    rows = said("list").splitlines()
    assert all(row.endswith((" tasks: smoke", " tasks: standard", " tasks: stretch", " tasks: adversarial")) for row in rows)
    assert len({row.index("tasks: ") - len(row.split()[2]) for row in rows}) == 1, "columns stand below each other"


def test_a_long_line_of_a_list_hangs_below_its_text(tmp_path: Path) -> None:
    body = "- " + "word " * 30 + "\n  - " + "deep " * 30 + "\n"
    files = {"smoke/t.md": task_text("title: T\nassertions: [{kind: file_exists, path: a}]\n", body)}
    page = said("show", str(write_files(tmp_path / "l", files)), "--task", "t")
    assert "\n  word" in page
    assert "\n    deep" in page
    assert max(map(len, page.splitlines())) <= 80


def test_hash(folder: Path) -> None:
    suite = load_suite(folder)
    assert said("hash", str(folder)) == suite.suite_hash + "\n"
    tasks = json.loads(said("hash", str(folder), "--json"))["tasks"]
    assert tasks == [{"id": task.id, "task_hash": task.task_hash} for task in suite.tasks]


def test_show_fits_80_columns(folder: Path) -> None:
    for page in (said("show", str(folder)), said("show", str(folder), "--task", "second"), said("show", packaged_names()[0])):
        assert max(map(len, page.splitlines())) <= 80
    page = said("show", str(folder), "--task", "second")
    assert "1. Look." in page
    assert "limits     20 s, 0.25 USD, 512 MiB\ngrader     separate\n" in page
    assert "checks     behaviour, contains, contains-2\ncheats     lazy\n" in page


def test_show_as_data(folder: Path) -> None:
    shown = json.loads(said("show", str(folder), "--json"))
    assert [task["id"] for task in shown["tasks"]] == ["second", "first"]
    task = json.loads(said("show", str(folder), "--task", "second", "--json"))
    assert task["workspace"] == ["gone.txt", "src/app.py", "src/keep.py"]
    assert task["instruction"].startswith("Do it.\n")


def test_build_makes_a_suite_that_loads(folder: Path, tmp_path: Path) -> None:
    assert f"written: {tmp_path / 'out'}" in said("build", str(folder), "--out", str(tmp_path / "out"))
    assert load_suite(tmp_path / "out").document == load_suite(folder).document
    assert json.loads(said("build", str(folder), "--json"))["suite_hash"] == load_suite(folder).suite_hash
    assert load_suite(folder / "suite.json").document == load_suite(folder).document


def test_errors_are_of_the_domain(folder: Path) -> None:
    for arguments in (["show", "nowhere"], ["show", str(folder), "--task", "third"], ["build", "nowhere"]):
        done = CliRunner().invoke(app, arguments)
        assert isinstance(done.exception, InputError), arguments


def test_families_stand_in_columns(tally: Tally) -> None:
    lines = tally("suite", "families").out.splitlines()
    tiers = {line.index(tier) for line in lines for tier in TIERS if f"  {tier} " in line}
    assert len(tiers) == 1
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("name", ["../x", "", "a\norder: []", "a: b", "-"])
def test_a_drawn_suite_has_a_name_that_a_suite_can_have(tally: Tally, name: str, tmp_path: Path) -> None:
    said = tally("suite", "draw", "spec_over_test", "--seed", "a", "--out", "new", "--name", name)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("tally: --name ")
    assert not (tmp_path / "new").exists()


def test_a_name_of_digits_is_a_name(tally: Tally) -> None:
    said = tally("suite", "draw", "spec_over_test", "--seed", "a", "--out", "new", "--name", "2026")
    assert said.code == 0, said.err
    assert said.out.startswith("2026: 1 task, seed a\n")


def test_families_are_told_whole(tally: Tally) -> None:
    titles = [each["title"] for each in json.loads(tally("suite", "families", "--json").out)["families"]]
    lines = tally("suite", "families").out.splitlines()
    assert max(map(len, lines)) <= 80
    text = " ".join(" ".join(lines).split())
    assert titles
    assert all(title in text for title in titles)


def test_a_file_of_text_is_no_suite(tally: Tally, tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text("a: b")
    said = tally("suite", "check", "spec.yaml")
    assert said.code == 2
    assert "spec.yaml is one file of text; a suite is a folder of tasks" in said.err
    assert "one file of text" not in tally("suite", "check", "nothing.yaml").err
