"""`tally eval`: the golden score of attempts that exist, or of an agent that is run first; reports of saved evaluations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tallystick.cli import settings
from tallystick.cli.options import SandboxOption, WorkersOption
from tallystick.cli.run import (
    AgentCommand,
    AgentGroup,
    ModelOption,
    MountOption,
    RunOptions,
    UpstreamOption,
    argv_of,
)
from tallystick.cli.screen import Screen, open_screen
from tallystick.cli.text import safe
from tallystick.cli.ways import ModelOptions
from tallystick.core.errors import InputError
from tallystick.flows.harness.folders import evaluations_folder, own_tasks_folder

if TYPE_CHECKING:
    from tallystick.flows.harness.saved import Saved
    from tallystick.records.task import Tier
    from tallystick.suites.loaded import LoadedSuite

__all__ = ["app", "explain", "failures", "report", "run"]

app: Final = typer.Typer(
    cls=AgentGroup,
    no_args_is_help=True,
    invoke_without_command=True,
    help="The golden score of attempts at the tiers smoke, standard, stretch and adversarial.",
)

_TIER_HELP: Final = "Score this tier; may be given again. Default: smoke, standard and stretch."
StateOption = Annotated[Path | None, typer.Option(help="Where runs and evaluations are kept. Default: .tally", metavar="DIR")]
SuiteOption = Annotated[
    str | None, typer.Option(help="The suite of the sources. Default: the packaged one of that name.", metavar="SUITE")
]
NoExecOption = Annotated[bool, typer.Option("--no-exec", help="Grade no untouched workspace; no regression is known then.")]
RunIdOption = Annotated[str | None, typer.Option("--run-id", help="A saved evaluation. Default: the newest.", metavar="ID")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")]


@app.callback()
def floor(
    ctx: typer.Context,
    *,
    reliability: Annotated[
        int | None,
        typer.Option(help="Write the reliability receipt of K attempts. Default: none.", metavar="K"),
    ] = None,
    suite: Annotated[str, typer.Option(help="For --reliability: the suite.", metavar="SUITE")] = "golden-v1",
    agent: Annotated[
        str | None, typer.Option(help="For --reliability: the agent. Default: the words after --, else oracle.", metavar="NAME")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="For --reliability: the file to write. Default: reliability.json here.", metavar="FILE")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="For --reliability: new attempts; without it the same command resumes.")
    ] = False,
) -> None:
    """The golden score of attempts at the tiers smoke, standard, stretch and adversarial."""
    if ctx.invoked_subcommand is not None:
        if reliability is not None:
            raise InputError(f"--reliability is an act of its own, not an option of eval {ctx.invoked_subcommand}")
        return
    if reliability is None:
        raise InputError("say what to do, such as: tally eval run; see: tally eval --help")
    from tallystick.cli.reliability import run_floor  # noqa: PLC0415  # not for --help

    raise typer.Exit(run_floor(reliability, suite, agent, argv_of(ctx), out or Path("reliability.json"), fresh=fresh))


def _state(given: Path | None) -> Path:
    return settings.default_state(settings.layers(project=True)) if given is None else given


def _suite(name: str | None) -> LoadedSuite | None:
    from tallystick.suites.loading import load_suite  # noqa: PLC0415  # not for --help

    return None if name is None else load_suite(name)


def _tiers(names: list[str] | None) -> tuple[Tier, ...]:
    """Tiers as they were named, each once."""
    from tallystick.suites.tiers import tier_of  # noqa: PLC0415  # not for --help

    return tuple(dict.fromkeys(tier_of(name) for name in names or ()))


def _saved(state: Path, run_id: str | None) -> Saved:
    """The saved evaluation of a name, or the newest."""
    from tallystick.flows.harness.saved import load, newest  # noqa: PLC0415  # not for --help

    folder = evaluations_folder(state)
    found = newest(folder) if run_id is None else load(folder, run_id)
    if found is None:
        raise InputError(f"no saved evaluation in {folder}; make one with: tally eval run")
    return found


@app.command(cls=AgentCommand)
def run(
    ctx: typer.Context,
    sources: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Bundles, runs of .tally/runs by name, telemetry files. Default: the newest runs.", metavar="[SOURCE]..."
        ),
    ] = None,
    *,
    tier: Annotated[list[str] | None, typer.Option(help=_TIER_HELP, metavar="TIER")] = None,
    compare: Annotated[bool, typer.Option("--compare", help="Print the difference to the evaluation before.")] = False,
    save: Annotated[
        bool, typer.Option("--save/--no-save", help="Keep the result in .tally/eval/runs. Default: --save.", show_default=False)
    ] = True,
    agent: Annotated[
        str | None,
        typer.Option(help="Run this agent first, as tally run --agent. Default: the words after --.", metavar="NAME"),
    ] = None,
    model: ModelOption = None,
    upstream: UpstreamOption = None,
    mount: MountOption = None,
    attempts: Annotated[
        int,
        typer.Option(
            "-k", "--attempts", help="Attempts at each task, with an agent. Default: 1", metavar="N", show_default=False
        ),
    ] = 1,
    workers: WorkersOption = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run the agent anew; without it the same command resumes.")] = False,
    sandbox: SandboxOption = "bwrap",
    suite: SuiteOption = None,
    no_exec: NoExecOption = False,
    state: StateOption = None,
    json: JsonOption = False,
) -> None:
    """Score attempts that exist, or of an agent that is run first.

    (0.5 task success + 0.3 code quality + 0.2 efficiency) x reliability x safety.
    Attempts come from sources, from the newest finished runs, or from an agent
    that is run on the tiers first. Nothing to score is an error, no zero.
    """
    from tallystick.cli.eval_running import EvalOptions, perform  # noqa: PLC0415  # not for --help and mistyped options

    named = _tiers(tier)
    argv = argv_of(ctx)
    place = _state(state)
    wanted = RunOptions(
        suite="",
        agent=agent,
        argv=argv,
        attempts=settings.number("-k", attempts),
        workers=settings.workers(workers),
        state=place,
        fresh=fresh,
        sandbox=sandbox,
        mounts=tuple(mount or ()),
        sign=False,
        models=ModelOptions(model=model, upstream=upstream),
    )
    options = EvalOptions(
        sources=tuple(sources or ()),
        tiers=named,
        compare=compare,
        save=save,
        execute=not no_exec,
        suite=_suite(suite),
        run=wanted,
        json=json,
    )
    raise typer.Exit(perform(options, open_screen()))


@app.command()
def report(run_id: RunIdOption = None, state: StateOption = None, json: JsonOption = False) -> None:
    """Show the score of a saved evaluation, part by part."""
    from tallystick.cli.eval_view import report_json, report_lines  # noqa: PLC0415  # not for --help

    screen, saved = open_screen(), _saved(_state(state), run_id)
    if json:
        screen.data(report_json(saved))
    else:
        screen.say(report_lines(saved.run, screen.style, saved.run_id))


@app.command()
def failures(
    run_id: RunIdOption = None,
    *,
    cheats: Annotated[
        bool, typer.Option("--cheats", help="Grade and classify the cheats of the tiers instead, and count.")
    ] = False,
    tier: Annotated[list[str] | None, typer.Option(help="With --cheats: this tier's. Default: all.", metavar="TIER")] = None,
    suite: Annotated[
        str | None, typer.Option(help="With --cheats: this suite's. Default: those of the tiers.", metavar="SUITE")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="With --cheats: gradings at once. Default: one per processor.", metavar="N")
    ] = None,
    state: StateOption = None,
    json: JsonOption = False,
) -> None:
    """Show why attempts of a saved evaluation failed, and how often."""
    from tallystick.cli.eval_view import failure_lines, failures_json  # noqa: PLC0415  # not for --help

    screen, place = open_screen(), _state(state)
    if cheats:
        if run_id is not None:
            raise InputError("--run-id picks a saved evaluation, and --cheats looks at none: give either")
        _show_cheats(place, _tiers(tier), _suite(suite), settings.workers(workers), screen, json=json)
        return
    if tier or suite or workers:
        raise InputError("--tier, --suite and --workers are for --cheats: a saved evaluation has its own")
    saved = _saved(place, run_id)
    if json:
        screen.data(failures_json(saved))
    else:
        screen.say(failure_lines(saved.run, screen.style, saved.run_id))


@app.command()
def explain(
    task: Annotated[str, typer.Argument(help="The task.", metavar="TASK")],
    source: Annotated[
        Path | None,
        typer.Argument(
            help="A bundle, run or telemetry file. Default: those of the newest evaluation.",
            metavar="[SOURCE]",
            show_default=False,
        ),
    ] = None,
    *,
    suite: SuiteOption = None,
    no_exec: NoExecOption = False,
    state: StateOption = None,
    json: JsonOption = False,
) -> None:
    """Show which evidence gave each number of a task."""
    from tallystick.cli.eval_view import explain_json, explain_lines  # noqa: PLC0415  # not for --help
    from tallystick.flows.evaluate import EvalRequest  # noqa: PLC0415  # as above
    from tallystick.flows.harness.explain import explain as explained  # noqa: PLC0415  # as above
    from tallystick.records.task import TIERS  # noqa: PLC0415  # as above

    screen, place = open_screen(), _state(state)
    request = EvalRequest(
        sources=(source,) if source else tuple(Path(each.name) for each in _saved(place, None).run.sources),
        state=place,
        tiers=TIERS,
        suite=_suite(suite),
        sandbox=None if no_exec else "bwrap",
    )
    found = explained(task, request)
    if json:
        screen.data(explain_json(found))
    else:
        screen.say(explain_lines(found, screen.style))


def _show_cheats(
    state: Path, tiers: tuple[Tier, ...], given: LoadedSuite | None, workers: int, screen: Screen, *, json: bool
) -> None:
    """Grade the cheats of a suite, or of tiers, and show their categories."""
    from tallystick.cli.eval_view import cheat_lines, cheats_json  # noqa: PLC0415  # rarely asked for
    from tallystick.flows.harness.cheats import classify_cheats  # noqa: PLC0415  # as above
    from tallystick.flows.harness.suites import KnownSuites  # noqa: PLC0415  # as above
    from tallystick.records.task import TIERS  # noqa: PLC0415  # as above

    known = KnownSuites(own_tasks_folder(state))
    of_tiers = [suite for tier in tiers or TIERS if (suite := known.tier(tier)) is not None]
    suites = of_tiers if given is None else [given]
    if not any(suite.cheats for suite in suites):
        raise InputError("there is no cheat to classify; name a suite that has some with --suite")
    rows = classify_cheats(
        suites, workers=workers, listener=None if json else lambda name: screen.note(f"grading {safe(name)}")
    )
    if json:
        screen.data(cheats_json(rows))
    else:
        screen.say(cheat_lines(rows, screen.style))
