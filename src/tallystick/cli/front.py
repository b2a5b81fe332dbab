"""The command `tally` itself: its front page, and its commands, each loaded when it is asked for.

Loading one noun costs tens of milliseconds, and `tally verify` is to take less than two hundred in all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperGroup

import tallystick
from tallystick.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["COMMANDS", "Entry", "FrontGroup", "build"]

# typer brings its own copy of click, or click itself, depending on its release, and the classes of both are not one.
AnyContext = Any
AnyCommand = Any


@dataclass(frozen=True, slots=True)
class Entry:
    """A command of the front page: the module that has it as `app`, and its line there."""

    module: str
    says: str


COMMANDS: Final[Mapping[str, Mapping[str, Entry]]] = {
    "Start here": {
        "demo": Entry("demo", "See it work: run, verify, tamper, be caught."),
        "init": Entry("init", "Write tally.toml: which agent, which suite."),
        "doctor": Entry("doctor", "What this machine can do, and what mends it."),
        "run": Entry("run", "Run a suite with an agent and write one signed bundle."),
        "merge": Entry("merge", "Make one bundle of the parts of a divided run."),
        "verify": Entry("verify", "Derive a bundle's score again from the evidence in it."),
        "show": Entry("show", "What each task asked, what changed, why it passed or not."),
        "compare": Entry("compare", "Two runs compared: who passes more, if that was shown."),
        "ci": Entry("ci", "Judge a bundle for a CI server, alone or against another."),
        "export": Entry("export", "A bundle as csv, ndjson, junit or markdown."),
    },
    "Things": {
        "task": Entry("task_check", "Tasks of your own: make, try and check them."),
        "suite": Entry("suite_stats", "Suites: list, show, hash, build, draw, check, stats, ladder."),
        "cohort": Entry("cohort_report", "Cohorts: tasks frozen before outcomes; check and hash them."),
        "eval": Entry("eval", "Golden tiers: score attempts, report, failures, explain."),
        "bundle": Entry("bundle", "Bundle files: withhold parts of one, visibly."),
        "agent": Entry("agent_check", "Known agents: which are here, how each is started."),
        "key": Entry("key", "Keys: your own, and those of others you trust."),
    },
    "Settings and help": {
        "config": Entry("config", "Which settings hold, and who says so."),
        "completion": Entry("completion", "Completion of names and options in your shell."),
        "help": Entry("help", "Help on a command; what other tools' verbs are here."),
    },
    "Other names for the same": {
        "bench": Entry("bench", "run, verify, compare as others call them; reliability, gate."),
    },
}

_HEAD: Final = """\
Usage: tally COMMAND ...

Runs coding agents on benchmark tasks and seals what happened in one signed
file. Anyone derives the score again from that file alone, offline.
"""
_FOOT: Final = """\
Options
  --version  Show the version.
  --help     Show this page; tally COMMAND --help says more about one command.

First steps
  tally demo
  tally doctor
  tally run golden-v1 -- my-agent '{instruction}'
  tally verify golden-v1-my-agent.json
"""


def front_page() -> str:
    """The page that `tally` and `tally --help` show."""
    parts = [_HEAD]
    for title, entries in COMMANDS.items():
        rows = "".join(f"  {name:<10} {entry.says}\n" for name, entry in entries.items())
        parts.append(f"{title}\n{rows}")
    return "\n".join([*parts, _FOOT])


class FrontGroup(TyperGroup):
    """Finds commands by name and loads only the one that is used."""

    def list_commands(self, ctx: AnyContext) -> list[str]:  # noqa: ARG002  # the shape of the base class
        """Every command, in the order of the front page."""
        return [name for entries in COMMANDS.values() for name in entries]

    def get_command(self, ctx: AnyContext, cmd_name: str) -> AnyCommand:  # noqa: ARG002  # as above
        """The command of this name, loaded now; None if there is none."""
        entry = next((entries[cmd_name] for entries in COMMANDS.values() if cmd_name in entries), None)
        return None if entry is None else load(cmd_name, entry)

    def resolve_command(self, ctx: AnyContext, args: list[str]) -> Any:  # noqa: ANN401  # as above
        """As the base class, but an unknown name is one line of ours."""
        name = args[0]
        if not name.startswith("-") and name not in self.list_commands(ctx):
            raise InputError(_unknown(name, self.list_commands(ctx)))
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: AnyContext) -> str:  # noqa: ARG002  # the shape of the base class
        """The front page."""
        return front_page().rstrip("\n")


def load(name: str, entry: Entry) -> Any:  # noqa: ANN401  # as above
    """The command of an entry, with help as plain text: rich takes 24 ms to import, and colours no word that matters."""
    app: typer.Typer = import_module(f"tallystick.cli.{entry.module}").app
    app.rich_markup_mode = None
    app.pretty_exceptions_enable = False
    app._add_completion = False  # noqa: SLF001  # a noun's own app would offer to install completion for itself
    command = typer.main.get_command(app)
    command.name = name
    return command


def _unknown(name: str, known: Sequence[str]) -> str:
    import difflib  # noqa: PLC0415  # only for people who mistyped

    near = difflib.get_close_matches(name, known, n=1)
    return f"no command {name[:60]!r}; {f'did you mean {near[0]}?' if near else 'see: tally --help'}"


def _version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"tally {tallystick.__version__}")
        raise typer.Exit


def build() -> Any:  # noqa: ANN401  # as above
    """The whole command line."""
    app = typer.Typer(
        cls=FrontGroup,
        add_completion=False,
        no_args_is_help=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        invoke_without_command=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )

    @app.callback()
    def front(
        ctx: typer.Context,
        version: bool = typer.Option(False, "--version", callback=lambda value: _version(wanted=value), is_eager=True),  # noqa: ARG001
    ) -> None:
        if ctx.invoked_subcommand is None:
            typer.echo(ctx.get_help())

    return typer.main.get_command(app)
