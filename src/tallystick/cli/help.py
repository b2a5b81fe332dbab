"""`tally help`: the help of any command, and what the verbs of other tools are here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer

from tallystick.cli.front import COMMANDS, build
from tallystick.cli.screen import open_screen
from tallystick.cli.text import wrapped

__all__ = ["VERBS", "Verb", "app", "compat_lines", "help_page", "is_here"]

app: Final = typer.Typer()


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of another tool. `here` are the words it will have, or has, here; empty where nothing is planned.

    Whether it exists is looked up in the command tree and never written down, so this page cannot promise too much.
    """

    theirs: str
    here: str
    says: str


_BENCH: Final = (
    Verb("bench run SUITE", "bench run", "without an agent it tries the suite; with one: tally run SUITE -- AGENT"),
    Verb(
        "bench run --reliability K", "bench run --reliability", "until then: tally run SUITE -k K -- AGENT keeps all K attempts"
    ),
    Verb("bench verify BUNDLE", "bench verify", "the same as tally verify; --signer-key is --trusted-key"),
    Verb("bench submit BUNDLE", "bench submit", "until then: send the file, its reader runs tally verify"),
    Verb("bench reliability-verify", "bench reliability-verify", "until then: tally verify checks every attempt of a bundle"),
    Verb("bench reliability-check", "bench reliability-check", "until then: tally show FILE --task ID"),
    Verb("bench compare A B", "bench compare", ""),
    Verb("bench gate-evasion-baseline", "", "no counterpart; tests/attacks holds what must be refused"),
)
_EVAL: Final = (
    Verb("eval run", "eval run", "scores bundles, runs and telemetry, or runs an agent first"),
    Verb("eval run --tier, --compare", "eval run --tier", "adversarial only when named"),
    Verb("eval report", "eval report", "until then: tally show FILE"),
    Verb("eval failures", "eval failures", "until then: tally show FILE says why a task did not pass"),
    Verb("eval --reliability K", "eval --reliability", "as bench run --reliability"),
    Verb("eval clean-run verify HASH", "eval clean-run verify", ""),
    Verb("eval gate, eval gate-verify", "eval gate", ""),
    Verb("benchmark receipt emit RUN", "benchmark receipt emit", "until then: a bundle embeds the receipt of every attempt"),
    Verb("benchmark receipt verify HASH", "benchmark receipt verify", "until then: tally verify takes a receipt as a file"),
    Verb("audit verify", "audit verify", "until then: tally verify, file by file"),
)
_COHORT: Final = tuple(
    Verb(f"benchmark_cohort.py {verb}", f"cohort {verb}", "")
    for verb in ("validate", "definition-digest", "definition-json", "self-test")
)
VERBS: Final = (("bernstein", (*_BENCH, *_EVAL)), ("tools/benchmark_cohort.py", _COHORT))

_PAGE: Final = """\
Usage: tally help [TOPIC...]

  tally help COMMAND   the help of a command, as tally COMMAND --help
  tally help compat    what the verbs of other tools are here
"""


@app.command("help")
def help_page(
    topic: Annotated[list[str] | None, typer.Argument(help="A command, such as run or suite check; or compat.")] = None,
) -> None:
    """Show the help of a command, or what other tools' verbs are here."""
    screen = open_screen()
    if not topic:
        screen.say([*_PAGE.splitlines(), "", *_command_lines()])
    elif topic == ["compat"]:
        screen.say(compat_lines())
    else:
        build().main(args=[*topic, "--help"], prog_name="tally", standalone_mode=False)


def _command_lines() -> Iterator[str]:
    yield "Commands"
    for entries in COMMANDS.values():
        for name, entry in entries.items():
            yield f"  {name:<11} {entry.says}"


def compat_lines() -> Iterator[str]:
    """The page: each verb, and what it is here."""
    yield "Verbs of other tools, and what they are here. A + is there today, a - is not."
    root = build()
    for tool, verbs in VERBS:
        yield ""
        yield tool
        for verb in verbs:
            there = is_here(verb, root)
            named = f"tally {verb.here}" if there else f"not yet (will be tally {verb.here})" if verb.here else "no"
            yield from wrapped(f"{verb.theirs}: {named}", first=f"  {'+' if there else '-'} ", rest="      ")
            if verb.says and not (there and verb.says.startswith("until then")):
                yield from wrapped(verb.says, first="      ")


def is_here(verb: Verb, root: Any) -> bool:  # noqa: ANN401  # typer's copy of click, or click
    """Whether the command tree has this verb, and the option it ends with."""
    command, option = root, ""
    for word in verb.here.split():
        if word.startswith("--"):
            option = word
            break
        command = command.get_command(None, word) if hasattr(command, "list_commands") else None
        if command is None:
            return False
    names = {name for param in command.params for name in param.opts}
    return bool(verb.here) and (not option or option in names)
