"""`tally demo`: the whole idea in a quarter of a minute, on this machine, with nothing kept but what is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from tallystick.cli import settings
from tallystick.cli.screen import Screen, open_screen
from tallystick.cli.text import safe, wrapped
from tallystick.core.errors import InputError
from tallystick.flows.demo import DemoStep, demo
from tallystick.flows.demo_replay import Machine
from tallystick.recording.passing import passing_folder

__all__ = ["app", "run_demo"]

app: Final = typer.Typer()


@app.command("demo")
def run_demo(
    keep: Annotated[
        Path | None, typer.Option(help="Keep the files in this folder, to look at them. Default: they go away.", metavar="DIR")
    ] = None,
) -> None:
    """See it work: run, verify, tamper, be caught. No key, no network.

    Runs golden-v1 twice, honestly and with a cheat, verifies the result, then
    tells two lies about it and shows how they are refused. At last a real
    agent program runs again on recorded answers, where it is installed.
    """
    screen = open_screen()
    if keep is None:
        with passing_folder("demo") as folder:
            _play(folder, screen)
        screen.say(["", "nothing was kept; to look at the files: tally demo --keep DIR"])
        return
    if keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
        raise InputError(f"{keep} is there and not empty; --keep takes a new folder")
    keep.mkdir(parents=True, exist_ok=True)
    _play(keep, screen)
    screen.say(["", f"the files are in {keep}; look at one: tally show {keep / 'oracle.json'}"])


def _cache(folder: Path) -> Path:
    """Where what can be made again is kept; without a home, in the demonstration's own folder."""
    try:
        return settings.cache_folder()
    except InputError:
        return folder / "cache"


def _play(folder: Path, screen: Screen) -> None:
    count = 0

    def tell(step: DemoStep) -> None:
        nonlocal count
        count += 1
        lines = [*([""] if count > 1 else []), *wrapped(step.title, first=f"{count}. ")]
        for line in step.lines:
            lines += wrapped(safe(line, 600), first="   ")
        screen.say(lines)

    machine = Machine(settings.search_path(), _cache(folder))
    demo(folder, machine, workers=settings.workers(None), listener=tell)
