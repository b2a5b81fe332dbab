"""Pages about settings, errors and doctor say what the program does; every option says its default or that it is required."""

import importlib
import os
import pkgutil
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

import tallystick
from scripts import man
from tallystick.cli import main
from tallystick.cli.front import build
from tallystick.cli.help import VERBS, compat_lines, is_here
from tallystick.cli.layers import KEYS
from tallystick.core.errors import InputError, TallyError
from tests.repo.docs import DOCS, codes, prose, sections


def table(page: str, *head: str) -> list[tuple[str, ...]]:
    """The rows of every table of a page whose head starts with these words."""
    return [
        row
        for section in sections(DOCS / page)
        for each in section.tables
        if each.head[: len(head)] == head
        for row in each.rows
    ]


# --- errors ---


def errors() -> dict[str, type[TallyError]]:
    """Every error of the package that a user could meet."""
    for module in pkgutil.walk_packages(tallystick.__path__, "tallystick."):
        if not any(part in module.name for part in (".inside.", ".free.", ".packaged")):
            importlib.import_module(module.name)
    found: dict[str, type[TallyError]] = {}
    waiting = [TallyError]
    while waiting:
        cls = waiting.pop()
        found[cls.__name__] = cls
        waiting += cls.__subclasses__()
    return {name: cls for name, cls in found.items() if cls.__module__.startswith("tallystick.")}


def test_errors_with_their_exit_codes() -> None:
    rows = {codes(row[0])[0]: int(row[1]) for row in table("errors.md", "error")}
    found = errors()
    assert [name for name in rows if name not in found] == []
    assert {name: found[name].exit_code for name in rows} == rows
    unsaid = [name for name, cls in found.items() if name not in rows and not issubclass(cls, InputError)]
    assert unsaid == [], "an error that is no InputError has its own row"
    assert {found[name].exit_code for name in found if issubclass(found[name], InputError)} == {2}


def test_exit_codes() -> None:
    rows = {int(codes(row[0])[0]) for row in table("errors.md", "exit code")}
    by_signal = {128 + number for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    assert rows == {0, main.EXIT_FAILED, main.EXIT_USAGE, main.EXIT_BUG, *by_signal}
    assert (TallyError.exit_code, InputError.exit_code) == (main.EXIT_FAILED, main.EXIT_USAGE)


# --- settings ---


def test_settings() -> None:
    rows = {codes(row[0])[0]: row for row in table("settings.md", "key", "variable")}
    assert list(rows) == list(KEYS)
    options = {word for item in run_params() for word in item.opts}
    for name, row in rows.items():
        assert codes(row[1]) == [f"TALLY_{name.upper()}"]
        assert row[3].replace("`", "") == KEYS[name].default
        assert {word for word in codes(row[2]) if word.startswith("--") and word != "--"} <= options


def run_params() -> list[Any]:
    return list(build().get_command(None, "run").params)


# --- doctor ---


def test_every_check_of_doctor_is_described() -> None:
    described = {codes(row[0])[0] for row in table("doctor.md", "check")}
    source = ""
    for name in ("doctor", "pins", "places", "programs"):
        file = importlib.import_module(f"tallystick.flows.{name}").__file__
        assert file is not None
        with open(file, encoding="utf-8") as stream:  # noqa: PTH123  # a module's own path
            source += stream.read()
    named = set(re.findall(r'(?:Finding|Place|_program|_refused)\(\s*"([a-z]+)"', source))
    assert described == named


def test_mends_of_the_sandbox_are_in_the_page() -> None:
    from tallystick.sandbox import drivers  # noqa: PLC0415  # private names of one module

    text = set(codes(prose(DOCS / "doctor.md")))
    for _, _, command in drivers._SWITCHES:
        assert command in text
    assert drivers._OLD_WSL.removeprefix("run: ") in text


# --- help texts ---


def parameters() -> Iterator[tuple[str, Any]]:
    def visit(command: Any, name: str) -> Iterator[tuple[str, Any]]:
        if hasattr(command, "list_commands"):
            for each in command.list_commands(None):
                yield from visit(command.get_command(None, each), f"{name} {each}")
            return
        for param in command.params:
            if not getattr(param, "hidden", False):
                yield f"{name} {param.opts[0]}", param

    yield from visit(build(), "tally")


@pytest.mark.parametrize(("name", "param"), list(parameters()), ids=lambda value: value if isinstance(value, str) else "")
def test_every_option_says_its_default_or_that_it_is_required(name: str, param: Any) -> None:
    """Switches are off where they are not given, and the usage line shows which arguments may be left out."""
    if param.param_type_name == "argument" or param.is_flag:
        return
    shown = param.required or (param.default not in (None, "", []) and bool(param.show_default))
    assert shown or re.search(r"Default: |\(default\)|[Rr]equired\b", param.help or ""), f"{name}: {param.help!r}"


# --- manual page ---


def test_the_manual_page_is_what_the_help_texts_say() -> None:
    assert man.FILE.read_text(encoding="utf-8") == man.page(), "run: make man"


@pytest.mark.skipif(shutil.which("man") is None, reason="needs another program: man")
def test_the_manual_page_reads_without_warnings() -> None:
    command = ["man", "--warnings=w", "--local-file", str(man.FILE)]
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80", "MANROFFSEQ": ""}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.stderr == ""
    assert "tally run" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


# --- verbs of other tools ---


def test_verbs_of_other_tools_are_looked_up_and_fit() -> None:
    lines = list(compat_lines())
    assert max(map(len, lines)) <= 80
    root = build()
    for _, verbs in VERBS:
        for verb in verbs:
            mark = "+" if is_here(verb, root) else "-"
            assert any(line.startswith(f"  {mark} {verb.theirs}:") for line in lines), verb
    here = {verb.here for _, verbs in VERBS for verb in verbs if is_here(verb, root)}
    assert {"bench run", "bench verify"} <= here
