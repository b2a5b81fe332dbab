"""Completion: what may stand at the cursor, and that real shells offer it."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tallystick.cli.completing import answer
from tallystick.cli.completion import SCRIPTS
from tallystick.cli.front import COMMANDS
from tallystick.cli.layers import SELF_TESTS
from tallystick.flows.adapters import ADAPTERS
from tallystick.runner.ladder import RUNGS
from tallystick.runner.presets import load_presets
from tallystick.suites.loading import load_suite, packaged_names
from tests.repo.project import SRC
from tests.support.cohort_lives import begun
from tests.unit.cli.conftest import Tally

TASKS = [task.id for task in load_suite("golden-v1").tasks]
ALL_TASKS = [task.id for name in packaged_names() for task in load_suite(name).tasks]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def offered(*words: str) -> tuple[str, list[str]]:
    """(what else the shell offers, the words) for what stands after `tally`."""
    besides, *lines = answer(["words", *words]).splitlines()
    return besides, [line.partition("\t")[0] for line in lines]


def on_line(line: str) -> list[str]:
    """As bash asks: the whole line, and the characters at which it ends a word."""
    return [each.partition("\t")[0] for each in answer(["line", " \t\n\"'><=;|&(:", line]).splitlines()[1:]]


def test_commands() -> None:
    assert offered("")[1] == [name for entries in COMMANDS.values() for name in entries]
    assert offered("ver") == ("words", ["verify"])
    assert offered("--v") == ("words", ["--version"])
    assert "check" in offered("suite", "")[1]
    assert offered("suite", "nonsense", "") == ("words", [])
    assert offered("nonsense", "") == ("words", [])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("run", ""), ("files", list(packaged_names()))),
        (("run", "golden-v1", "--task", ""), ("words", TASKS)),
        (("run", "--task", ""), ("words", ALL_TASKS)),
        (("suite", "show", "golden-v1", "--task", "file"), ("words", ["file_io_read_write"])),
        (("show", "b.json", "--suite", "golden-v1", "--task", "doc"), ("words", ["doc_update_docstring"])),
        (("run", "golden-v1", "--task=file"), ("words", ["--task=file_io_read_write"])),
        (("run", "--sandbox", ""), ("words", ["bwrap", "none"])),
        (("run", "--agent-v"), ("words", ["--agent-version"])),
        (("run", "--budget", ""), ("words", [])),
        (("run", "--out", ""), ("files", [])),
        (("run", "--state", ""), ("folders", [])),
        (("verify", ""), ("files", [])),
        (("run", "golden-v1", "--", ""), ("commands", [])),
        (("run", "golden-v1", "--", "my-agent", "--t"), ("files", [])),
        (("init", "--agent", "qw"), ("words", ["qwen-code"])),
        (("init", "--key-variable", "ANTH"), ("words", ["ANTHROPIC_API_KEY"])),
        (("suite", "ladder", "golden-v1", ""), ("files", list(packaged_names()))),
        (("suite", "ladder", "golden-v1", "--rung", ""), ("words", list(RUNGS))),
        (("completion", ""), ("words", ["bash", "zsh", "fish"])),
        (("help", "com"), ("words", ["compat", "compare", "completion"])),
        (("help", "key", "tr"), ("words", ["trust"])),
        (("key", "new", ""), ("words", [])),
    ],
)
def test_what_may_stand_at_the_cursor(words: tuple[str, ...], expected: tuple[str, list[str]]) -> None:
    assert offered(*words) == expected


def test_agents_are_the_adapters_and_the_cheats_of_the_suite() -> None:
    assert {name.partition(":")[0] for name in ADAPTERS} == {*SELF_TESTS, "cheat", "ladder", "partial", "scripted", "command"}
    rungs = {f"ladder:{name}" for name in RUNGS}
    assert set(offered("run", "golden-v1", "--agent", "")[1]) == {*SELF_TESTS, *rungs, "scripted:", *load_presets()}
    cheats = {f"cheat:{cheat.name}" for cheat in load_suite("golden-v1").cheats}
    assert set(offered("run", "golden-v1", "--agent", "cheat:")[1]) == cheats


def test_keys_that_are_there(tally: Tally) -> None:
    assert offered("run", "--key", "") == ("words", [])
    for name in ("default", "other"):
        assert tally("key", "new", name).code == 0
    assert offered("run", "--key", "") == ("words", ["default", "other"])
    assert offered("key", "show", "o") == ("words", ["other"])


def test_tasks_of_the_suite_that_tally_toml_or_the_folder_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = tmp_path / "mine/smoke/only_task"
    task.mkdir(parents=True)
    (task / "task.md").write_text("---\ntitle: one\nassertions:\n- {kind: file_exists, path: x}\n---\nMake x.\n")
    (tmp_path / "mine/suite.yaml").write_text("version: mine-v1\norder: [only_task]\n")
    (tmp_path / "tally.toml").write_text('[run]\nsuite = "mine"\n')
    assert offered("run", "--task", "") == ("words", ["only_task"])
    assert offered("run", "golden-v1", "--task", "") == ("words", TASKS)
    monkeypatch.chdir(tmp_path / "mine")
    assert offered("task", "try", "") == ("words", ["only_task"])
    assert offered("task", "check", "only_task", "--suite", "") == ("files", list(packaged_names()))
    assert offered("task", "new", "") == ("words", [])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tally ru", ["run"]),
        ("/some/where/tally run golden-v1 --task fi", ["file_io_read_write"]),
        ("tally run golden-v1 --task=fi", ["file_io_read_write"]),
        ("tally run golden-v1 --agent cheat:always_g", ["always_green"]),
        (
            "tally run golden-v1 --agent chea",
            [f"cheat:{name}" for name in sorted({c.name for c in load_suite("golden-v1").cheats})],
        ),
        ('tally run "golden-v1" --task "fi', ["file_io_read_write"]),
        ("tally run golden-v1 --sandbox ", ["bwrap", "none"]),
        ("tally 'unfinished", []),
    ],
)
def test_lines_as_bash_hands_them_on(line: str, expected: list[str]) -> None:
    assert on_line(line) == expected


@pytest.mark.parametrize("words", [["words"], ["words", "run", "nowhere", "--task", ""], ["line", "", ""], []])
def test_nothing_is_said_where_something_is_wrong(words: list[str], tally: Tally) -> None:
    said = tally("__complete", *words)
    assert (said.code, said.err) == (0, "")


def test_a_broken_settings_file_does_not_upset_the_shell(tmp_path: Path, tally: Tally) -> None:
    (tmp_path / "tally.toml").write_text("nonsense")
    assert tally("__complete", "words", "run", "--task", "").err == ""


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_script_is_what_is_printed(shell: str, tally: Tally) -> None:
    assert tally("completion", shell).out == SCRIPTS[shell]


# --- real shells ---


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A `tally` on a path of its own, and files to complete."""
    path = tmp_path / "bin/tally"
    path.parent.mkdir()
    path.write_text(
        f"#!/bin/sh\nPYTHONPATH={SRC} exec {sys.executable} -P -c 'from tallystick.cli.main import main; main()' \"$@\"\n"
    )
    path.chmod(0o755)
    (tmp_path / "a bundle.json").touch()
    (tmp_path / "folder").mkdir()
    return path


def shell_or_skip(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs another program: {name}")
    return found


BASH = """\
PATH={bin}:$PATH
source <(tally completion bash)
COMP_LINE={line}; COMP_POINT=${{#COMP_LINE}}
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
compopt() {{ :; }}
_tally
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("line", "words", "expected"),
    [
        ("'tally ver'", "tally ver", ["verify"]),
        ("'tally run golden-v1 --agent cheat:always_g'", "tally run golden-v1 --agent cheat : always_g", ["always_green"]),
        ("'tally verify a'", "tally verify a", ["a bundle.json"]),
        ("'tally demo --keep f'", "tally demo --keep f", ["folder"]),
        ("'tally run golden-v1 -- bas'", "tally run golden-v1 -- bas", ["bash", "basename"]),
    ],
)
def test_the_function_in_bash(program: Path, tmp_path: Path, line: str, words: str, expected: list[str]) -> None:
    source = BASH.format(bin=program.parent, line=line, words=words)
    done = subprocess.run(
        [shell_or_skip("bash"), "--norc", "-c", source], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert set(expected) <= set(done.stdout.splitlines()), done.stdout


class Terminal:
    """A shell at a terminal, typed into."""

    def __init__(self, argv: list[str], environment: dict[str, str], cwd: Path) -> None:
        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            os.chdir(cwd)
            os.execve(argv[0], argv, environment)
        self._seen = ""

    def type(self, text: str) -> None:
        os.write(self._fd, text.encode())

    def wait_for(self, text: str) -> str:
        """Everything on the screen, once `text` is on it; fails when it does not come."""
        end = time.monotonic() + 60
        while text not in self._seen:
            if not select.select([self._fd], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"{text!r} did not come; on the screen: {self._seen!r}")
            self._seen += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", os.read(self._fd, 4096).decode(errors="replace"))
        seen, self._seen = self._seen, ""
        return seen

    def close(self) -> None:
        os.close(self._fd)
        os.kill(self._pid, 9)
        os.waitpid(self._pid, 0)


START = {
    "bash": (["--norc", "-i"], 'PS1="ready> "; source <(tally completion bash)\n'),
    "zsh": (["-f", "-i"], 'PS1="ready> "; autoload -Uz compinit; compinit -u -D; eval "$(tally completion zsh)"\n'),
}


@pytest.fixture(params=START)
def terminal(request: pytest.FixtureRequest, program: Path, tmp_path: Path) -> Iterator[Terminal]:
    options, start = START[request.param]
    environment = {"HOME": str(tmp_path), "PATH": f"{program.parent}:{os.environ['PATH']}", "TERM": "dumb", "LANG": "C.UTF-8"}
    opened = Terminal([shell_or_skip(request.param), *options], environment, tmp_path)
    try:
        opened.type(start)
        opened.type("echo star''ted\n")
        opened.wait_for("started")
        yield opened
    finally:
        opened.close()


def test_tab_at_a_terminal(terminal: Terminal) -> None:
    terminal.type("tally su\t")
    terminal.wait_for("suite ")
    terminal.type("show golden-v1 --task file\t")
    terminal.wait_for("file_io_read_write")
    terminal.type("\necho ne''xt\n")
    terminal.wait_for("next")
    terminal.type("tally verify a\\ b\t")
    terminal.wait_for("bundle.json")


def test_fish(program: Path, tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "PATH": f"{program.parent}:{os.environ['PATH']}", "LANG": "C.UTF-8"}

    def complete(line: str) -> list[str]:
        source = f"tally completion fish | source; complete -C '{line}'"
        done = subprocess.run(
            [shell_or_skip("fish"), "--no-config", "-c", source],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        return [each.partition("\t")[0] for each in done.stdout.splitlines()]

    assert complete("tally ver") == ["verify"]
    assert complete("tally run golden-v1 --task fi") == ["file_io_read_write"]
    assert complete("tally run golden-v1 --agent cheat:always_g") == ["cheat:always_green"]
    assert any("bundle.json" in each for each in complete("tally verify a"))
    assert complete("tally demo --keep f") == ["folder/"]


def test_cohorts_and_their_tasks(tmp_path: Path) -> None:
    life = begun(tmp_path)
    assert offered("run", "cohort:")[1] == ["cohort:cohort"]
    assert offered("run", "--suite", "cohort:co")[1] == ["cohort:cohort"]
    assert on_line("tally run cohort:") == ["cohort"]
    ids = [task["id"] for task in life.value["tasks"]]
    for cohort in ("cohort", life.path):
        assert offered("cohort", "exclude", cohort, "--task", "")[1] == ids
    assert offered("cohort", "exclude", "nothing", "--task", "")[1] == []
