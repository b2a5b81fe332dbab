"""`tally agent`: what a person or a program sees of the known agents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tallystick.cli.completing import answer
from tallystick.runner.presets import load_presets
from tests.support.installed import ELF, npm_package, npm_program, put
from tests.unit.cli.conftest import Tally
from tests.unit.runner.test_preset_files import GOOD


@pytest.fixture(autouse=True)
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with a bot, a node and nothing else."""
    modules = tmp_path / "installed/node_modules"
    npm_package(modules, "bot", "4.5.6", files={"bot.js": b"//"})
    folder = npm_program(modules, "bot", "bot/bot.js")
    put(tmp_path / "node/node", ELF, run=True)
    monkeypatch.setenv("PATH", f"{folder}:{tmp_path / 'node'}")
    return folder


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return put(tmp_path / ".tally/agents/bot.toml", GOOD)


def test_list(tally: Tally, own: Path) -> None:
    said = tally("agent", "list")
    assert (said.code, said.err) == (0, "")
    lines = {line.split()[0]: line for line in said.out.splitlines()}
    assert set(lines) == {*load_presets(), "bot"}
    assert "not installed" in lines["codex"]
    assert "4.5.6" in lines["bot"]
    assert ".tally/agents/bot.toml" in lines["bot"]


def test_list_as_json(tally: Tally, own: Path) -> None:
    rows = {row["name"]: row for row in json.loads(tally("agent", "list", "--json").out)["agents"]}
    assert rows["bot"]["version"] == "4.5.6"
    assert (rows["bot"]["installed"], rows["codex"]["installed"]) == (True, False)
    assert "version" not in rows["codex"]


def test_what_was_measured_is_said(tally: Tally, own: Path) -> None:
    measured = 'measured = {version = "4.5.6", date = "2026-11-30", replays = 10, equal = 10, raw = 9}\n'
    own.write_text(measured + GOOD)
    assert "replays equal 10/10, 9 byte for byte (release 4.5.6)" in tally("agent", "list").out
    rows = {row["name"]: row for row in json.loads(tally("agent", "list", "--json").out)["agents"]}
    assert rows["bot"]["measured"] == {"date": "2026-11-30", "equal": 10, "raw": 9, "replays": 10, "version": "4.5.6"}


def test_show(tally: Tally, own: Path, tmp_path: Path) -> None:
    page = tally("agent", "show", "bot", "--model", "gpt-5").out
    for part in (
        "bot: Bot",
        "/agent/node_modules/bot/bot.js",
        "--task={instruction}",
        "OPENAI_API_KEY={token}",
        "~/.bot/settings.json",
        "http://127.0.0.1:8080/v1",
        "drop pytest-time",
        f"/agent/node_modules/bot from {tmp_path}/installed/node_modules/bot",
        "program is   sha256:",
        "agent is     sha256:",
        "gpt-5",
    ):
        assert part in page
    assert "agent is" not in tally("agent", "show", "bot").out


def test_show_as_json(tally: Tally, own: Path) -> None:
    page = json.loads(tally("agent", "show", "bot", "--model", "gpt-5", "--json").out)
    assert page["argv"][2:] == ["--task={instruction}", "--model", "gpt-5", "{files}"]
    assert page["env"] == [{"name": "OPENAI_API_KEY", "value": "{token}"}]
    assert set(page["digests"]) == {"agent", "home", "program", "rules"}
    assert [mount["target"] for mount in page["mounts"]] == ["/agent/node_modules/bot", "/agent/node/bin/node"]


@pytest.mark.parametrize("name", sorted(load_presets()))
def test_show_what_is_not_installed(tally: Tally, name: str) -> None:
    said = tally("agent", "show", name)
    assert (said.code, said.err) == (0, "")
    assert f"{name} is not installed" in said.out
    assert "starts as" in said.out
    assert "is not installed" in json.loads(tally("agent", "show", name, "--json").out)["problem"]


def test_an_unknown_name(tally: Tally) -> None:
    said = tally("agent", "show", "codx")
    assert (said.code, said.out) == (2, "")
    assert said.err == "tally: no preset 'codx'; did you mean codex?\n"


def test_a_broken_preset_of_ones_own_is_one_line(tally: Tally, own: Path) -> None:
    own.write_text("title = 1\n")
    said = tally("agent", "list")
    assert said.code == 2
    assert said.err.startswith("tally: .tally/agents/bot.toml: ")
    assert said.err.count("\n") == 1


def test_names_are_completed(tally: Tally, own: Path) -> None:
    tally("agent", "list")  # moves to the folder
    lines = answer(["words", "agent", "show", ""]).splitlines()
    assert {line.partition("\t")[0] for line in lines[1:]} == {*load_presets(), "bot"}
