"""`tally suite ladder`: which tasks a program without a model solves, and so which are no harder than smoke."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from tallystick.cli import settings
from tallystick.cli.options import SandboxOption, WorkersOption
from tallystick.cli.screen import Style, open_screen
from tallystick.cli.suite_draw import app
from tallystick.cli.text import WIDTH, clip, safe, wrapped
from tallystick.core import c1

if TYPE_CHECKING:
    from tallystick.flows.ladder import Climb, ClimbRow

__all__ = ["app", "ladder", "ladder_lines"]

_PREDICTED = {"smoke": "smoke", "beyond": "beyond smoke", "unknown": "unknown"}
_NAME_WIDTH = 36
_CELL = 5
"""Columns of `12/12`."""


@app.command()
def ladder(
    suite: Annotated[list[str], typer.Argument(help="Packaged names, or paths.", metavar="SUITE...")],
    rung: Annotated[
        list[str] | None, typer.Option(help="This rung only; may be given again. Default: all.", metavar="NAME")
    ] = None,
    workers: WorkersOption = None,
    sandbox: SandboxOption = "bwrap",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing; the exit code tells.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Predict how hard tasks are with programs that ask no model.

    What one of them solves is predicted to be smoke. Exit code: 1 when that
    is a task of another tier, or a task could not be tried; else 0.
    """
    from tallystick.flows.ladder import climb  # noqa: PLC0415  # the other commands of `suite` run nothing
    from tallystick.runner.ladder import RUNGS, chosen  # noqa: PLC0415  # as above
    from tallystick.suites.loading import load_suite  # noqa: PLC0415  # as above

    screen = open_screen()
    rungs = chosen(rung or list(RUNGS))
    suites = [load_suite(name) for name in suite]
    climbs = []
    for number, loaded in enumerate(suites):
        tell = None if quiet or json else lambda text: screen.note(f"running {safe(text)}")
        climbs.append(climb(loaded, rungs, workers=settings.workers(workers), sandbox=sandbox, listener=tell))
        if not quiet and not json:
            screen.say([*([""] if number else []), *ladder_lines(climbs[-1], screen.style)])
    ok = all(each.ok for each in climbs)
    if json:
        screen.data(c1.dumps({"ok": ok, "suites": [_tree(each) for each in climbs]}))
    raise typer.Exit(0 if ok else 1)


def ladder_lines(found: Climb, style: Style) -> Iterator[str]:
    """The finding for a person: solve rates by tier, a line per task, then what is wrong and what to do."""
    yield from wrapped(f"{found.suite.version}: predicted by programs that ask no model, which measure no agent")
    yield ""
    yield from _table(found)
    yield ""
    width = min(_NAME_WIDTH, max(len(row.task_id) for row in found.rows))
    for row in found.rows:
        yield _row_line(row, width, style)
    yield ""
    for row in found.rows:
        yield from _advice(row, style)
    yield style.good(_headline(found)) if found.ok else style.bad(_headline(found))


def _table(found: Climb) -> Iterator[str]:
    heads = [head.rjust(_CELL) for head in (*found.rungs, "any")]
    yield "  ".join([f"{'solved by':<12}", *heads])
    for tier, rows in found.tiers():
        counts = [sum(rung in row.solved_by for row in rows) for rung in found.rungs]
        counts.append(sum(bool(row.solved_by) for row in rows))
        cells = [f"{count}/{len(rows)}".rjust(len(head)) for head, count in zip(heads, counts, strict=True)]
        yield "  ".join([f"{tier:<12}", *cells])


def _row_line(row: ClimbRow, width: int, style: Style) -> str:
    name = clip(safe(row.task_id, 128), width, style.ellipsis)
    by = f": {', '.join(row.solved_by)}" if row.solved_by else ""
    mark = _mark(row, style)
    text = f"{name:<{width}}  {row.tier:<11}  predicted {_PREDICTED[row.predicted]}{by}"
    return f"  {mark} {clip(text, WIDTH - 4, style.ellipsis)}"


def _mark(row: ClimbRow, style: Style) -> str:
    """A tick where prediction and tier agree, a cross where the task is in a wrong tier or was not tried, else a dash."""
    if row.misplaced or row.untried:
        return style.mark(ok=False)
    agrees = (row.predicted == "smoke") == (row.tier == "smoke")
    return style.mark(ok=True) if agrees else "-"


def _advice(row: ClimbRow, style: Style) -> Iterator[str]:
    name = safe(row.task_id, 128)
    said = []
    if row.misplaced:
        by, solve = ", ".join(row.solved_by), "solves" if len(row.solved_by) == 1 else "solve"
        said.append(f"{name} is of tier {row.tier}, and {by} {solve} it: move it to smoke, or make it harder")
    if row.untried:
        said.append(f"{name} could not be tried by {', '.join(row.untried)}: run it again; tally doctor tries the sandbox")
    for text in said:
        first, *rest = wrapped(text, first="  ")
        yield f"{style.mark(ok=False)} {first[2:]}"
        yield from rest


def _headline(found: Climb) -> str:
    misplaced = sum(row.misplaced for row in found.rows)
    untried = sum(bool(row.untried) for row in found.rows)
    if misplaced:
        return f"{misplaced} of {len(found.rows)} tasks easier than the tier says"
    if untried:
        return f"{untried} of {len(found.rows)} tasks could not be tried by every rung"
    return "no task is easier than its tier says"


def _tree(found: Climb) -> dict[str, c1.Tree]:
    tasks: list[c1.Tree] = [
        {
            "id": row.task_id,
            "misplaced": row.misplaced,
            "predicted": row.predicted,
            "solved_by": list(row.solved_by),
            "tier": row.tier,
            "untried": list(row.untried),
        }
        for row in found.rows
    ]
    return {
        "ok": found.ok,
        "rungs": list(found.rungs),
        "suite_hash": found.suite.suite_hash,
        "tasks": tasks,
        "tiers": [_tier_tree(tier, rows, found.rungs) for tier, rows in found.tiers()],
        "version": found.suite.version,
    }


def _tier_tree(tier: str, rows: tuple[ClimbRow, ...], rungs: tuple[str, ...]) -> c1.Tree:
    solved: list[c1.Tree] = [{"rung": rung, "tasks": sum(rung in row.solved_by for row in rows)} for rung in rungs]
    return {"solved": solved, "solved_by_any": sum(bool(row.solved_by) for row in rows), "tasks": len(rows), "tier": tier}
