"""The front page and every help text: complete, plain, no wider than 80 columns."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import tallystick
from tallystick.cli.front import COMMANDS, build
from tests.repo.project import PACKAGE, SRC
from tests.unit.cli.conftest import Tally


def walk(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with its path, the nouns too."""
    yield path, command
    if hasattr(command, "list_commands"):
        context = typer.Context(command)
        for name in command.list_commands(context):
            yield from walk(command.get_command(context, name), (*path, name))


PATHS = [path for path, _ in walk(build())]


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_help_text_fits_and_says_something(path: tuple[str, ...], tally: Tally) -> None:
    said = tally(*path, "--help")
    assert said.code == 0
    assert not said.err
    assert said.out.startswith(f"Usage: {' '.join(['tally', *path])} ")
    assert max(map(len, said.out.splitlines())) <= 80
    assert "\x1b" not in said.out


def test_every_command_and_option_is_explained() -> None:
    for path, command in list(walk(build()))[1:]:
        assert command.help, path
        for param in command.params:
            assert getattr(param, "help", None), (path, param.name)


def test_the_front_page_names_every_command(tally: Tally) -> None:
    said = tally()
    assert said == tally("--help")
    for title, entries in COMMANDS.items():
        assert title in said.out
        for name, entry in entries.items():
            assert f"  {name} " in said.out
            assert entry.says in said.out


def test_version(tally: Tally) -> None:
    assert tally("--version").out == f"tally {tallystick.__version__}\n"


@pytest.mark.parametrize(("typed", "meant"), [("vrify", "verify"), ("runn", "run"), ("suites", "suite")])
def test_a_mistyped_command_is_suggested(typed: str, meant: str, tally: Tally) -> None:
    said = tally(typed)
    assert said.code == 2
    assert said.err == f"tally: no command {typed!r}; did you mean {meant}?\n"


def test_a_strange_command_is_one_line(tally: Tally) -> None:
    said = tally("\x1b[2J" + "x" * 5000)
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert "\x1b" not in said.err
    assert len(said.err) < 200


def test_a_noun_alone_shows_its_commands(tally: Tally) -> None:
    said = tally("bench")
    assert said.code == 2
    assert "verify" in said.out + said.err


def loaded_by(*args: str) -> set[str]:
    """Modules that a process has loaded after running `tally ARGS`."""
    script = "import sys; from tallystick.cli.main import run; run(sys.argv[1:]); print('\\n' + '\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script, *args],
        env={"PYTHONPATH": str(SRC), "HOME": "/nonexistent"},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines())


@pytest.mark.parametrize("args", [("--version",), ("--help",)])
def test_the_front_page_loads_no_room(args: tuple[str, ...]) -> None:
    rooms = {name.split(".")[1] for name in loaded_by(*args) if name.startswith("tallystick.")}
    assert rooms == {"cli", "core"}


def test_a_verification_that_runs_nothing_loads_nothing_that_runs(bundle: Path) -> None:
    loaded = loaded_by("verify", "--no-exec", str(bundle))
    assert "tallystick.verify.bundle" in loaded
    for module in ("rich", "yaml", "tallystick.attest", "tallystick.runner", "tallystick.sandbox", "tallystick.trust.signing"):
        assert module not in loaded, module


def environment_readers() -> Iterator[str]:
    """Modules of cli that name the environment."""
    for path in (PACKAGE / "cli").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in {"environ", "environb", "getenv", "expanduser"}:
                yield path.name
            if isinstance(node, ast.keyword) and node.arg == "envvar":
                yield path.name


def test_one_module_reads_the_environment() -> None:
    assert set(environment_readers()) == {"settings.py"}
