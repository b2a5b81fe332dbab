"""`tally cohort collect|check|review|freeze|expose|exclude|burn|supersede|history`: how a cohort goes on once it is made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tallystick.cli import settings
from tallystick.cli.cohort import EXIT_REFUSED, CohortArgument, CohortOption, RootOption
from tallystick.cli.cohort_acts import JsonOption, KeyOption, ReasonOption, app, said, say_no_suite, signer_of, where_of
from tallystick.cli.screen import Style, open_screen
from tallystick.cli.text import flat, safe, wrapped
from tallystick.cli.words import plural
from tallystick.core import c1, limits, pyjson

if TYPE_CHECKING:
    from tallystick.flows.cohort.checklist import Line

__all__ = [
    "app",
    "burn",
    "check",
    "check_lines",
    "collect",
    "exclude",
    "expose",
    "freeze",
    "history",
    "review",
    "supersede",
]

ReviewOption = Annotated[Path | None, typer.Option(help="The review, from tally cohort review. Default: none.", metavar="FILE")]


@app.command()
def collect(
    cohort_file: CohortArgument = None,
    *,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Leave the scaffold: every source is one commit now.

    Refused while the source of a task is a branch or a tag, which may move.
    """
    from tallystick.flows.cohort.acting import collect as act  # noqa: PLC0415  # not for --help

    where = where_of(cohort_file, cohort, root)
    said(act(where, signer_of(key)), where, json=json)


@app.command()
def check(
    cohort_file: CohortArgument = None,
    *,
    review: ReviewOption = None,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    json: JsonOption = False,
) -> None:
    """Go through the freeze checklist, line by line.

    Exit code: 0 when every line passes and the cohort can be frozen, else 1.
    """
    from tallystick.flows.cohort.checklist import lines_of  # noqa: PLC0415  # not for --help
    from tallystick.flows.cohort.opening import look  # noqa: PLC0415  # as above
    from tallystick.flows.cohort.suites import no_suite  # noqa: PLC0415  # as above

    screen = open_screen()
    found = look(where_of(cohort_file, cohort, root))
    lines = lines_of(found, None if review is None else _review_in(review))
    note = no_suite(found.where, found.cohort)
    ok = all(line.passed for line in lines)
    if json:
        rows: list[c1.Tree] = [
            {"code": line.code, "passed": line.passed, "says": safe(line.says, 2000), "title": line.title} for line in lines
        ]
        screen.data(c1.dumps({"lines": rows, "notes": [] if note is None else [note], "ok": ok}))
    else:
        screen.say(check_lines(lines, screen.style, note))
    raise typer.Exit(0 if ok else 1)


def check_lines(lines: tuple[Line, ...], style: Style, note: str | None = None) -> Iterator[str]:
    """The checklist for a person: a line each, and below one that fails what is wrong."""
    for line in lines:
        yield f"{style.mark(ok=line.passed)} {line.title}"
        if not line.passed:
            yield from wrapped(flat(line.says), first="    ", rest="    ")
    failed = sum(not line.passed for line in lines)
    yield ""
    if note is not None:
        yield from wrapped(f"note: {note}")
    yield (
        style.good("ready to freeze") if not failed else style.bad(f"not ready to freeze: {failed} of {len(lines)} lines fail")
    )


def _review_in(path: Path) -> bytes:
    """The bytes of a file that is to be a review; whether it is one is found out later."""
    from tallystick.suites.reading import read_regular  # noqa: PLC0415  # not for --help

    return read_regular(path, limits.DOCUMENT_BYTES)


@app.command()
def review(
    cohort_file: CohortArgument = None,
    *,
    out: Annotated[Path, typer.Option(help="The file to write.", metavar="FILE")],
    statement: Annotated[str, typer.Option(help="What you have checked, in words.", metavar="TEXT")],
    cohort: CohortOption = None,
    root: RootOption = Path(),
    key: KeyOption = None,
) -> None:
    """Sign that you have read the definition as it is now.

    Read it first: tally cohort definition-json. Your key must be another one
    than the author's. The author names the file with freeze --review.
    """
    from tallystick.flows.cohort.acting import review as act  # noqa: PLC0415  # not for --help
    from tallystick.flows.cohort.belonging import files_of  # noqa: PLC0415  # as above
    from tallystick.flows.cohort.opening import look  # noqa: PLC0415  # as above
    from tallystick.flows.writing import write_whole  # noqa: PLC0415  # as above
    from tallystick.records.cohort_history import parse_review  # noqa: PLC0415  # as above

    where, signer = where_of(cohort_file, cohort, root), signer_of(key)
    found = look(where)
    data = act(found, statement, signer)
    write_whole(out, (data,), list(files_of(where, found.cohort)))
    open_screen().wrote(out, f"wrote {safe(str(out), 4096)}", f"  definition  {parse_review(data).definition_digest}")


@app.command()
def freeze(
    cohort_file: CohortArgument = None,
    *,
    review: Annotated[Path, typer.Option(help="The review, from tally cohort review.", metavar="FILE")],
    cohort: CohortOption = None,
    root: RootOption = Path(),
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Fix the definition. It never changes afterwards.

    Every line of tally cohort check must pass.
    """
    from tallystick.flows.cohort.acting import freeze as act  # noqa: PLC0415  # not for --help

    where = where_of(cohort_file, cohort, root)
    said(act(where, _review_in(review), signer_of(key)), where, json=json)


@app.command()
def expose(
    cohort_file: CohortArgument = None,
    *,
    reason: ReasonOption,
    task: Annotated[
        str | None, typer.Option(help="The task whose solution is known. Default: any of them.", metavar="ID")
    ] = None,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Record that a solution is known.

    The cohort cannot be frozen then. Of a frozen one it says that its tasks
    are no secret any more. Anybody's key may sign it.
    """
    from tallystick.flows.cohort.acting import expose as act  # noqa: PLC0415  # not for --help

    where = where_of(cohort_file, cohort, root)
    said(act(where, reason, signer_of(key), task), where, json=json)


@app.command()
def exclude(
    cohort_file: CohortArgument = None,
    *,
    task: Annotated[str, typer.Option(help="The task.", metavar="ID")],
    reason: ReasonOption,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Take a task out of the evidence, with a reason.

    Attempts that it had stay on record, and in every denominator.
    """
    from tallystick.flows.cohort.acting import exclude as act  # noqa: PLC0415  # not for --help

    where = where_of(cohort_file, cohort, root)
    said(act(where, task, reason, signer_of(key)), where, json=json)


@app.command()
def burn(
    cohort_file: CohortArgument = None,
    *,
    reason: ReasonOption,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Record that the cohort is used up: outcomes were seen.

    Nothing is attached to it any more. Reveal its hidden evaluators then:
    until that is done it does not validate.
    """
    from tallystick.flows.cohort.acting import burn as act  # noqa: PLC0415  # not for --help
    from tallystick.flows.cohort.hidden import unrevealed  # noqa: PLC0415  # as above

    where = where_of(cohort_file, cohort, root)
    said(act(where, reason, signer_of(key)), where, json=json)
    if hidden := unrevealed(where):
        open_screen().note(
            f"{plural(len(hidden), 'hidden evaluator')} to reveal before it validates again, the first of {hidden[0]}; "
            "see: tally cohort reveal"
        )


@app.command()
def supersede(
    cohort_file: CohortArgument = None,
    *,
    by: Annotated[str, typer.Option(help="The cohort to make, below the root.", metavar="COHORT")],
    id: Annotated[str, typer.Option(help="Its id.", metavar="ID")],  # noqa: A002  # the option's name
    title: Annotated[str | None, typer.Option(help="Its title. Default: the same.", metavar="TEXT")] = None,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    key: KeyOption = None,
    json: JsonOption = False,
) -> None:
    """Make a cohort that takes the place of this one.

    It begins as a scaffold with the tasks of which no outcome was seen. Both
    histories name the other.
    """
    from tallystick.flows.cohort.acting import supersede as act  # noqa: PLC0415  # not for --help

    where = where_of(cohort_file, cohort, root)
    new = where_of(by, None, root)
    said(act(where, new, id, signer_of(key), title), where, json=json)
    say_no_suite(new)


@app.command()
def history(
    cohort_file: CohortArgument = None,
    *,
    cohort: CohortOption = None,
    root: RootOption = Path(),
    json: JsonOption = False,
) -> None:
    """List every act and every commit of the cohort.

    Exit code: 0 when all of it holds, else 2.
    """
    from tallystick.cli.cohort_history_view import history_lines, history_tree  # noqa: PLC0415  # not for --help
    from tallystick.cli.key import signer_policy  # noqa: PLC0415  # as above
    from tallystick.flows.cohort.history import validate_history  # noqa: PLC0415  # as above

    screen = open_screen()
    found = validate_history(where_of(cohort_file, cohort, root), settings.search_path())
    if json:
        screen.data(pyjson.canonical(history_tree(found, signer_policy())))
    else:
        screen.say(history_lines(found, screen.style, signer_policy()))
    raise typer.Exit(0 if found.ok else EXIT_REFUSED)
