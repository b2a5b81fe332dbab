"""`tally task check`: whether a task is fair and its check holds, with what to change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from tallystick.cli import settings
from tallystick.cli.options import SandboxOption, WorkersOption
from tallystick.cli.screen import Screen, Style, open_screen
from tallystick.cli.task import app, suite_folder
from tallystick.cli.text import safe, wrapped
from tallystick.cli.words import plural
from tallystick.core import c1

if TYPE_CHECKING:
    from tallystick.flows.task_check import TaskCheck
    from tallystick.suites.fairness import Finding

__all__ = ["app", "check", "check_lines"]


@app.command()
def check(
    name: Annotated[str | None, typer.Argument(help="Id of the task. Default: every task.", metavar="NAME")] = None,
    suite: Annotated[
        str | None,
        typer.Option(help="A packaged name or a path. Default: this folder if it is one, else tasks.", metavar="SUITE"),
    ] = None,
    workers: WorkersOption = None,
    sandbox: SandboxOption = "bwrap",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Find out whether a task is fair and its check holds.

    Tries nop, oracle and every cheat three times and reads what can be read.
    Exit code: 0 nothing is wrong, 1 something is. Advice changes no exit code.
    """
    from tallystick.flows.task_check import TaskCheck, check_tasks, load_tasks  # noqa: PLC0415  # `task new` runs nothing

    screen = open_screen()
    loaded = load_tasks(suite if suite is not None else suite_folder(None), name)
    if isinstance(loaded, TaskCheck):
        found = loaded
    else:
        found = check_tasks(
            loaded,
            () if name is None else (name,),
            workers=settings.workers(workers),
            sandbox=sandbox,
            listener=None if json else lambda tried: _tell(tried, screen),
        )
    if json:
        screen.data(c1.dumps(_tree(found)))
    else:
        screen.say(check_lines(found, screen.style))
    raise typer.Exit(0 if found.ok else 1)


def _tell(tried: str, screen: Screen) -> None:
    screen.note(f"trying {safe(tried)}")


def check_lines(found: TaskCheck, style: Style) -> Iterator[str]:
    """The finding for a person: per task what was tried, then what is wrong with what to change, then advice."""
    for task_id in found.tasks:
        yield style.bold(safe(task_id, 128))
        for row in found.rows:
            if row.task_id == task_id:
                yield from _marked(style.mark(ok=row.ok), f"{safe(row.tried, 80)}: {safe(row.detail, 400)}")
        yield from _findings((each for each in found.wrong if each.task_id == task_id), style.mark(ok=False))
        yield from _findings((each for each in found.advice if each.task_id == task_id), "?")
    yield ""
    pieces = plural(len(found.advice), "piece")
    count = f", {pieces} of advice (?)" if found.advice else ""
    yield style.good(f"nothing is wrong{count}") if found.ok else style.bad(f"{len(found.wrong)} wrong{count}")


def _findings(findings: Iterable[Finding], mark: str) -> Iterator[str]:
    from tallystick.flows.task_check import MENDS  # noqa: PLC0415  # as in check

    for finding in findings:
        yield from _marked(mark, f"{finding.code}: {safe(finding.message, 600)}")
        yield from wrapped(MENDS[finding.code], first="      -> ", rest="         ")


def _marked(mark: str, text: str) -> Iterator[str]:
    """Wrapped as if the mark had no colour."""
    first, *rest = wrapped(text, first="  x ", rest="    ")
    yield f"  {mark} {first[4:]}"
    yield from rest


def _tree(found: TaskCheck) -> dict[str, c1.Tree]:
    from tallystick.flows.task_check import MENDS  # noqa: PLC0415  # as in check

    def listed(findings: Iterable[Finding]) -> list[c1.Tree]:
        return [{"code": f.code, "mend": MENDS[f.code], "message": f.message, "task_id": f.task_id} for f in findings]

    rows: list[c1.Tree] = [
        {"detail": row.detail, "good": row.good, "task_id": row.task_id, "tried": row.tried} for row in found.rows
    ]
    return {"advice": listed(found.advice), "ok": found.ok, "rows": rows, "wrong": listed(found.wrong)}
