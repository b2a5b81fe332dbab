"""`tally suite`: which suites there are, what is in one, and how one is compiled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from tallystick.cli.screen import Style, open_screen
from tallystick.cli.text import WIDTH, block, clip, safe, wrapped
from tallystick.cli.words import plural
from tallystick.core import c1
from tallystick.records.base import UNSET
from tallystick.records.task import TIERS, Task
from tallystick.suites import loading
from tallystick.suites.compiled import write_beside
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import LoadedSuite

__all__ = ["app"]

app: Final = typer.Typer(no_args_is_help=True, help="Suites of tasks: list, show, hash and build them.")

SuiteArgument = Annotated[
    str, typer.Argument(help="A packaged name, or the path of a suite (folder or suite.json).", metavar="SUITE")
]
Json = Annotated[bool, typer.Option("--json", help="Print one line of JSON.")]

_LONGEST_INSTRUCTION: Final = 400
"""Lines of an instruction on screen; --json has all of them."""


@app.command("list")
def list_suites(*, json: Json = False) -> None:
    """Suites that come with tally."""
    suites = [loading.load_suite(name) for name in loading.packaged_names()]
    screen = open_screen()
    if json:
        screen.data(c1.dumps({"suites": [_summary(suite) for suite in suites]}))
        return
    width = max((len(suite.version) for suite in suites), default=0)
    screen.say(f"{s.version:<{width}}  {screen.style.digest(s.suite_hash)}  {_counted(s)}" for s in suites)


@app.command()
def show(
    suite: SuiteArgument,
    task: Annotated[
        str, typer.Option(help="Show one task: its instruction, checks and limits. Default: a line for each.", metavar="ID")
    ] = "",
    *,
    json: Json = False,
) -> None:
    """Tasks of a suite, or one of them in full."""
    loaded = loading.load_suite(suite)
    screen = open_screen()
    if task:
        chosen = loaded.task(task)
        if json:
            screen.data(c1.dumps(_task_in_full(loaded, chosen)))
        else:
            screen.say(_task_page(loaded, chosen))
    elif json:
        screen.data(c1.dumps({**_summary(loaded), "tasks": [_task_summary(loaded, each) for each in loaded.tasks]}))
    else:
        screen.say(_suite_page(loaded, screen.style))


@app.command("hash")
def print_hash(suite: SuiteArgument, *, json: Json = False) -> None:
    """The suite's hash, and with --json that of every task."""
    loaded = loading.load_suite(suite)
    if json:
        tasks: list[c1.Tree] = [{"id": task.id, "task_hash": task.task_hash} for task in loaded.tasks]
        open_screen().data(c1.dumps({"suite_hash": loaded.suite_hash, "tasks": tasks, "version": loaded.version}))
        return
    open_screen().say([loaded.suite_hash])


@app.command()
def build(
    folder: Annotated[Path, typer.Argument(help="The authoring form: a folder with smoke/, standard/, ...", metavar="FOLDER")],
    out: Annotated[
        Path | None,
        typer.Option(
            help="New folder for the compiled form, file contents included. Default: only suite.json, into FOLDER.",
            metavar="DIR",
        ),
    ] = None,
    *,
    json: Json = False,
) -> None:
    """Compile a suite. Without --out, only suite.json is written, into FOLDER; contents stay where they are."""
    suite = loading.compile_suite(folder)
    if out is None:
        place = write_beside(suite, folder)
    else:
        loading.write_compiled(suite, out)
        place = out
    if json:
        open_screen().data(c1.dumps({**_summary(suite), "out": safe(str(place), 4096)}))
        return
    counts = f"{suite.version}: {len(suite.tasks)} tasks, {len(suite.cheats)} cheats"
    open_screen().say([counts, suite.suite_hash, f"written: {safe(str(place), 4096)}"])


def _summary(suite: LoadedSuite) -> dict[str, c1.Tree]:
    return {
        "cheats": len(suite.cheats),
        "origin": suite.origin,
        "suite_hash": suite.suite_hash,
        "task_count": len(suite.tasks),
        "version": suite.version,
    }


def _task_summary(suite: LoadedSuite, task: Task) -> dict[str, c1.Tree]:
    return {
        "assertions": [check.id for check in task.assertions],
        "category": task.category,
        "cheats": [cheat.name for cheat in suite.cheats if cheat.task_id == task.id],
        "grader": task.grading.mode,
        "id": task.id,
        "task_hash": task.task_hash,
        "tier": task.tier,
        "title": task.title,
    }


def _task_in_full(suite: LoadedSuite, task: Task) -> dict[str, c1.Tree]:
    files: list[c1.Tree] = [record.path for record in suite.tree(task.workspace).records]
    return {**_task_summary(suite, task), "instruction": instruction(task), "workspace": files}


def _suite_page(suite: LoadedSuite, style: Style) -> Iterator[str]:
    yield f"{suite.version}  {_counted(suite)}"
    yield suite.suite_hash
    for task in suite.tasks:
        cheats = sum(cheat.task_id == task.id for cheat in suite.cheats)
        yield ""
        yield clip(f"{task.id}  ({task.tier}; {len(task.assertions)} checks, {cheats} cheats)", WIDTH, style.ellipsis)
        yield clip(f"  {safe(task.title)}", WIDTH, style.ellipsis)


def _counted(suite: LoadedSuite) -> str:
    """How many tasks there are, and of which tiers: `8 tasks: smoke`, `5 tasks: 3 smoke, 2 stretch`."""
    tiers = Counter(task.tier for task in suite.tasks)
    tasks = plural(len(suite.tasks), "task")
    if len(tiers) == 1:
        return f"{tasks}: {next(iter(tiers))}"
    return f"{tasks}: {', '.join(f'{tiers[tier]} {tier}' for tier in TIERS if tiers[tier])}"


def _hanging(line: str) -> str:
    """The indent of a line's continuation: that of the line, and of its list mark."""
    text = line.lstrip()
    mark = 2 if text.startswith(("- ", "* ")) else 0
    return " " * (len(line) - len(text) + mark)


def _task_page(suite: LoadedSuite, task: Task) -> Iterator[str]:
    yield from wrapped(f"{task.id}: {safe(task.title)}")
    yield task.task_hash
    yield ""
    for line in block(instruction(task), lines=_LONGEST_INSTRUCTION):
        yield from wrapped(line, rest=_hanging(line))
    yield ""
    limits = task.limits
    yield f"limits     {limits.wall_ms / 1000:g} s, {limits.cost_usd} USD, {limits.memory_mb} MiB"
    yield f"grader     {task.grading.mode}"
    yield from _row("workspace", (record.path for record in suite.tree(task.workspace).records))
    if task.owned_files is not UNSET:
        yield from _row("owned", task.owned_files)
    if task.protected_files:
        yield from _row("protected", task.protected_files)
    yield from _row("checks", (check.id for check in task.assertions))
    yield from _row("cheats", (cheat.name for cheat in suite.cheats if cheat.task_id == task.id))


def _row(label: str, words: Iterable[str]) -> list[str]:
    return wrapped(", ".join(words) or "none", first=f"{label:<11}")
