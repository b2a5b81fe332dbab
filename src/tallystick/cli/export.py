"""`tally export`: a bundle as data for spreadsheets, programs, CI servers and comments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from tallystick.cli.screen import open_screen
from tallystick.cli.text import safe
from tallystick.cli.words import naming
from tallystick.core.errors import InputError
from tallystick.flows.export import export as exported
from tallystick.flows.writing import write_whole

__all__ = ["app", "export"]

app: Final = typer.Typer()


@app.command()
def export(
    form: Annotated[Literal["csv", "ndjson", "junit", "markdown"], typer.Argument(help="What to write.", metavar="FORMAT")],
    file: Annotated[Path, typer.Argument(help="The bundle that tally run wrote.", metavar="FILE")],
    out: Annotated[Path | None, typer.Option(help="Write to this file. Default: standard output.", metavar="FILE")] = None,
) -> None:
    """Write a bundle as csv, ndjson, junit or markdown.

    One row for each attempt (markdown: for each task), as the submitter states
    it; to check it, tally verify. Text of others is escaped.
    """
    screen = open_screen()
    try:
        if out is None:
            screen.raw(exported(file, form))
            return
        size = write_whole(out, exported(file, form), (file,))
    except InputError as error:
        raise naming(file, error) from None
    screen.wrote(out, f"wrote {safe(str(out))} ({size} bytes)")
