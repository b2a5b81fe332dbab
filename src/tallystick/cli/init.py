"""`tally init`: a commented `tally.toml` for this folder, and `.tally/` kept out of git. No secret is ever written."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from tallystick.cli import settings
from tallystick.cli.config import toml_text
from tallystick.cli.layers import PROJECT_FILE, is_self_test, parse
from tallystick.cli.run import AgentCommand, argv_of
from tallystick.cli.screen import open_screen
from tallystick.cli.text import safe
from tallystick.core.errors import InputError, os_reason
from tallystick.flows.programs import found_agents
from tallystick.runner.presets import load_presets
from tallystick.suites.loading import load_suite

__all__ = ["app", "init", "looks_like_a_key"]

app: Final = typer.Typer()

Ask = Callable[[str, str], str]
"""Puts a question with its default; returns the answer."""

_SUITE: Final = "golden-v1"
_IGNORE: Final = Path(".gitignore")
_IGNORED: Final = frozenset({".tally", ".tally/", "/.tally", "/.tally/"})
_VARIABLE: Final = re.compile(r"[A-Z_][A-Z0-9_]{0,63}").fullmatch
_NO_VARIABLE: Final = "none"

_KNOWN_KEYS: Final = re.compile(
    r"(?:^|[^A-Za-z0-9])(?:sk-|sk_|pk_|rk_|gsk_|xai-|hf_|AIza|AKIA|ASIA|ghp_|gho_|github_pat_|glpat-|xox[abp]-|ya29\.|eyJ)"
    r"[A-Za-z0-9_.-]{8,}"
)
_LONG_WORD: Final = re.compile(r"[A-Za-z0-9_-]{32,}")


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What goes into the file. `agent` is the name of a known agent or a self-test, or a command line.

    `model` and `variable` are None where none is wanted.
    """

    suite: str
    agent: str | tuple[str, ...]
    model: str | None
    variable: str | None


@app.command(cls=AgentCommand)
def init(
    ctx: typer.Context,
    agent: Annotated[
        str | None,
        typer.Option(help="A name of tally agent list, a quoted command line, or oracle. Default: asked.", metavar="TEXT"),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="The model that the agent asks. Default: asked where one is needed.", metavar="NAME")
    ] = None,
    key_variable: Annotated[
        str | None,
        typer.Option(help="Variable with the provider key, or none. Default: the agent's own.", metavar="NAME"),
    ] = None,
    suite: Annotated[
        str | None, typer.Option(help="A packaged suite, or a path. Default: asked, golden-v1.", metavar="SUITE")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing; take the defaults.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a tally.toml that is there.")] = False,
) -> None:
    """Write tally.toml for this folder, and keep .tally/ out of git.

    Asks on a terminal for what no option says. The agent's command line may
    stand after --, as for tally run. Never writes a key, only the name of
    the variable that has it.
    """
    target = Path(PROJECT_FILE)
    if os.path.lexists(target) and not force:
        raise InputError(f"{target} is there already; see it with: tally config show --origin; replace it with --force")
    ask = _asker(asks=not yes)
    chosen = _choose(ctx_agent(agent, argv_of(ctx)), model, key_variable, suite, ask)
    text = _file_text(chosen)
    if parse(text.encode(), str(target)).get("suite") != chosen.suite:
        raise RuntimeError("the settings that were written say something else")
    _write(target, text)
    ignored = _keep_out_of_git(_IGNORE)
    done = [f"wrote {target}", *([f"added .tally/ to {_IGNORE}"] if ignored else [])]
    open_screen().say([*done, "next: tally doctor; tally run --dry-run; tally run"])


def ctx_agent(named: str | None, argv: tuple[str, ...]) -> str | tuple[str, ...] | None:
    """The agent as the command line gives it: a preset or a self-test by its name, or the words of a command line.

    Raises:
        InputError: two of them, or words that no shell would understand.
    """
    if named and argv:
        raise InputError(f"either --agent {named[:60]} or a command line after --, not both")
    if not named:
        return argv or None
    if named in load_presets() or is_self_test(named):
        return named
    try:
        return tuple(shlex.split(named)) or None
    except ValueError as error:
        raise InputError(f"--agent: not the words of a command line ({str(error).lower()})") from None


def _asker(*, asks: bool) -> Ask | None:
    """How to ask; None where nobody is to be asked, or nobody is there."""
    if not asks:
        return lambda _, default: default
    if not sys.stdin.isatty():
        return None

    def ask(question: str, default: str) -> str:
        return str(typer.prompt(question, default=default, err=True))

    return ask


def _choose(
    agent: str | tuple[str, ...] | None, model: str | None, variable: str | None, suite: str | None, ask: Ask | None
) -> _Chosen:
    """Put together what was given and what is asked for; everything is checked before anything is written."""

    def answer(given: str | None, question: str, option: str, default: str) -> str:
        if given is not None:
            return given
        if ask is None:
            raise InputError(f"{question.lower()}: nobody to ask here; give {option}, or --yes for {default!r}")
        return ask(question, default)

    named = answer(suite, "Suite", "--suite", _SUITE)
    load_suite(named)
    if agent is None:
        found = found_agents(settings.search_path())
        agent = ctx_agent(answer(None, "Agent", "--agent", found[0] if found else "oracle"), ()) or "oracle"
    if isinstance(agent, str) and is_self_test(agent):
        if model is not None:
            raise InputError(f"{agent} is a self-test and has no model; leave --model out")
        return _Chosen(named, agent, None, _variable(variable))
    if not isinstance(agent, str):
        _refuse_keys(agent)
    chosen_model = _model(agent, model, answer)
    chosen = answer(variable, "Variable with the provider key (none: no key)", "--key-variable", _default_variable(agent))
    return _Chosen(named, agent, chosen_model, _variable(chosen))


def _model(agent: str | tuple[str, ...], model: str | None, answer: Callable[[str | None, str, str, str], str]) -> str | None:
    """The model that is given, or asked for where the agent cannot do without."""
    if model is None and not isinstance(agent, str) and not any("{model}" in word for word in agent):
        return None
    name = answer(model, "Model", "--model", "")
    if not name:
        raise InputError("no model: this agent asks one; give --model NAME")
    return name


def _default_variable(agent: str | tuple[str, ...]) -> str:
    return load_presets()[agent].file.keys[0] if isinstance(agent, str) else _NO_VARIABLE


def _variable(given: str | None) -> str | None:
    """The name of a variable, checked; None for none.

    Raises:
        InputError: it is no name, or it is a key itself. The message does not repeat it.
    """
    if given is None or given == _NO_VARIABLE:
        return None
    if looks_like_a_key(given) or _VARIABLE(given) is None:
        raise InputError("--key-variable takes the name of a variable, such as OPENAI_API_KEY, and never the key itself")
    return given


def _refuse_keys(words: tuple[str, ...]) -> None:
    for index, word in enumerate(words):
        if looks_like_a_key(word):
            raise InputError(
                f"word {index + 1} of the agent's command line looks like a key; tally.toml is no place for one: "
                "set it as a variable and name that with --key-variable"
            )


def looks_like_a_key(text: str) -> bool:
    """Whether a text has the prefix of a provider's keys, or a long word of capitals, small letters and digits mixed."""
    if _KNOWN_KEYS.search(text):
        return True
    tests = (str.isupper, str.islower, str.isdigit)
    return any(all(any(map(test, word)) for test in tests) for word in _LONG_WORD.findall(text))


def _file_text(chosen: _Chosen) -> str:
    agent = chosen.agent
    said = "{instruction} becomes the task's text."
    if isinstance(agent, str):
        said = "A self-test: it measures no agent." if is_self_test(agent) else f"How it is started: tally agent show {agent}"
    model = f"model = {toml_text(chosen.model)}" if chosen.model else '# model = "..."'
    variable = f'key_variable = "{chosen.variable}"' if chosen.variable else '# key_variable = "OPENAI_API_KEY"'
    return f"""\
# Settings of `tally run` in this folder. What holds, and who says so: tally config show --origin
# An option on the command line wins, then a TALLY_* variable, then this file, then your own config.toml.

[run]
# A packaged suite (tally suite list), or the path of one.
suite = {toml_text(chosen.suite)}

# What runs each task, as after `--` on the command line. {said}
agent = {toml_text(agent)}

# The model it asks, through the gateway. With a model, an agent of your own gets the usual variables of the providers.
{model}

# Where the agent's provider key is: the name of the variable, never the key. `tally doctor` looks whether it is set.
# The key stays outside the sandbox: the agent asks models through a gateway, which puts it in.
{variable}

# attempts = 5         # at each task (-k)
# workers = 2          # attempts at once; one per processor, four at most
# budget = 2.50        # US dollars; no attempt starts once they are spent
# state = ".tally"     # folder of runs, which `tally run` resumes from
# key = "default"      # signing key, see: tally key list
"""


def _write(target: Path, text: str) -> None:
    """The file in one step; a link at its place is replaced, not followed."""
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with temporary.open("x", encoding="utf-8") as stream:
            stream.write(text)
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"cannot write {target.absolute()}: {os_reason(error)}") from None
    finally:
        temporary.unlink(missing_ok=True)


def _keep_out_of_git(path: Path) -> bool:
    """Add `.tally/` to a .gitignore, made where there is none; whether that was needed."""
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape") if path.exists() else ""
        if _IGNORED & {line.strip() for line in text.splitlines()}:
            return False
        gap = "" if not text or text.endswith("\n") else "\n"
        with path.open("a", encoding="utf-8") as stream:
            stream.write(f"{gap}.tally/\n")
    except OSError as error:
        raise InputError(f"cannot add .tally/ to {safe(str(path))}: {os_reason(error)}") from None
    return True
