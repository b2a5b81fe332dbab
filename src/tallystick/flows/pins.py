"""Whether recorded runs can have their pins here: the launcher is built, and tried in a real sandbox."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from tallystick.flows.findings import Finding, Mend, Surroundings
from tallystick.flows.places import scratch_folder
from tallystick.recording.passing import passing_folder
from tallystick.sandbox import Limits, Pinning, SandboxError, Spec, open_sandbox
from tallystick.sandbox.pinning import Launcher, find_built, launcher

__all__ = ["look_at_launcher"]

_LIMITS: Final = Limits(10_000, 256 << 20, 32, 1 << 20, 1 << 20, 100, 1 << 16)
_LOST: Final = "agents run without it; recordings of them replay only where nothing of the clock reaches a model"
_CLOCK: Final = b"1700000000\n"


def look_at_launcher(around: Surroundings, *, sandbox_works: bool) -> Finding:
    """The launcher that was built before, else one that goes away again."""
    found = None if around.cache is None else find_built(around.cache)
    if found is not None:
        return _judge(found, sandbox_works=sandbox_works)
    folder = scratch_folder(around)
    if folder is None:
        return Finding("launcher", "advice", f"not tried: no folder has room for it; {_LOST}")
    try:
        with passing_folder("doctor", folder) as passing:
            return _judge(launcher(passing), sandbox_works=sandbox_works)
    except OSError as error:
        return Finding("launcher", "advice", f"not tried: {error}; {_LOST}")


def _judge(found: Launcher | str, *, sandbox_works: bool) -> Finding:
    if isinstance(found, str):
        return _missing(found)
    if sandbox_works:
        problem = _try(found.path)
        if problem is not None:
            return Finding("launcher", "advice", f"it does not work in the sandbox: {problem}; {_LOST}")
    return Finding("launcher", "ok", "recorded runs have clock, kernel name, random numbers and addresses pinned")


def _missing(why: str) -> Finding:
    says, _, command = why.partition("; run: ")
    if not command:
        return Finding("launcher", "advice", f"{says}; {_LOST}")
    by: Literal["root", "you"] = "root" if command.startswith("sudo ") else "you"
    return Finding("launcher", "advice", f"{says}; {_LOST}", Mend(command, by))


def _try(path: Path) -> str | None:
    """What goes wrong with a program below the launcher in a real sandbox."""
    try:
        spec = Spec(("date", "+%s"), {}, _LIMITS, pinned=Pinning(path))
        outcome = open_sandbox("bwrap").run(spec, fill=lambda _: None)
    except (SandboxError, OSError) as error:
        return str(error)
    if outcome.exit == 0 and outcome.stdout.data == _CLOCK:
        return None
    said = (outcome.stderr.data or outcome.stdout.data).decode(errors="replace").strip()
    return said[:200] or f"date ended with {outcome.exit}"
