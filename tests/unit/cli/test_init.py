"""`tally init`: what it writes, what it refuses, and that it asks only where somebody is there."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tallystick.cli.init import looks_like_a_key
from tallystick.cli.layers import KEYS, parse
from tallystick.runner.presets import load_presets
from tests.acceptance.support import CLI, environment
from tests.unit.cli.conftest import Tally

TARGET = Path("tally.toml")


def written() -> dict[str, object]:
    return dict(parse(TARGET.read_bytes(), "tally.toml"))


def test_a_command_line_after_the_dashes(tally: Tally) -> None:
    said = tally("init", "--suite", "golden-v1", "--key-variable", "MY_KEY", "--", "my-agent", "--yes", "-p", "{instruction}")
    assert said.code == 0, said.err
    assert written() == {
        "suite": "golden-v1",
        "agent": ("my-agent", "--yes", "-p", "{instruction}"),
        "key_variable": "MY_KEY",
    }
    assert "wrote tally.toml\nadded .tally/ to .gitignore\n" in said.out


def test_every_key_is_explained_in_the_file(tally: Tally) -> None:
    assert tally("init", "--yes").code == 0
    text = TARGET.read_text()
    for key in KEYS:
        assert f"{key} = " in text or key == "sandbox", key
    assert "tally config show --origin" in text


@pytest.mark.parametrize("name", load_presets())
def test_known_agents(name: str, tally: Tally) -> None:
    said = tally("init", "--agent", name, "--model", "some/model-1", "--yes")
    assert said.code == 0, said.err
    variable = load_presets()[name].file.keys[0]
    assert written() == {"suite": "golden-v1", "agent": name, "model": "some/model-1", "key_variable": variable}


def test_a_quoted_command_line(tally: Tally) -> None:
    assert tally("init", "--agent", "my-agent -m {model} 'a b'", "--model", "m", "-y").code == 0
    assert (written()["agent"], written()["model"]) == (("my-agent", "-m", "{model}", "a b"), "m")
    assert "key_variable" not in written()


def test_without_a_terminal_nothing_is_asked(tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    said = tally("init")
    assert said.code == 2
    assert said.err == "tally: suite: nobody to ask here; give --suite, or --yes for 'golden-v1'\n"
    assert not TARGET.exists()
    assert not Path(".gitignore").exists()


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("--key-variable", "sk-abcdefghijklmnop"), "never the key itself"),
        (("--key-variable", "AKIAIOSFODNN7EXAMPLE"), "never the key itself"),
        (("--key-variable", "lower"), "never the key itself"),
        (("--key-variable", "A=B"), "never the key itself"),
        (("--", "my-agent", "--api-key", "sk-abcdefghijklmnop"), "word 3 of the agent's command line looks like a key"),
        (("--", "my-agent", "--api-key=AIzaSyA1234567890abcdefg"), "word 2 of the agent's command line looks like a key"),
        (("--agent", "x", "--", "y"), "either --agent x or a command line after --"),
        (("--agent", "it's"), "not the words of a command line"),
        (("--agent", "mini-swe-agent"), "no model"),
        (("--agent", "my-agent -m {model}"), "no model"),
        (("--agent", "oracle", "--model", "m"), "is a self-test and has no model"),
        (("--suite", "golden-v2"), "did you mean golden-v1?"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(args: tuple[str, ...], line: str, tally: Tally) -> None:
    cut = args.index("--") if "--" in args else len(args)
    agent = () if "--agent" in args or "--" in args else ("--agent", "my-agent")
    said = tally("init", "--yes", *agent, *args[:cut], *args[cut:])
    assert said.code == 2, said
    assert line in said.err
    assert said.err.count("\n") == 1
    assert not TARGET.exists()
    assert not Path(".gitignore").exists()
    assert "abcdefghijklmnop" not in said.out + said.err, "a key is not repeated"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("sk-proj-abcdefgh12345678", True),
        ("Authorization: Bearer sk-ant-api03-abcdefgh", True),
        ("ghp_abcdefghij1234567890", True),
        ("aB3" * 12, True),
        ("OPENAI_API_KEY", False),
        ("openai/gpt-4.1-mini-2025-04-14", False),
        ("/opt/agents/.venv/bin/my-agent", False),
        ("Solve the task: {instruction}", False),
        ("task-manager", False),
        ("a-very-long-name-of-a-program-in-lower-case-letters", False),
    ],
)
def test_what_looks_like_a_key(text: str, *, key: bool) -> None:
    assert looks_like_a_key(text) is key


def test_an_existing_file_is_kept_without_force(tally: Tally) -> None:
    TARGET.write_text("mine")
    said = tally("init", "--yes")
    assert said.code == 2
    assert "--force" in said.err
    assert TARGET.read_text() == "mine"
    assert tally("init", "--yes", "--force").code == 0
    assert written()["suite"] == "golden-v1"


def test_a_link_is_replaced_and_not_followed(tally: Tally, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("precious")
    TARGET.symlink_to(other)
    assert tally("init", "--yes").code == 2
    assert tally("init", "--yes", "--force").code == 0
    assert other.read_text() == "precious"
    assert not TARGET.is_symlink()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, ".tally/\n"),
        ("", ".tally/\n"),
        ("*.pyc", "*.pyc\n.tally/\n"),
        ("*.pyc\n", "*.pyc\n.tally/\n"),
        ("/.tally\n", "/.tally\n"),
        ("  .tally/  \n", "  .tally/  \n"),
    ],
)
def test_the_line_in_gitignore(before: str | None, after: str, tally: Tally) -> None:
    path = Path(".gitignore")
    if before is not None:
        path.write_text(before)
    assert tally("init", "--yes").code == 0
    assert path.read_text() == after


def test_what_it_wrote_is_what_run_does(tally: Tally) -> None:
    assert tally("init", "--", "sh", "-c", "true").code == 2, "the suite is asked for"
    assert tally("init", "--yes", "--", "sh", "-c", "true").code == 0
    said = tally("run", "--dry-run")
    assert said.code == 0, said.err
    assert "golden-v1: 5 of 5 tasks" in said.out


def test_at_a_terminal_it_asks(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    env = environment(tmp_path / "home", PATH="/nonexistent")
    with subprocess.Popen(
        [sys.executable, "-P", "-c", CLI, "init"],
        cwd=tmp_path,
        env=env,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as asking:
        os.write(ours, b"\nmy-agent {model}\nsome-model\nMY_KEY\n")
        out, err = asking.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert asking.returncode == 0, err
    assert b"Suite [golden-v1]" in err
    assert b"Agent [oracle]" in err
    assert b"Variable with the provider key" in err
    found = parse((tmp_path / "tally.toml").read_bytes(), "tally.toml")
    wanted = {"suite": "golden-v1", "agent": ("my-agent", "{model}"), "model": "some-model", "key_variable": "MY_KEY"}
    assert found == wanted
    assert b"wrote tally.toml" in out
