"""`tally cohort report`: what the evidence of a cohort shows, ranked by nobody unless it is asked to compare."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tallystick.cli.cohort import EXIT_REFUSED, CohortArgument, CohortOption, CompatOption, RootOption
from tallystick.cli.cohort_acts import where_of
from tallystick.cli.cohort_evidence import app
from tallystick.cli.screen import Style, open_screen
from tallystick.cli.text import clip, safe, wrapped
from tallystick.core import c1
from tallystick.core.errors import InputError
from tallystick.flows.words import percent

if TYPE_CHECKING:
    from tallystick.flows.cohort.report import CohortReport

__all__ = ["app", "report", "report_lines"]

_NAME: Final = 36
"""Characters of a signature in the table."""


@app.command()
def report(
    cohort_file: CohortArgument = None,
    *,
    compare: Annotated[
        bool, typer.Option("--compare", help="Hold replication and diversity against each other, by a test.")
    ] = False,
    html: Annotated[Path | None, typer.Option(help="Write a page to this file too. Default: none.", metavar="FILE")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    compat: CompatOption = False,
) -> None:
    """Show what came of each structural signature.

    A signature says how agents worked together, such as two-workers-v1. Puts
    replication (one signature again and again) beside diversity (several)
    for one budget of attempts. Ranks nothing unless --compare is given. The
    cohort is validated first. Exit code: 0 shown, 1 it does not validate, 2
    it cannot be read, is not what its history tells, or has no history
    beside it; with --compat that is a note only.
    """
    from tallystick.flows.cohort.report import NO_HISTORY, make_report  # noqa: PLC0415  # not for --help

    if markdown and json:
        raise InputError("--markdown and --json are two forms of one output; give one of them")
    where, screen = where_of(cohort_file, cohort, root), open_screen()
    made = make_report(where, compare=compare, compat=compat)
    unproved = not (made.with_history or compat)
    if unproved:
        screen.note(f"WARNING: {safe(where.path, 4096)}: {NO_HISTORY}; put its history.jsonl back, or say --compat")
    if json:
        from tallystick.flows.cohort.report_tree import report_tree  # noqa: PLC0415  # one form of three

        screen.data(c1.dumps(report_tree(made)))
    elif markdown:
        from tallystick.flows.cohort.report_markdown import report_markdown  # noqa: PLC0415  # as above

        screen.raw(piece.encode() for piece in report_markdown(made))
    else:
        screen.say(report_lines(made, screen.style))
    if html is not None:
        from tallystick.flows.cohort.belonging import files_of  # noqa: PLC0415  # only where a page is asked for
        from tallystick.flows.cohort.report_page import write_report  # noqa: PLC0415  # as above

        size = write_report(made, html, list(files_of(where, made.cohort)))
        screen.note(f"wrote {safe(str(html), 4096)} ({size} bytes)")
    if unproved:
        raise typer.Exit(EXIT_REFUSED)


def report_lines(made: CohortReport, style: Style) -> Iterator[str]:
    """The report for a person."""
    from tallystick.flows.cohort import said  # noqa: PLC0415  # not for --help

    yield style.bold(safe(made.cohort.id, 200))
    yield f"{made.cohort.stage}, definition {made.definition_digest}"
    yield said.tasks_line(made)
    for line in (*said.excluded_lines(made), *made.notes):
        yield from wrapped(safe(line, 1000), rest="    ")
    yield ""
    yield from _signatures(made, style)
    yield ""
    for line in said.budgets_line(made):
        yield from wrapped(safe(line, 1000), rest="    ")
    for each in made.strategies:
        name = safe(said.strategy_name(each), 1000)
        yield from wrapped(
            f"{name}: {percent(each.mean)}, 95 % interval {said.interval(each.interval)}", first="  ", rest="      "
        )
    yield ""
    shown = [said.no_rank(made)] if made.compared is None else said.compared_lines(made.compared)
    for line in shown:
        yield from wrapped(safe(line, 1000), rest="    ")


def _signatures(made: CohortReport, style: Style) -> Iterator[str]:
    """Signatures in the order in which they were declared."""
    from tallystick.flows.cohort import said  # noqa: PLC0415  # as above

    if not made.rows:
        yield "no attempts are attached"
        return
    yield f"  {'structural signature':<{_NAME}}  {'supported':>11}  {'rate':>6}  95 % interval"
    for row in made.rows:
        name = clip(safe(row.signature, 256), _NAME, style.ellipsis)
        counts = f"{row.supported}/{row.attempts}"
        yield f"  {name:<{_NAME}}  {counts:>11}  {percent(row.rate):>6}  {said.interval(row.interval)}"
    for name in made.unused:
        yield f"  {clip(safe(name, 256), _NAME, style.ellipsis):<{_NAME}}  no attempts"
