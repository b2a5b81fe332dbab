"""`tally suite draw` and `tally suite families`: suites drawn from task families with a seed that anybody can use again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final

import typer

from tallystick.cli.screen import open_screen
from tallystick.cli.suite import Json
from tallystick.cli.suite_check import app
from tallystick.cli.text import safe, wrapped
from tallystick.cli.words import plural
from tallystick.core import c1, limits
from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError, os_reason

__all__ = ["app", "draw", "families"]

_COUNTED = re.compile(r"([^:]*)(?::([1-9][0-9]{0,3}))?").fullmatch
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}").fullmatch
_BEACON_BYTES: Final = 1 << 20


@app.command()
def families(*, json: Json = False) -> None:
    """Task families that come with tally."""
    from tallystick.suites.families import family_digest, family_names, load_family  # noqa: PLC0415  # only for these commands

    found = [load_family(name) for name in family_names()]
    screen = open_screen()
    if json:
        rows: list[c1.Tree] = [
            {"family": family_digest(f.name), "name": f.name, "tier": f.tier, "title": f.title} for f in found
        ]
        screen.data(c1.dumps({"families": rows}))
        return
    width = max(len(f.name) for f in found)
    for each in found:
        screen.say(wrapped(safe(each.title), first=f"{each.name:<{width}}  {each.tier:<11}  ", rest=" " * (width + 15)))


@app.command()
def draw(
    family: Annotated[
        list[str], typer.Argument(help="Families to draw from, in this order; NAME:N for N tasks.", metavar="FAMILY...")
    ],
    out: Annotated[Path, typer.Option(help="New folder for the compiled suite, file contents included.", metavar="DIR")],
    *,
    seed: Annotated[
        str | None, typer.Option(help="The seed: letters, digits, . _ : - Default: --beacon's.", metavar="TEXT")
    ] = None,
    beacon: Annotated[
        Path | None,
        typer.Option(help="Take the seed from this file of public randomness: its digest. Default: none.", metavar="FILE"),
    ] = None,
    count: Annotated[
        int, typer.Option(help="Tasks of each family without a number of its own. Default: 1", metavar="N", show_default=False)
    ] = 1,
    name: Annotated[str | None, typer.Option(help="What the suite is called. Default: drawn-SEED.", metavar="TEXT")] = None,
    json: Json = False,
) -> None:
    """Draw an ordinary suite from task families.

    A suite names what it was drawn from, so that a reader can draw it again and
    compare the hash: tally suite check DIR does that. A seed that nobody could
    choose, such as a beacon's, shows that no task was picked for an agent.
    """
    from tallystick.suites.families.drawing import DrawRequest  # noqa: PLC0415  # as above
    from tallystick.suites.families.drawing import draw as draw_suite  # noqa: PLC0415  # as above
    from tallystick.suites.loading import refuse_reserved, write_compiled  # noqa: PLC0415  # as above

    text, origin = _seed(seed, beacon)
    request = DrawRequest(
        version=f"drawn-{text.replace(':', '-')[:40]}" if name is None else _checked(name),
        seed=text,
        counts=_counts(family, count),
        beacon=origin,
    )
    suite = draw_suite(request)
    refuse_reserved(suite, out)
    write_compiled(suite, out)
    screen = open_screen()
    if json:
        screen.data(
            c1.dumps(
                {"out": safe(str(out), 4096), "seed": text, "suite_hash": suite.suite_hash, "task_count": len(suite.tasks)}
            )
        )
        return
    screen.say(
        [
            f"{suite.version}: {plural(len(suite.tasks), 'task')}, seed {text}",
            suite.suite_hash,
            f"written: {safe(str(out), 4096)}",
        ]
    )


def _checked(name: str) -> str:
    if _NAME(name) is None:
        raise InputError(f"--name {name[:60]!r} cannot name a suite; expected letters, digits and . _ -")
    return name


def _counts(words: list[str], count: int) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in words:
        said = _COUNTED(word)
        if said is None:
            raise InputError(f"{word[:60]!r}: give a family, or NAME:N for N of its tasks")
        if said[1] in counts:
            raise InputError(f"the family {said[1]} stands twice; give {said[1]}:N for N of its tasks")
        counts[said[1]] = int(said[2]) if said[2] else count
    return counts


def _seed(seed: str | None, beacon: Path | None) -> tuple[str, Digest | None]:
    """The seed's text, and the digest of the file that it comes from."""
    if (seed is None) == (beacon is None):
        raise InputError("give a seed with --seed, or a file of public randomness with --beacon; one of them")
    if seed is not None:
        return seed, None
    assert beacon is not None
    from tallystick.suites.reading import open_regular  # noqa: PLC0415  # as above

    try:
        with open_regular(beacon) as stream:
            data = stream.read(_BEACON_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read {beacon}: {os_reason(error)}") from None
    if not data or len(data) > min(_BEACON_BYTES, limits.BLOB_BYTES):
        raise InputError(f"{beacon}: a beacon has 1 to {_BEACON_BYTES} bytes")
    digest = sha256(data)
    return digest, digest
