"""`tally suite check`: prove a suite fair: nop fails, oracle passes twice alike, every cheat fails for its stated reason."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tallystick.cli import settings
from tallystick.cli.options import SandboxOption, WorkersOption
from tallystick.cli.screen import Screen, Style, open_screen
from tallystick.cli.suite import app
from tallystick.cli.text import safe, wrapped
from tallystick.core import c1
from tallystick.core.errors import InputError

if TYPE_CHECKING:
    from tallystick.flows.suite_check import CheckRow, SuiteCheck

__all__ = ["app", "check", "check_lines"]

_MOST_SEEDS: Final = 10_000
_PROMISES: Final = (
    ("nop", "nop", "fails {} of {} tasks"),
    ("oracle", "oracle", "passes {} of {} tasks twice, same receipts"),
    ("cheat", "cheats", "{} of {} fail for their stated reason"),
    ("partial", "partial", "{} of {} partial solutions get their score, in order"),
)
"""What is tried, its name on screen, and what is promised of it."""


@app.command()
def check(
    suite: Annotated[
        list[str], typer.Argument(help="A packaged name, or a path; with --seeds names of families.", metavar="SUITE...")
    ],
    seeds: Annotated[
        int | None,
        typer.Option(help="Draw from families with seeds 1 to N, and prove every task. Default: one suite.", metavar="N"),
    ] = None,
    workers: WorkersOption = None,
    sandbox: SandboxOption = "bwrap",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing; the exit code tells.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Prove a suite: nop fails, oracle passes, every cheat fails.

    Runs nop, oracle twice, each cheat and each partial solution, and draws a
    drawn suite again. With --seeds, proves task families instead: a task of
    each for every seed. Exit code: 0 proven, 1 not, 2 it could not be tried.
    """
    from tallystick.flows.suite_check import check_families, check_suite  # noqa: PLC0415  # the others run nothing
    from tallystick.suites.loading import load_suite  # noqa: PLC0415  # as above

    screen = open_screen()
    listener = None if quiet or json else partial(_tell, screen=screen)
    count = settings.workers(workers)
    if seeds is not None:
        _check_seeds(seeds)
        found: SuiteCheck = check_families(suite, seeds, workers=count, sandbox=sandbox, listener=listener)
        about: dict[str, c1.Tree] = {"families": list(suite), "seeds": seeds}
    else:
        loaded = load_suite(_only(suite))
        found = check_suite(loaded, workers=count, sandbox=sandbox, listener=listener)
        about = {"suite_hash": loaded.suite_hash, "version": loaded.version}
    if json:
        screen.data(c1.dumps({**_tree(found), **about}))
    elif not quiet:
        screen.say(check_lines(found, screen.style))
    raise typer.Exit(0 if found.ok else 1)


def _check_seeds(seeds: int) -> None:
    if not 1 <= seeds <= _MOST_SEEDS:
        raise InputError(f"--seeds {seeds}: give a number from 1 to {_MOST_SEEDS}")


def _only(suites: list[str]) -> str:
    from tallystick.suites.families import family_names  # noqa: PLC0415  # not for --help

    if len(suites) > 1:
        raise InputError("give one suite; several names are families, with --seeds N")
    if suites[0] in family_names() and not Path(suites[0]).exists():
        raise InputError(f"{suites[0]} is a task family, no suite; prove it with --seeds N, such as --seeds 3")
    return suites[0]


def _tell(name: str, *, screen: Screen) -> None:
    screen.note(f"running {safe(name)}")


def check_lines(found: SuiteCheck, style: Style) -> Iterator[str]:
    """The finding for a person: a line per promise, then the cheats, then whatever is wrong."""
    static = [row for row in found.rows if row.tried.startswith("static:")]
    for tried, name, says in _PROMISES:
        good, all_of_it = found.count(tried)
        if all_of_it or tried != "partial":
            yield _promise(style, good, all_of_it, name, says.format(good, all_of_it))
    yield _promise(style, -len(static), 0, "files", "no answer in sight of the agent" if not static else "see below")
    if found.drawn is not None:
        yield f"{style.mark(ok=not found.drawn)} drawn   {safe(found.drawn, 300) or 'again from its seed, same hash'}"
    yield ""
    for row in found.rows:
        if row.ok and found.is_one_suite and row.tried.startswith("cheat:"):
            name = safe(row.tried.removeprefix("cheat:"), 64)
            yield from wrapped(f"{safe(row.task_id, 128)} / {name}: fails {safe(row.detail, 300)}", first="  ", rest="      ")
    for row in found.rows:
        if not row.ok:
            yield from _wrong(row, style)
    yield style.good("proven") if found.ok else style.bad("not proven")


def _promise(style: Style, got: int, wanted: int, name: str, says: str) -> str:
    return f"{style.mark(ok=got == wanted)} {name:<7} {says}"


def _wrong(row: CheckRow, style: Style) -> Iterator[str]:
    first, *rest = wrapped(
        f"{safe(row.task_id, 128)} / {safe(row.tried, 80)}: {safe(row.detail, 600)}", first="  x ", rest="      "
    )
    yield f"  {style.mark(ok=False)}{first[3:]}"
    yield from rest


def _tree(found: SuiteCheck) -> dict[str, c1.Tree]:
    rows: list[c1.Tree] = [
        {"detail": row.detail, "ok": row.ok, "task_id": row.task_id, "tried": row.tried} for row in found.rows
    ]
    drawn: dict[str, c1.Tree] = {} if found.drawn is None else {"drawn_again": not found.drawn}
    return {"ok": found.ok, "rows": rows, **drawn}
