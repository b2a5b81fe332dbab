"""Circumstances under which an agent is run again: another home, folder, user, fewer processors, a machine with no time for it.

The date cannot be another one: of the clocks of a kernel its namespaces divide only those that nobody calls the time of day. So
the tests look for today's date in what agents send, which never reaches it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tests.agents.kit import Where

__all__ = ["CONDITIONS", "NOBODY", "TOGETHER", "Condition", "busy", "dates_of_today"]

NOBODY: Final = 65534
"""An ordinary user, who replays where the tests run as root."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A name, and the circumstances, made in an empty folder."""

    name: str
    where: Callable[[Path], Where]
    loaded: bool = False


def _homes(folder: Path) -> dict[str, str]:
    """A home of other files than usual, and XDG folders elsewhere."""
    for name in ("home", "config", "cache", "data"):
        (folder / name).mkdir()
    (folder / "home" / ".gitconfig").write_text("[user]\nname = Somebody Else\n[core]\npager = less\n")
    return {
        "HOME": str(folder / "home"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_DATA_HOME": str(folder / "data"),
    }


def _folder(folder: Path, name: str) -> Path:
    made = folder / name
    made.mkdir()
    return made


def _one_processor() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def _other_habits() -> None:
    os.umask(0o077)
    os.nice(5)


def _all_other_habits() -> None:
    _one_processor()
    _other_habits()


def _other_surroundings(folder: Path) -> Where:
    env = {**_homes(folder), "TMPDIR": str(_folder(folder, "elsewhere")), "TZ": "Pacific/Auckland", "LANG": "de_DE.UTF-8"}
    return Where(env, _folder(folder, "work of another"), prepare=_other_habits)


def _everything(folder: Path) -> Where:
    return replace(_other_surroundings(folder), prepare=_all_other_habits)


def _other_user(folder: Path) -> Where:
    return Where({"HOME": str(folder), "TMPDIR": str(folder)}, folder, NOBODY)


_AS_IT_WAS: Final = Condition("as it was", lambda _: Where())
_OTHER_USER: Final = Condition("other user", _other_user)
_ONE_PROCESSOR: Final = Condition("one processor", lambda _: Where(prepare=_one_processor))

CONDITIONS: Final = (
    _AS_IT_WAS,
    Condition("as it was, again", lambda _: Where()),
    Condition("other home and XDG folders", lambda folder: Where(_homes(folder))),
    Condition("other working directory", lambda folder: Where(cwd=_folder(folder, "work of another"))),
    Condition("other folder for temporary files", lambda folder: Where({"TMPDIR": str(_folder(folder, "elsewhere"))})),
    Condition(
        "other zone, language and umask", lambda _: Where({"TZ": "Asia/Tokyo", "LANG": "tr_TR.UTF-8"}, prepare=_other_habits)
    ),
    _ONE_PROCESSOR,
    _OTHER_USER,
    Condition("loaded machine", lambda _: Where(), loaded=True),
    Condition("all of these but the user", _everything, loaded=True),
)
"""Each alone, which tells what makes a difference, and at last together."""

TOGETHER: Final = (
    _AS_IT_WAS,
    _ONE_PROCESSOR,
    _OTHER_USER,
    Condition("all of these but processor and user", _other_surroundings, loaded=True),
)
"""The same circumstances in the fewest replays. One processor hides what several do at once, so it is no part of the last."""


@contextlib.contextmanager
def busy(loops: int) -> Iterator[None]:
    """A machine on which so many programs never rest."""
    running = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()


def dates_of_today() -> list[bytes]:
    """How programs spell the day it is; a recording on the stroke of midnight is nobody's concern."""
    today = datetime.now(UTC)
    day, month, year = today.day, today.strftime("%B"), today.year
    spelled = [today.strftime("%Y-%m-%d"), today.strftime("%a %b %e"), f"{month} {day}, {year}", f"{day} {month} {year}"]
    return [text.encode() for text in (*spelled, today.strftime("%m/%d/%Y"), f"{month} {year}")]
