"""`tally bundle`: acts on a bundle file that is there already."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tallystick.cli.screen import open_screen
from tallystick.cli.words import naming, plural
from tallystick.core import c1
from tallystick.core.digest import short
from tallystick.core.errors import InputError

if TYPE_CHECKING:
    from tallystick.flows.redact import Redacted

__all__ = ["app"]

_SHOWN: Final = 10
"""Digests listed on screen; --json has all."""

app: Final = typer.Typer(no_args_is_help=True, help="Bundle files: withhold parts of one, visibly.")


@app.callback()
def bundle() -> None:
    """Bundle files: withhold parts of one, visibly."""


@app.command()
def redact(
    file: Annotated[Path, typer.Argument(help="The bundle to take from; it stays as it is.", metavar="FILE")],
    *,
    out: Annotated[Path, typer.Option(help="The file to write; required.", metavar="FILE")],
    blob: Annotated[
        list[str] | None,
        typer.Option(help="Withhold this blob: 8 or more digits of its digest; repeatable. Default: none.", metavar="DIGEST"),
    ] = None,
    recordings: Annotated[bool, typer.Option("--recordings", help="Withhold what was said to models and by them.")] = False,
    outputs: Annotated[bool, typer.Option("--outputs", help="Withhold what agents and graders printed.")] = False,
    key: Annotated[
        str | None, typer.Option(help="Sign with this key. Default: the one called default.", metavar="NAME")
    ] = None,
    no_sign: Annotated[bool, typer.Option("--no-sign", help="Do not sign; others will read UNSIGNED.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Write a copy of a bundle that withholds some of its evidence.

    Every digest stays, and the copy lists what it withholds, so readers see
    that something is missing and what can no longer be checked. It is
    another claim than the first: it has another hash, and you sign it.
    """
    from tallystick.cli.running import known_signer  # noqa: PLC0415  # not for --help
    from tallystick.flows.redact import RedactRequest, withhold  # noqa: PLC0415  # as above

    screen = open_screen()
    signer = None if no_sign else known_signer(key)
    if signer is None and not no_sign:
        raise InputError("no signing key here; make one with tally key new, or leave the copy unsigned with --no-sign")
    try:
        done = withhold(RedactRequest(file, out, tuple(blob or ()), recordings=recordings, outputs=outputs), signer)
    except InputError as error:
        raise naming(file, error) from None
    if json:
        screen.data(_result_json(done))
    else:
        screen.say(_lines(done))


def _result_json(done: Redacted) -> bytes:
    withheld: list[c1.Tree] = [*done.withheld]
    return c1.dumps({"bundle": str(done.path), "bundle_hash": done.bundle.bundle_hash, "withheld": withheld})


def _lines(done: Redacted) -> list[str]:
    more = len(done.withheld) - _SHOWN
    return [
        f"wrote {done.path}: {plural(len(done.withheld), 'blob')} withheld",
        *(f"  {short(digest)}" for digest in done.withheld[:_SHOWN]),
        *([f"  and {more} more"] if more > 0 else []),
        f"bundle {short(done.bundle.bundle_hash)}",
    ]
