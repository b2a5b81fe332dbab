"""`tally run`: an agent on every task of a suite, one signed bundle at the end. `tally bench run` is the same act."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer
from msgspec import convert
from typer.core import TyperCommand, TyperGroup

from tallystick.cli import settings
from tallystick.cli.layers import Layers
from tallystick.cli.options import WorkersOption
from tallystick.cli.screen import Screen, open_screen
from tallystick.cli.text import safe
from tallystick.cli.ways import ModelOptions
from tallystick.core.errors import InputError
from tallystick.core.exact import Num, to_num
from tallystick.records.shard import Share

__all__ = [
    "AgentCommand",
    "AgentGroup",
    "AgentHomeOption",
    "BenchCommand",
    "MaxCallsOption",
    "ModelOption",
    "MountOption",
    "RunOptions",
    "TaskOption",
    "UpstreamOption",
    "app",
    "argv_of",
    "run",
]

app: Final = typer.Typer()

_SHARE = re.compile(r"([1-9][0-9]{0,4})/([1-9][0-9]{0,4})").fullmatch
_ARGV: Final = "tallystick.argv"
_DEFAULT_AGENT: Final = "tallystick.default_agent"
# typer brings its own copy of click, or click itself, depending on its release, and the classes of both are not one.
AnyContext = Any


@dataclass(frozen=True, slots=True)
class RunOptions:
    """A command line of `tally run`, read. `argv` is what stood after `--`."""

    suite: str
    agent: str | None = None
    argv: tuple[str, ...] = ()
    attempts: int = 1
    reliability: bool = False
    """Write a reliability receipt about the attempts instead of their bundle alone."""
    tasks: tuple[str, ...] = ()
    limit: int | None = None
    share: Share | None = None
    workers: int = 1
    budget: Num | None = None
    out: Path | None = None
    state: Path = Path(".tally")
    fresh: bool = False
    sandbox: Literal["bwrap", "none"] = "bwrap"
    mounts: tuple[Path, ...] = ()
    name: str | None = None
    agent_version: str | None = None
    seed: int = 0
    key: str | None = None
    sign: bool = True
    container: Literal["auto", "json", "tally"] = "auto"
    dry_run: bool = False
    quiet: bool = False
    json: bool = False
    agent_home: Path | None = None
    models: ModelOptions = field(default_factory=ModelOptions)
    judge_model: str | None = None


class AgentCommand(TyperCommand):
    """A command whose line may end in `-- AGENT ARGV`; those words are the agent's and are not read as ours."""

    def parse_args(self, ctx: AnyContext, args: list[str]) -> list[str]:
        """Put the agent's words aside and read the rest."""
        cut = args.index("--") if "--" in args else len(args)
        ctx.meta[_ARGV] = tuple(args[cut + 1 :])
        try:
            return super().parse_args(ctx, args[:cut])
        except typer.BadParameter:
            raise
        except Exception as error:
            if "unexpected extra argument" in str(error):
                raise InputError(f"too many words for {ctx.command_path}; the agent's command line stands after --") from None
            raise

    def collect_usage_pieces(self, ctx: AnyContext) -> list[str]:
        """The usage line names what may stand at the end."""
        return [*super().collect_usage_pieces(ctx), "[-- AGENT ARGV...]"]


class AgentGroup(TyperGroup):
    """A group that is an act by itself where only options stand before `-- AGENT ARGV`."""

    def parse_args(self, ctx: AnyContext, args: list[str]) -> list[str]:
        """Put the agent's words aside where no subcommand stands before them."""
        alone = bool(args) and args[0].startswith("-") and "--" in args
        cut = args.index("--") if alone else len(args)
        ctx.meta[_ARGV] = tuple(args[cut + 1 :])
        rest: list[str] = super().parse_args(ctx, args[:cut])
        return rest


def argv_of(ctx: AnyContext) -> tuple[str, ...]:
    """The words after `--` of an `AgentCommand`."""
    words: tuple[str, ...] = ctx.meta[_ARGV]
    return words


class BenchCommand(AgentCommand):
    """The same with the reference solutions as the agent, unless another one is named."""

    def parse_args(self, ctx: AnyContext, args: list[str]) -> list[str]:
        """As `AgentCommand`."""
        rest = super().parse_args(ctx, args)
        if not ctx.meta[_ARGV]:
            ctx.meta[_DEFAULT_AGENT] = "oracle"
        return rest


def _dollars(text: str) -> Num:
    try:
        return to_num(Decimal(text))
    except (InvalidOperation, ValueError):
        raise InputError(f"--budget {text[:40]!r}: give US dollars, such as 2.50") from None


def _share(text: str) -> Share:
    said = _SHARE(text)
    if said is not None:
        with suppress(ValueError):  # more of it than there are parts, or too many parts
            return convert({"index": int(said[1]), "of": int(said[2])}, Share)
    raise InputError(f"--shard {text[:40]!r}: give I/N with I from 1 to N, such as 2/4 for the second of four parts")


ModelOption = Annotated[
    str | None, typer.Option(help="The model that the agent asks, through the gateway. Default: none.", metavar="NAME")
]
MountOption = Annotated[
    list[Path] | None,
    typer.Option(help="Show the agent this file or folder too; may be given again. Default: none.", metavar="PATH"),
]
AgentHomeOption = Annotated[
    Path | None,
    typer.Option(help="Settings, skills and MCP servers for the agent's home folder. Default: none.", metavar="DIR"),
]
UpstreamOption = Annotated[
    str | None, typer.Option(help="Base URL that answers for all providers. Default: each provider's own.", metavar="URL")
]
MaxCallsOption = Annotated[
    int | None, typer.Option(help="End an attempt at this many model calls. Default: none.", metavar="N")
]
TaskOption = Annotated[
    list[str] | None, typer.Option(help="Run this task only; may be given again. Default: all.", metavar="ID")
]


@app.command(cls=AgentCommand)
def run(
    ctx: typer.Context,
    suite: Annotated[
        str | None,
        typer.Argument(
            help="A packaged suite, a path, or cohort:DIR of a frozen cohort. Default: of tally.toml.", metavar="SUITE"
        ),
    ] = None,
    *,
    agent: Annotated[
        str | None,
        typer.Option(
            help="A well-known agent (tally agent list), or a self-test: oracle, nop, cheat:NAME, partial:NAME, "
            "ladder:RUNG, scripted:FILE, mock, stochastic-mock. Default: the words after --.",
            metavar="NAME",
        ),
    ] = None,
    model: ModelOption = None,
    attempts: Annotated[
        int | None, typer.Option("-k", "--attempts", help="Attempts at each task. Default: 1", metavar="N")
    ] = None,
    reliability: Annotated[
        int | None,
        typer.Option(
            "--reliability", help="Write the reliability receipt of K attempts at each task. Default: none.", metavar="K"
        ),
    ] = None,
    task: TaskOption = None,
    limit: Annotated[int | None, typer.Option(help="Run the first N tasks only. Default: all.", metavar="N")] = None,
    shard: Annotated[
        str | None,
        typer.Option(help="Run the I-th of N parts, for tally merge; I/N, such as 2/4. Default: all of it.", metavar="I/N"),
    ] = None,
    workers: WorkersOption = None,
    budget: Annotated[
        str | None, typer.Option(help="Start no attempt once this is spent. Default: none.", metavar="USD")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The file to write. Default: SUITE-AGENT.json here.", metavar="FILE")] = None,
    state: Annotated[
        Path | None, typer.Option(help="Where runs are kept and resumed from. Default: .tally", metavar="DIR")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start anew; without it the same command resumes.")] = False,
    sandbox: Annotated[
        Literal["bwrap", "none"] | None,
        typer.Option(help="bwrap (default), or none: keeps nothing apart; public score boards refuse such bundles."),
    ] = None,
    mount: MountOption = None,
    name: Annotated[str | None, typer.Option(help="What the agent is called. Default: its program.", metavar="TEXT")] = None,
    agent_version: Annotated[
        str | None, typer.Option(help="The agent's version, as you declare it. Default: none.", metavar="TEXT")
    ] = None,
    agent_home: AgentHomeOption = None,
    upstream: UpstreamOption = None,
    no_cassette: Annotated[
        bool, typer.Option("--no-cassette", help="Record no model traffic; nobody can run the agent again then.")
    ] = False,
    max_calls: MaxCallsOption = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="End an attempt at this many tokens. Default: none.", metavar="N")
    ] = None,
    prices: Annotated[
        str | None, typer.Option(help="Price table: a packaged name or a file. Default: the newest packaged.", metavar="TABLE")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="Let the agent reach host:port too; caps the level at regraded. Default: none.", metavar="HOST:PORT"),
    ] = None,
    withhold_secrets: Annotated[
        bool, typer.Option("--withhold-secrets", help="Publish without what holds a key; by default nothing is written then.")
    ] = False,
    judge_model: Annotated[
        str | None,
        typer.Option(
            help="Ask this model for its opinion of each graded attempt; it decides nothing. Default: none.", metavar="NAME"
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the random choices of --agent stochastic-mock.", metavar="N")] = 0,
    key: Annotated[
        str | None,
        typer.Option(
            help="Sign with this key, see tally key list. Default: the only one, or the one called default.", metavar="NAME"
        ),
    ] = None,
    no_sign: Annotated[bool, typer.Option("--no-sign", help="Do not sign; others will read UNSIGNED.")] = False,
    container: Annotated[
        Literal["auto", "json", "tally"], typer.Option(help="One JSON file, or a .tally archive for large runs.")
    ] = "auto",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would run and what it may cost; run nothing.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the name of the written file and nothing else.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Run a suite with an agent and write one signed bundle.

    The agent's command line stands after --; {instruction} in it is the
    task's text, which otherwise comes on standard input. It starts in the
    task's workspace, in a sandbox without network.
    """
    from tallystick.cli.running import FLOWS, perform  # noqa: PLC0415  # not for --help and mistyped options

    given = settings.layers(project=True)
    named, argv = _agent_of(given, agent or ctx.meta.get(_DEFAULT_AGENT), ctx.meta[_ARGV])
    options = RunOptions(
        suite=_suite_of(given, suite),
        agent=named,
        argv=argv,
        attempts=_attempts_of(given, attempts, reliability),
        reliability=reliability is not None,
        tasks=tuple(task or ()),
        limit=None if limit is None else settings.number("--limit", limit),
        share=None if shard is None else _share(shard),
        workers=settings.workers(workers, given),
        budget=given.dollars("budget") if budget is None else _dollars(budget),
        out=out,
        state=settings.default_state(given) if state is None else state,
        fresh=fresh,
        sandbox=_sandbox_of(given) if sandbox is None else sandbox,
        mounts=tuple(mount or ()),
        name=name,
        agent_version=agent_version,
        seed=seed,
        key=given.text("key") if key is None else key,
        sign=not no_sign,
        container=container,
        dry_run=dry_run,
        quiet=quiet,
        json=json,
        agent_home=agent_home,
        judge_model=judge_model,
        models=ModelOptions(
            model=given.text("model") if model is None else model,
            upstream=upstream,
            prices=prices,
            cassette=not no_cassette,
            hosts=tuple(allow_host or ()),
            calls=max_calls,
            tokens=max_tokens,
            withhold_secrets=withhold_secrets,
        ),
    )
    screen = open_screen()
    if not quiet:
        _say_what_files_chose(given, suite, agent or ctx.meta.get(_DEFAULT_AGENT) or ctx.meta[_ARGV], screen)
    raise typer.Exit(perform(options, screen, FLOWS))


def _attempts_of(given: Layers, attempts: int | None, reliability: int | None) -> int:
    if reliability is None:
        return given.count("attempts") or 1 if attempts is None else settings.number("-k", attempts)
    if attempts not in {None, reliability}:
        raise InputError(f"-k {attempts} and --reliability {reliability} disagree; give one of them")
    return settings.number("--reliability", reliability)


def _suite_of(given: Layers, named: str | None) -> str:
    suite = named or given.text("suite")
    if suite is None:
        raise InputError(
            "no suite: name one, as in: tally run golden-v1 -- my-agent '{instruction}'; or write a tally.toml: tally init"
        )
    return suite


def _agent_of(given: Layers, named: str | None, argv: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """(name, command line): the line's own where it has either, else what the settings say."""
    return (named, argv) if named or argv else (given.text("agent"), given.words("agent"))


def _sandbox_of(given: Layers) -> Literal["bwrap", "none"]:
    return "none" if given.text("sandbox") == "none" else "bwrap"


def _say_what_files_chose(given: Layers, suite: str | None, agent: object, screen: Screen) -> None:
    """Which suite and agent stand for the missing words, and who says so."""
    for name, said in (("suite", suite), ("agent", agent)):
        found = given.find(name)
        if not said and found.value is not None:
            shown = shlex.join(found.value) if isinstance(found.value, tuple) else str(found.value)
            screen.note(f"{name} {safe(shown)} (from {safe(found.origin)})")
