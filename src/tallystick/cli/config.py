"""`tally config`: which settings hold here, and who says so."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Final

import typer

from tallystick.cli import settings
from tallystick.cli.layers import KEYS, Found, Layers
from tallystick.cli.screen import open_screen
from tallystick.cli.text import safe
from tallystick.core import c1

__all__ = ["app", "show", "toml_text"]

app: Final = typer.Typer(no_args_is_help=True, help="Settings: which hold here, and where they come from.")

_LONGEST: Final = 500


@app.callback()
def config() -> None:
    """Settings: which hold here, and where they come from."""


@app.command()
def show(
    origin: Annotated[bool, typer.Option("--origin", help="Say of each where it comes from.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
) -> None:
    """Show the settings of tally run in this folder.

    An option wins over a TALLY_* variable, that over tally.toml here, that
    over your own config.toml. Other commands take state and workers from
    variables and your own file only.
    """
    given = settings.layers(project=True)
    screen = open_screen()
    if json:
        screen.data(c1.dumps({"settings": [_row(name, given.find(name)) for name in KEYS]}))
        return
    screen.say(_lines(given, origin=origin))


def _lines(given: Layers, *, origin: bool) -> Iterator[str]:
    yield "[run]"
    for name, key in KEYS.items():
        found = given.find(name)
        told = f"  # {safe(found.origin, _LONGEST)}" if origin else ""
        if found.value is None:
            yield f"# {name}: {key.default}{told}"
        else:
            yield f"{name} = {toml_text(found.value)}{told}"


def toml_text(value: str | int | Decimal | tuple[str, ...]) -> str:
    """A value as TOML: strings of JSON and of TOML are the same where nothing in them is unprintable, see toml.io 1.0."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(toml_text, value))}]"
    return c1.dumps(safe(value, len(value))).decode() if isinstance(value, str) else str(value)


def _row(name: str, found: Found) -> dict[str, c1.Tree]:
    row: dict[str, c1.Tree] = {"key": name, "origin": found.origin}
    if found.value is not None:
        row["value"] = list(found.value) if isinstance(found.value, tuple) else found.value
    return row
