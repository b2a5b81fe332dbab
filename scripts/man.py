"""Write docs/man/tally.1, the manual page, from the help texts of the commands; see man(7) for the format."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tallystick.cli.front import COMMANDS, build
from tallystick.cli.layers import KEYS
from tallystick.cli.run import AgentCommand

FILE = Path(__file__).resolve().parent.parent / "docs" / "man" / "tally.1"

# typer brings its own copy of click, or click itself, depending on its release.
AnyCommand = Any
AnyParam = Any

_EXIT = (
    ("0", "done, verified, proven, or runs are possible"),
    ("1", "not verified, not proven, runs are not possible, or the machine refused"),
    ("2", "input that cannot be read, or a command used wrongly"),
    ("70", "a bug in tally"),
    ("130", "stopped by Ctrl-C"),
    ("143", "stopped by SIGTERM"),
    ("129", "stopped by SIGHUP"),
)


def escaped(text: str) -> str:
    """Text as roff: no backslash, dash or leading dot may mean anything."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def page() -> str:
    """The whole manual page."""
    return "\n".join([*_head(), *_commands(), *_settings(), *_tail()]) + "\n"


def _head() -> Iterator[str]:
    yield '.\\" Written by scripts/man.py from the help texts; edit those.'
    yield ".TH TALLY 1"
    yield ".SH NAME"
    yield "tally \\- run coding agents on benchmark tasks and verify what others ran"
    yield ".SH SYNOPSIS"
    yield "\\fBtally\\fR \\fICOMMAND\\fR ..."
    yield ".SH DESCRIPTION"
    yield "Runs coding agents on benchmark tasks and seals what happened in one signed file."
    yield "Anyone derives the score again from that file alone, offline."


def _commands() -> Iterator[str]:
    root = build()
    for title, entries in COMMANDS.items():
        yield f".SH {escaped(title).upper()}"
        for name in entries:
            yield from _command(root.get_command(None, name), f"tally {name}")


def _command(command: AnyCommand, name: str) -> Iterator[str]:
    if hasattr(command, "list_commands"):
        for each in command.list_commands(None):
            yield from _command(command.get_command(None, each), f"{name} {each}")
        return
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option" and not param.hidden]
    yield f".SS {escaped(name)}{escaped(_usage(command, arguments))}"
    for paragraph in (command.help or "").split("\n\n"):
        yield ".PP"
        yield escaped(" ".join(paragraph.split()))
    for param in arguments:
        yield from _item(_metavar(param), param)
    for param in options:
        metavar = "" if param.is_flag else f" {_metavar(param)}"
        yield from _item(", ".join((*param.opts, *param.secondary_opts)) + metavar, param)


def _usage(command: AnyCommand, arguments: list[AnyParam]) -> str:
    words = [_metavar(param) if param.required else f"[{_metavar(param)}]" for param in arguments]
    agent = ["[-- AGENT ARGV...]"] if isinstance(command, AgentCommand) else []
    return "".join(f" {word}" for word in [*words, *agent])


def _metavar(param: AnyParam) -> str:
    if param.metavar:
        return str(param.metavar)
    choices = getattr(param.type, "choices", None)
    if choices:
        return "|".join(str(getattr(choice, "value", choice)) for choice in choices)
    return str(param.name if param.param_type_name == "argument" else param.type.name).upper()


def _item(term: str, param: AnyParam) -> Iterator[str]:
    default = param.default
    known = param.param_type_name == "option" and not param.is_flag and default not in (None, "") and not callable(default)
    yield ".TP"
    yield f"\\fB{escaped(term)}\\fR"
    yield escaped(
        " ".join((param.help or "").split())
        + (f" Default: {default}" if known and "efault" not in param.help else "")
        + (" Required." if param.required and param.param_type_name == "option" else "")
    )


def _settings() -> Iterator[str]:
    yield ".SH SETTINGS"
    yield escaped("An option wins over a variable, that over the table [run] of tally.toml, that over your own config.toml.")
    for name, key in KEYS.items():
        yield ".TP"
        yield f"\\fB{escaped(name)}\\fR, \\fBTALLY_{name.upper()}\\fR"
        yield escaped(f"{key.says}. Default: {key.default}")


def _tail() -> Iterator[str]:
    yield ".SH EXIT STATUS"
    for code, says in _EXIT:
        yield ".TP"
        yield f"\\fB{code}\\fR"
        yield escaped(says)
    yield ".SH FILES"
    for path, says in (
        (".tally/", "runs and blobs of the working directory"),
        ("tally.toml", "settings of the working directory"),
        ("~/.config/tallystick/config.toml", "your own settings"),
        ("~/.config/tallystick/keys/", "your keys, and those you trust"),
    ):
        yield ".TP"
        yield f"\\fI{escaped(path)}\\fR"
        yield escaped(says)


def main() -> int:
    """Write the page."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
