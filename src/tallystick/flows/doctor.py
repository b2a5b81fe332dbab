"""The act of looking at this machine: a real sandbox, a real attempt, and everything a run leans on."""

from __future__ import annotations

import platform
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from tallystick.core.errors import TallyError
from tallystick.flows.findings import Finding, Mend, Surroundings
from tallystick.flows.pins import look_at_launcher
from tallystick.flows.places import look_at_places, scratch_folder
from tallystick.flows.programs import look_at_programs
from tallystick.flows.run import RunRequest, run
from tallystick.recording.passing import passing_folder
from tallystick.records.bundle import Bundle
from tallystick.runner.adapters import OracleAdapter
from tallystick.sandbox.drivers import Probe, forbidding_switch, probe
from tallystick.suites.loading import load_suite

__all__ = ["Fixed", "can_run", "examine", "fix"]

_SUITE: Final = "golden-v1"
_NEWEST_PYTHON: Final = (3, 14)
"""The last one that tests run under."""
_TASK_MB: Final = 2048
"""Memory that a task may use where it says nothing; see `suites.taskfile`."""
_DELEGATED: Final = "systemd-run --user --scope -p Delegate=yes tally run"
_FIX_S: Final = 30


@dataclass(frozen=True, slots=True)
class Fixed:
    """A command of `--fix`: how it ended, or why it was left to somebody else."""

    command: str
    outcome: str
    ran: bool


def examine(around: Surroundings, listener: Callable[[Finding], None] | None = None) -> tuple[Finding, ...]:
    """Look at everything, telling each finding as it comes. Nothing is left behind."""
    found = []
    for finding in _look(around):
        found.append(finding)
        if listener is not None:
            listener(finding)
    return tuple(found)


def can_run(findings: tuple[Finding, ...]) -> bool:
    """Whether a plain `tally run` gets to its end on this machine."""
    return all(finding.standing != "problem" for finding in findings)


def fix(findings: tuple[Finding, ...]) -> tuple[Fixed, ...]:
    """Run the mends that touch only folders of tally's own; name the others, and who runs them."""
    mends = dict.fromkeys(finding.mend for finding in findings if finding.mend and finding.standing != "ok")
    return tuple(map(_fix, mends))


def _fix(mend: Mend) -> Fixed:
    if mend.by != "tally":
        needs = "needs root" if mend.by == "root" else "is yours to run"
        return Fixed(mend.command, f"{needs}; not run", ran=False)
    try:
        done = subprocess.run(  # noqa: S603  # words of ours, no shell, and the path in them was quoted by us
            shlex.split(mend.command), capture_output=True, text=True, timeout=_FIX_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Fixed(mend.command, f"failed: {error}", ran=True)
    return Fixed(mend.command, "done" if done.returncode == 0 else f"failed: {done.stderr.strip()}", ran=True)


def _look(around: Surroundings) -> Iterator[Finding]:
    yield _python()
    seen = probe()
    yield from _sandbox(seen)
    if seen.works:
        yield _limits(seen, around)
        yield _memory(around)
        yield _attempt(around)
    yield look_at_launcher(around, sandbox_works=seen.works)
    yield from look_at_places(around)
    yield from look_at_programs(around)


def _python() -> Finding:
    says = f"{platform.python_version()} at {sys.executable}"
    if sys.version_info[:2] > _NEWEST_PYTHON:
        newest = ".".join(map(str, _NEWEST_PYTHON))
        return Finding("python", "advice", f"{says}; tested up to {newest}", Mend(f"uv venv --python {newest}", "you"))
    return Finding("python", "ok", says)


def _sandbox(seen: Probe) -> Iterator[Finding]:
    """Three steps to a sandbox: the program, the kernel's leave, and one that ran."""
    if seen.program is None:
        yield _refused("bubblewrap", seen)
        command = forbidding_switch()
        if command is not None:
            yield Finding("namespaces", "problem", "forbidden to users by a switch of the kernel", Mend(command, "root"))
        return
    yield Finding("bubblewrap", "ok", f"{seen.version} at {seen.program}")
    if not seen.works:
        yield _refused("namespaces", seen)
        return
    yield Finding(
        "namespaces", "ok", "a real sandbox started and ended: user, process, network and mount namespaces are allowed"
    )
    tmpfs = dict(seen.enforced)["workspace"] == "tmpfs"
    yield Finding("tmpfs", "ok" if tmpfs else "problem", "workspaces live in memory, at the size their task allows")


def _refused(check: str, seen: Probe) -> Finding:
    """The line that every command says, taken apart into what is wrong and what mends it."""
    problem = seen.problem or "it does not work, and says nothing"
    if seen.mend is None:
        return Finding(check, "problem", problem)
    command = seen.mend.removeprefix("run: ")
    by: Literal["root", "you"] = "root" if command.startswith("sudo ") else "you"
    return Finding(check, "problem", problem.removesuffix(f"; {seen.mend}"), Mend(command, by))


def _limits(seen: Probe, around: Surroundings) -> Finding:
    """What holds each bound; memory and processes are held by the kernel only where it lends us a control group."""
    held = dict(seen.enforced)
    kernel = {"memory": held["memory"].startswith("cgroup"), "processes": held["processes"] != "watchdog"}
    says = "; ".join(
        f"{', '.join(bound for bound, by in held.items() if by == means)} by {means}" for means in sorted(set(held.values()))
    )
    if all(kernel.values()):
        return Finding("limits", "ok", says)
    loose = " and ".join(name for name, by_kernel in kernel.items() if not by_kernel)
    there = shutil.which("systemd-run", path=around.search_path)
    mend = Mend(_DELEGATED, "you") if there else None
    return Finding("limits", "advice", f"{loose} only watched, not held by the kernel ({says})", mend)


def _memory(around: Surroundings) -> Finding:
    """Whether as many attempts as run at once may use what a task is allowed where it says nothing."""
    available = _available_mb()
    needed = around.workers * _TASK_MB
    if available is None:
        return Finding("memory", "ok", f"unknown; {around.workers} attempts at once may use {needed} MiB")
    says = f"{available} MiB available; attempts at once: {around.workers}, each may use {_TASK_MB} MiB"
    if available >= needed:
        return Finding("memory", "ok", says)
    fitting = max(1, available // _TASK_MB)
    mend = Mend(f"export TALLY_WORKERS={fitting}", "you") if fitting < around.workers else None
    return Finding("memory", "advice", says, mend)


def _available_mb(file: Path = Path("/proc/meminfo")) -> int | None:
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _attempt(around: Surroundings) -> Finding:
    """One task with its reference solution, run, sealed and graded as in any run, in a state folder that goes away."""
    folder = scratch_folder(around)
    if folder is None:
        return Finding("attempt", "problem", "not tried: no folder has room for it", Mend('cd "$(mktemp -d)"', "you"))
    suite = load_suite(_SUITE)
    task = suite.tasks[0].id
    begin = time.monotonic()
    try:
        with passing_folder("doctor", folder) as state:
            done = run(RunRequest(suite, OracleAdapter(), state, tasks=(task,), workers=1, fresh=True))
    except (TallyError, OSError) as error:
        return Finding("attempt", "problem", f"{task}: {error}")
    spent = round((time.monotonic() - begin) * 1000)
    if done.bundle is None or done.bundle.totals.passed != 1:
        return Finding("attempt", "problem", f"{task} was run with its solution and did not pass: {_why(done.bundle)}")
    return Finding("attempt", "ok", f"{task} was run, sealed and graded in {spent} ms")


def _why(bundle: Bundle | None) -> str:
    if bundle is None:
        return "it was stopped"
    output = bundle.task_results[0].harness_output
    return str(output.cause or output.limit or ", ".join(output.failed) or output.outcome)
