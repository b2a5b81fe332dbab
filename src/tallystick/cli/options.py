"""Options that several commands have, each written once."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

__all__ = ["SandboxOption", "WorkersOption"]

WorkersOption = Annotated[
    int | None, typer.Option(help="Attempts at once. Default: one per processor, four at most.", metavar="N")
]
SandboxOption = Annotated[Literal["bwrap", "none"], typer.Option(help="none keeps nothing apart.")]
