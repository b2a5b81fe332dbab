"""Settings of a run: which place wins, what a file may say, and what is shown of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tallystick.cli import settings
from tallystick.cli.layers import KEYS, SettingsError, parse
from tallystick.core.errors import InputError
from tests.unit.cli.conftest import Tally

VALUES = {
    "suite": ('"golden-v1"', "golden-v1"),
    "agent": ('["my-agent", "{instruction}"]', "my-agent {instruction}"),
    "model": ('"gpt-5"', "gpt-5"),
    "attempts": ("3", "3"),
    "workers": ("2", "2"),
    "budget": ("2.5", "2.5"),
    "sandbox": ('"bwrap"', "bwrap"),
    "state": ('"runs"', "runs"),
    "key": ('"mine"', "mine"),
    "key_variable": ('"MY_KEY"', "MY_KEY"),
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def write_project(text: str) -> None:
    Path("tally.toml").write_text(f"[run]\n{text}\n")


def write_user(text: str) -> Path:
    path = settings.config_folder() / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"[run]\n{text}\n")
    return path


def test_every_key_can_stand_in_every_place(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(VALUES) == set(KEYS)
    for name, (in_file, in_variable) in VALUES.items():
        write_user(f"{name} = {in_file}")
        by_user = settings.layers(project=True).find(name)
        write_project(f"{name} = {in_file}")
        by_project = settings.layers(project=True).find(name)
        monkeypatch.setenv(f"TALLY_{name.upper()}", in_variable)
        by_variable = settings.layers(project=True).find(name)
        monkeypatch.delenv(f"TALLY_{name.upper()}")
        assert by_user.value == by_project.value == by_variable.value, name
        assert by_user.origin.endswith("config.toml")
        assert (by_project.origin, by_variable.origin) == ("tally.toml", f"TALLY_{name.upper()}")


def test_the_nearest_place_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    write_user("attempts = 2\nworkers = 2\nsuite = 'u'")
    write_project("attempts = 3\nsuite = 'p'")
    monkeypatch.setenv("TALLY_ATTEMPTS", "4")
    monkeypatch.setenv("TALLY_SUITE", "")
    given = settings.layers(project=True)
    assert (given.count("attempts"), given.text("suite"), given.count("workers")) == (4, "p", 2)
    assert settings.workers(7, given) == 7


def test_a_flag_wins_over_all(tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    write_project('suite = "golden-v1"\nagent = "oracle"\nattempts = 2')
    monkeypatch.setenv("TALLY_ATTEMPTS", "3")
    assert "x 3 =" in tally("run", "--dry-run").out
    assert "x 5 =" in tally("run", "--dry-run", "-k", "5").out
    said = tally("run", "--dry-run", "--agent", "nop")
    assert "nop" in said.out
    assert "oracle" not in said.out + said.err


def test_a_run_tells_which_file_chose(tally: Tally) -> None:
    write_project('suite = "golden-v1"\nagent = ["sh", "-c", "true"]')
    said = tally("run", "--dry-run")
    assert said.err == "suite golden-v1 (from tally.toml)\nagent sh -c true (from tally.toml)\n"
    assert tally("run", "golden-v1", "--agent", "oracle", "--dry-run").err == ""
    assert "agent       oracle" in tally("bench", "run", "golden-v1", "--dry-run").out


def test_without_a_suite(tally: Tally) -> None:
    said = tally("run")
    assert said.code == 2
    assert said.err.startswith("tally: no suite: name one")


@pytest.mark.parametrize("project", [True, False])
def test_only_those_who_ask_see_the_working_directory(*, project: bool) -> None:
    write_project('state = "elsewhere"\nworkers = 9')
    write_user("workers = 3")
    given = settings.layers(project=project)
    assert (given.text("state"), given.count("workers")) == (("elsewhere", 9) if project else (None, 3))
    assert settings.default_state() == Path(".tally")
    assert settings.workers(None) == 3


@pytest.mark.parametrize(
    "args",
    [
        ("verify", "b.json", "--no-exec"),
        ("show", "b.json"),
        ("suite", "show", "golden-v1"),
        ("key", "list"),
        ("demo", "--help"),
    ],
)
def test_commands_that_judge_do_not_open_tally_toml(args: tuple[str, ...], bundle: Path, tally: Tally) -> None:
    assert bundle.exists()
    Path("tally.toml").write_text("this is no settings file")
    assert tally(*args).code == 0
    assert tally("run").err.startswith("tally: tally.toml: not TOML")


def test_a_file_that_came_along_cannot_switch_the_sandbox_off(tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    write_project('sandbox = "none"')
    said = tally("run", "golden-v1", "--agent", "oracle", "--dry-run")
    assert said.code == 2
    assert "cannot switch the sandbox off" in said.err
    Path("tally.toml").unlink()
    write_user('sandbox = "none"')
    assert "sandbox     none" in tally("run", "golden-v1", "--agent", "oracle", "--dry-run").out
    monkeypatch.setenv("TALLY_SANDBOX", "bwrap")
    assert "sandbox     bwrap" in tally("run", "golden-v1", "--agent", "oracle", "--dry-run").out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[run]\nattemps = 1", "[run]: unknown key 'attemps'; did you mean attempts?"),
        ("[run]\nzzz = 1", "unknown key 'zzz'; known: suite, agent,"),
        ("[rum]\nattempts = 1", "unknown key 'rum'; did you mean run?"),
        ('suite = "x"', "unknown key 'suite'; it belongs below a line [run]"),
        ("run = 3", "write [run] as a table"),
        ("[run]\nattempts = 0", "attempts: give a number from 1 to 10000"),
        ("[run]\nattempts = true", "attempts: give a number"),
        ("[run]\nattempts = 1.5", "attempts: give a number"),
        ("[run]\nworkers = 10001", "workers: give a number"),
        ("[run]\nbudget = nan", "budget: give US dollars"),
        ("[run]\nbudget = 1e999999999", "budget: give US dollars"),
        ("[run]\nbudget = 1e-999999999", "budget: give US dollars"),
        ("[run]\nbudget = 1e99999999999999999999", "budget: give US dollars"),
        ("[run]\nbudget = true", "budget: give US dollars"),
        ('[run]\nbudget = "much"', "budget: give US dollars"),
        ('[run]\nsandbox = "docker"', 'sandbox: give "bwrap" or "none"'),
        ("[run]\nsandbox = ['none']", 'sandbox: give "bwrap" or "none"'),
        ('[run]\nagent = "my-agent --yes"', "agent: give a list of words"),
        ("[run]\nagent = []", "agent: give a list of words"),
        ('[run]\nagent = ["a", 1]', "agent: give a list of words"),
        ('[run]\nsuite = ""', "suite: give a text"),
        ("[run]\nsuite = 3", "suite: give a text"),
        ("[run", "not TOML"),
        ("[run]\nx = " + "[" * 5000, "not TOML"),
        ("# " + "x" * 70_000, "more than 65536 bytes"),
    ],
)
def test_what_a_file_may_not_say(text: str, says: str) -> None:
    with pytest.raises(InputError) as refused:
        parse(text.encode(), "tally.toml")
    assert says in str(refused.value)
    assert str(refused.value).startswith("tally.toml")
    assert "\n" not in str(refused.value)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(SettingsError, match="not TOML"):
        parse(b"\xff", "tally.toml")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tally.toml")
    with pytest.raises(SettingsError, match=r"cannot read tally\.toml: it is a pipe"):
        settings.layers(project=True)


def test_an_agent_in_a_variable_is_shell_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLY_AGENT", "my-agent --say 'a b'")
    assert settings.layers(project=False).words("agent") == ("my-agent", "--say", "a b")
    monkeypatch.setenv("TALLY_AGENT", "oracle")
    assert settings.layers(project=False).text("agent") == "oracle"
    monkeypatch.setenv("TALLY_AGENT", "it's")
    with pytest.raises(InputError, match=r"^TALLY_AGENT: "):
        settings.layers(project=False)


def test_config_show(tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_user("workers = 2")
    write_project('agent = ["a b", "\\u001b[2J", "é"]\nbudget = 2.50')
    monkeypatch.setenv("TALLY_ATTEMPTS", "4")
    lines = tally("config", "show", "--origin").out.splitlines()
    assert 'agent = ["a b", "\\\\x1b[2J", "é"]  # tally.toml' in lines
    assert "budget = 2.5  # tally.toml" in lines
    assert "attempts = 4  # TALLY_ATTEMPTS" in lines
    assert f"workers = 2  # {path}" in lines
    assert "# suite: none  # default" in lines
    assert not any("#" in line[1:] for line in tally("config", "show").out.splitlines())
    rows = {row["key"]: row for row in json.loads(tally("config", "show", "--json").out)["settings"]}
    assert list(rows) == list(KEYS)
    assert rows["attempts"] == {"key": "attempts", "origin": "TALLY_ATTEMPTS", "value": 4}
    assert rows["suite"] == {"key": "suite", "origin": "default"}


def test_what_is_shown_can_be_put_into_a_file(tally: Tally) -> None:
    write_project('suite = "a\\"b\\\\c"\nagent = ["x", "{instruction}"]\nattempts = 3\nbudget = 0.25')
    shown = tally("config", "show").out
    assert parse(shown.encode(), "shown") == parse(Path("tally.toml").read_bytes(), "tally.toml")


def test_a_file_that_cannot_be_read(tally: Tally) -> None:
    Path("tally.toml").mkdir()
    said = tally("config", "show")
    assert said.code == 2
    assert said.err == "tally: cannot read tally.toml: is a directory\n"
