"""`tally merge`: the shards of one run to one signed bundle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from tallystick.cli import settings
from tallystick.cli.screen import Screen, open_screen
from tallystick.core.errors import InputError

if TYPE_CHECKING:
    from tallystick.trust.signing import Signer

__all__ = ["app", "merge"]

app: Final = typer.Typer()


@app.command()
def merge(
    shards: Annotated[
        list[Path], typer.Argument(help="What tally run --shard wrote, all parts of one run.", metavar="SHARD...")
    ],
    *,
    out: Annotated[Path | None, typer.Option(help="The file to write. Default: SUITE-AGENT.json here.", metavar="FILE")] = None,
    suite: Annotated[
        str | None, typer.Option(help="The suite of the run. Default: the packaged one of that name.", metavar="SUITE")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            help="Sign with this key, see tally key list. Default: the only one, or the one called default.", metavar="NAME"
        ),
    ] = None,
    no_sign: Annotated[bool, typer.Option("--no-sign", help="Do not sign; others will read UNSIGNED.")] = False,
    container: Annotated[
        Literal["auto", "json", "tally"], typer.Option(help="One JSON file, or a .tally archive for large runs.")
    ] = "auto",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the name of the written file and nothing else.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Make one signed bundle of all shards of a run.

    The shards must be of the same suite, agent and settings, and hold every
    attempt exactly once. The bundle is the one of an undivided run.
    """
    from tallystick.cli.run_view import Written, result_json, result_lines  # noqa: PLC0415  # not for --help
    from tallystick.cli.running import known_signer  # noqa: PLC0415  # as above
    from tallystick.cli.targets import target_of  # noqa: PLC0415  # as above
    from tallystick.flows import merge as act  # noqa: PLC0415  # as above
    from tallystick.suites.loading import load_suite  # noqa: PLC0415  # as above

    screen = open_screen()
    given = None if suite is None else load_suite(suite)
    signer = None if no_sign else known_signer(key or settings.layers(project=False).text("key"))
    with act.merge(shards, given) as merged:
        target = target_of(out, container, merged.bundle.suite_version, merged.bundle.agent.name)
        _refuse_own_shard(shards, target.path)
        written = Written(*act.write_merged(merged, _signer(signer, screen, wanted=not no_sign), target.path, target.container))
    if json:
        screen.data(result_json(written))
    elif quiet:
        screen.say([str(written.path)])
    else:
        screen.say(result_lines(written, screen.style))


def _signer(known: Signer | None, screen: Screen, *, wanted: bool) -> Signer | None:
    from tallystick.cli.running import new_signer  # noqa: PLC0415  # as above

    return known if known is not None or not wanted else new_signer(screen)


def _refuse_own_shard(shards: list[Path], out: Path) -> None:
    if out.exists() and any(out.samefile(shard) for shard in shards):
        raise InputError(f"{out} is one of the shards; name another file with --out")
