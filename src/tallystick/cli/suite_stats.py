"""`tally suite stats`: what bundles of many agents say about the tasks of their suite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tallystick.cli.screen import Style, open_screen
from tallystick.cli.suite_ladder import app
from tallystick.cli.text import clip, wrapped
from tallystick.cli.words import percent, plural
from tallystick.core import c1
from tallystick.core.exact import to_num

if TYPE_CHECKING:
    from tallystick.flows.suite_stats import SuiteStats
    from tallystick.scoring.items import Item

__all__ = ["app", "stats", "stats_lines"]

_NAME: Final = 26


@app.command()
def stats(
    bundles: Annotated[list[Path], typer.Argument(help="Bundles of one suite, of several agents.", metavar="BUNDLE...")],
    suite: Annotated[
        str | None, typer.Option(help="The suite to judge by. Default: the packaged one of that name.", metavar="SUITE")
    ] = None,
    self_tests: Annotated[bool, typer.Option("--self-tests", help="Count self-tests as if they were agents.")] = False,
    require_trusted_signer: Annotated[
        bool, typer.Option("--require-trusted-signer", help="Refuse signers who are neither you nor trusted.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Measure tasks from bundles: rate, discrimination, flip rate.

    Verifies every bundle first. A task that nearly all attempts pass, or
    none, is to be retired, where enough agents tried it to say so.
    """
    from tallystick.cli.key import signer_policy  # noqa: PLC0415  # the other commands of `suite` judge no bundle
    from tallystick.flows.suite_stats import StatsRequest, suite_stats  # noqa: PLC0415  # as above
    from tallystick.flows.verified import Terms  # noqa: PLC0415  # as above
    from tallystick.suites.loading import load_suite  # noqa: PLC0415  # as above

    terms = Terms(
        suite=None if suite is None else load_suite(suite),
        require_trusted_signer=require_trusted_signer,
        policy=signer_policy(),
    )
    found = suite_stats(StatsRequest(bundles, terms, self_tests=self_tests))
    screen = open_screen()
    if json:
        screen.data(c1.dumps(_tree(found)))
    else:
        screen.say(stats_lines(found, screen.style))


def stats_lines(found: SuiteStats, style: Style) -> Iterator[str]:
    """The table for a person; `measured` is what these bundles say, `predicted` what the suite says of itself."""
    counts = f"{plural(found.bundles, 'bundle')}, {plural(found.agents, 'agent')}, {plural(found.attempts, 'attempt')}"
    yield from wrapped(f"{found.suite.version}: measured on {counts}")
    if found.left_out:
        yield from wrapped(f"left out: {plural(found.left_out, 'bundle')} of self-tests, which measure no agent")
    if found.self_tests:
        yield from wrapped(
            f"{plural(found.self_tests, 'bundle')} of self-tests counted: they measure suite and harness, no agent"
        )
    yield ""
    yield f"{'':<{_NAME}}  predicted    rate  interval      discr.  flips"
    for task in found.suite.tasks:
        item = found.items[task.id]
        yield f"{clip(task.id, _NAME, style.ellipsis):<{_NAME}}  {task.tier:<11}{_numbers(item)}"
        if item.advice.startswith("retire"):
            yield f"  measured: {item.advice}"
    yield ""
    yield from _footing(found)


def _numbers(item: Item) -> str:
    low, high = (percent(end).removesuffix(" %") for end in (item.interval.low, item.interval.high))
    discrimination = "-" if item.discrimination is None else f"{item.discrimination:.2f}"
    flips = "-" if item.flip_rate is None else percent(item.flip_rate)
    return f"{percent(item.rate):>7}  {f'{low}-{high}':<12}  {discrimination:>6}  {flips:>6}"


def _footing(found: SuiteStats) -> Iterator[str]:
    from tallystick.scoring.items import FEWEST_AGENTS, FEWEST_ATTEMPTS  # noqa: PLC0415  # loaded already

    short = sum(item.advice == "too few to say" for item in found.items.values())
    if short:
        yield from wrapped(
            f"too few to say which to retire, of {plural(short, 'task')}: that takes {FEWEST_AGENTS} agents and "
            f"{FEWEST_ATTEMPTS} attempts at a task"
        )
    retired = [name for name, item in found.items.items() if item.advice.startswith("retire")]
    kept = len(found.items) - short - len(retired)
    yield f"measured: keep {kept}, retire {len(retired)}, too few to say {short}"


def _tree(found: SuiteStats) -> dict[str, c1.Tree]:
    tasks: list[c1.Tree] = [_task_tree(task.id, task.tier, found.items[task.id]) for task in found.suite.tasks]
    return {
        "agents": found.agents,
        "attempts": found.attempts,
        "bundles": found.bundles,
        "left_out": found.left_out,
        "self_tests": found.self_tests,
        "suite_hash": found.suite.suite_hash,
        "tasks": tasks,
        "version": found.suite.version,
    }


def _task_tree(name: str, tier: str, item: Item) -> c1.Tree:
    measured: dict[str, c1.Tree] = {
        "advice": item.advice,
        "agents": item.agents,
        "attempts": item.attempts,
        "interval": {"high": item.interval.high, "low": item.interval.low, "method": item.interval.method},
        "passes": item.passes,
        "rate": to_num(item.rate),
    }
    if item.discrimination is not None:
        measured["discrimination"] = item.discrimination
    if item.flip_rate is not None:
        measured["flip_rate"] = to_num(item.flip_rate)
    return {"id": name, "measured": measured, "predicted": {"tier": tier}}
