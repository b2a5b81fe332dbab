"""`tally agent check`: record an agent once, run it again several times, and say how often it came out the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tallystick.cli import settings
from tallystick.cli.agent import app
from tallystick.cli.run import AgentCommand, argv_of
from tallystick.cli.screen import Style, open_screen
from tallystick.cli.text import named, safe, wrapped
from tallystick.cli.words import plural
from tallystick.core import c1
from tallystick.core.errors import InputError
from tallystick.flows.harness.folders import own_tasks_folder

if TYPE_CHECKING:
    from tallystick.flows.agent_check import AgentCheck

__all__ = ["app"]

_MOST_REPLAYS: Final = 1000


@app.command(cls=AgentCommand)
def check(
    ctx: typer.Context,
    name: Annotated[
        str | None, typer.Argument(help="A name of tally agent list. Default: the words after --.", metavar="NAME")
    ] = None,
    *,
    model: Annotated[str, typer.Option(help="The model that it asks while it is recorded; required.", metavar="NAME")],
    suite: Annotated[str, typer.Option(help="The suite to take a task of. Default: golden-v1", metavar="SUITE")] = "golden-v1",
    task: Annotated[str | None, typer.Option(help="The task to record. Default: the suite's first.", metavar="ID")] = None,
    replays: Annotated[int, typer.Option(help="How often to run it again. Default: 10", metavar="N")] = 10,
    upstream: Annotated[
        str | None, typer.Option(help="Base URL that answers for all providers. Default: each provider's own.", metavar="URL")
    ] = None,
    agent_home: Annotated[
        Path | None, typer.Option(help="Settings, skills and MCP servers for its home folder. Default: none.", metavar="DIR")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """How well an agent can be run again on recorded answers.

    Records one attempt, which asks the model and may cost money, and replays
    it, which does not. Exit code 1 where a replay came out otherwise: the
    agent races with itself, or a rule is missing that makes it equal.
    """
    from tallystick.cli.ways import ModelOptions, model_ways, provider_keys  # noqa: PLC0415  # loads the runner
    from tallystick.flows.adapters import AgentRequest, make_adapter  # noqa: PLC0415  # as above
    from tallystick.flows.agent_check import AgentCheckRequest, check_agent  # noqa: PLC0415  # as above
    from tallystick.suites.loading import load_for_running  # noqa: PLC0415  # as above

    argv = argv_of(ctx)
    if (name is None) == (not argv):
        raise InputError("name an agent of tally agent list, or give a command line after --; one of them")
    if not 1 <= replays <= _MOST_REPLAYS:
        raise InputError(f"--replays {replays}: give a number from 1 to {_MOST_REPLAYS}")
    state = settings.default_state()
    loaded = load_for_running(suite, own_tasks_folder(state))
    chosen = loaded.task(task).id if task else loaded.tasks[0].id
    wanted = AgentRequest(
        name=name or "command",
        argv=argv,
        cwd=Path.cwd(),
        search_path=settings.search_path(),
        never=settings.homes(),
        hidden=settings.hidden_from_agents(state),
        model=model,
        agent_home=agent_home,
        secrets=provider_keys(),
        state=state,
    )
    adapter = make_adapter(wanted, loaded)
    ways = model_ways(ModelOptions(model=model, upstream=upstream), settings.cache_folder())
    screen = open_screen()
    done = check_agent(
        AgentCheckRequest(adapter, loaded, chosen, ways, replays), listener=lambda line: None if json else screen.note(line)
    )
    if json:
        screen.data(_tree(adapter.agent.name, done))
    else:
        screen.say(_lines(adapter.agent.name, done, screen.style))
    raise typer.Exit(1 if done.flaky else 0)


def _lines(name: str, done: AgentCheck, style: Style) -> Iterator[str]:
    total = len(done.replays)
    yield f"recorded {plural(done.calls, 'call')}; the attempt {'passed' if done.passed else 'did not pass'}"
    yield style.bold(f"{named(name)}: {done.equal} of {plural(total, 'replay')} gave the recorded receipt")
    if done.equal:
        rest = done.equal - done.raw
        yield f"  exact in {done.raw}, equal after declared rules in {rest}"
    for difference in dict.fromkeys(each.difference for each in done.replays if each.difference):
        yield from wrapped(safe(difference, 1000), first="  otherwise: ", rest="    ")
    if done.flaky:
        yield "flaky: it races with itself, or needs a rule or a pin that it has not"


def _tree(name: str, done: AgentCheck) -> bytes:
    differences: list[c1.Tree] = [safe(each.difference, 1000) for each in done.replays if each.difference]
    return c1.dumps(
        {
            "agent": name,
            "calls": done.calls,
            "differences": differences,
            "equal": done.equal,
            "exact": done.raw,
            "flaky": done.flaky,
            "passed": done.passed,
            "replays": len(done.replays),
        }
    )
