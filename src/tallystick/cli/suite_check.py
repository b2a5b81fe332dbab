"""`tally suite check`: prove a suite fair: nop fails, oracle passes twice alike, every cheat fails for its stated reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tallystick.cli import settings
from tallystick.cli.screen import Screen, Style, open_screen
from tallystick.cli.suite import app
from tallystick.cli.text import safe, wrapped
from tallystick.core import c1

if TYPE_CHECKING:
    from tallystick.flows.suite_check import CheckRow, SuiteCheck

__all__ = ["app", "check", "check_lines"]


@app.command()
def check(
    suite: Annotated[str, typer.Argument(help="A packaged name, or a path.", metavar="SUITE")],
    workers: Annotated[
        int | None, typer.Option(help="Attempts at once. Default: one per processor, four at most.", metavar="N")
    ] = None,
    sandbox: Annotated[Literal["bwrap", "none"], typer.Option(help="none keeps nothing apart.")] = "bwrap",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing; the exit code tells.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Prove a suite: nop fails, oracle passes, every cheat fails.

    Runs nop, oracle twice and each cheat. Exit code: 0 proven, 1 not.
    """
    from tallystick.flows.suite_check import check_suite  # noqa: PLC0415  # the other commands of `suite` run nothing
    from tallystick.suites.loading import load_suite  # noqa: PLC0415  # as above

    screen = open_screen()
    loaded = load_suite(suite)
    found = check_suite(
        loaded,
        workers=settings.workers(workers),
        sandbox=sandbox,
        listener=None if quiet or json else lambda name: _tell(name, screen),
    )
    if json:
        screen.data(c1.dumps(_tree(found, loaded.suite_hash, loaded.version)))
    elif not quiet:
        screen.say(check_lines(found, len(loaded.tasks), len(loaded.cheats), screen.style))
    raise typer.Exit(0 if found.ok else 1)


def _tell(name: str, screen: Screen) -> None:
    screen.note(f"running {safe(name)}")


def check_lines(found: SuiteCheck, tasks: int, cheats: int, style: Style) -> Iterator[str]:
    """The finding for a person: a line per promise, then the cheats, then whatever is wrong."""
    static = [row for row in found.rows if row.tried.startswith("static:")]
    counts = {tried: found.count(tried)[0] for tried in ("nop", "oracle", "cheat")}
    yield _promise(style, counts["nop"], tasks, "nop", f"fails {counts['nop']} of {tasks} tasks")
    yield _promise(style, counts["oracle"], tasks, "oracle", f"passes {counts['oracle']} of {tasks} tasks twice, same receipts")
    yield _promise(style, counts["cheat"], cheats, "cheats", f"{counts['cheat']} of {cheats} fail for their stated reason")
    yield _promise(style, -len(static), 0, "files", "no answer in sight of the agent" if not static else "see below")
    yield ""
    for row in found.rows:
        if row.ok and row.tried.startswith("cheat:"):
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


def _tree(found: SuiteCheck, suite_hash: str, version: str) -> dict[str, c1.Tree]:
    rows: list[c1.Tree] = [
        {"detail": row.detail, "ok": row.ok, "task_id": row.task_id, "tried": row.tried} for row in found.rows
    ]
    return {"ok": found.ok, "rows": rows, "suite_hash": suite_hash, "version": version}
