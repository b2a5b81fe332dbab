"""What a sandbox is asked to run, and what it says afterwards: the types both drivers and every caller share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from tallystick.core.errors import TallyError

__all__ = [
    "FIXED_ENV",
    "Cancel",
    "Captured",
    "Limits",
    "Measured",
    "Mount",
    "Outcome",
    "Pinning",
    "Sandbox",
    "SandboxError",
    "SandboxUnavailableError",
    "Spec",
    "Talk",
    "used_up",
]

HOME: Final = "/home/agent"
WORKSPACE: Final = "/workspace"
USER_ID: Final = 1000

FIXED_ENV: Final[Mapping[str, str]] = {
    "HOME": HOME,
    "LANG": "C.UTF-8",
    "LOGNAME": "agent",
    "NO_COLOR": "1",
    "PATH": "/tally/bin:/usr/local/bin:/usr/bin:/bin",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "TERM": "dumb",
    "TZ": "UTC",
    "USER": "agent",
}
"""The whole environment of a sandboxed program, before `Spec.env`: nothing of the caller's environment passes."""

Talk = Callable[[BinaryIO, BinaryIO], None]
"""A conversation with the program: (reader of its stdout, writer to its stdin). Both may end at any moment."""


class SandboxError(TallyError):
    """A sandbox that should have worked did not start or did not die."""


class SandboxUnavailableError(SandboxError):
    """This machine cannot start the sandbox that was asked for; the message ends with the command that mends it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one run. All are policy: the caller takes them from the task."""

    wall_ms: int
    memory_bytes: int
    """Memory of all processes together."""
    processes: int
    """Processes and threads alive at one time."""
    file_bytes: int
    """Size of one file."""
    workspace_bytes: int
    """Size of the workspace; home, /tmp and /dev/shm get as much each."""
    workspace_files: int
    """Entries in the workspace."""
    output_bytes: int
    """Bytes kept of stdout, and of stderr. What comes after is counted and thrown away."""
    cpu_ms: int | None = None
    """Processor time of one process, rounded up to seconds; None for no bound but the wall clock. It means the same on a busy
    machine, which the wall clock does not."""


@dataclass(frozen=True, slots=True)
class Mount:
    """A file or folder of the host, seen read-only at `target` (absolute)."""

    source: Path
    target: str


@dataclass(frozen=True, slots=True)
class Pinning:
    """Start the program below the launcher that pins what it sees of the machine; see `sandbox.pinning`."""

    launcher: Path
    turns: Path | None = None
    """The file of turns; None: the clock stands still."""


@dataclass(frozen=True, slots=True)
class Spec:
    """One program to run in /workspace. `argv[0]` is looked up in the sandbox's PATH; no shell reads it."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    limits: Limits
    mounts: tuple[Mount, ...] = ()
    mask: tuple[str, ...] = ()
    """Absolute paths whose contents stay hidden: folders look empty, files cannot be opened."""
    python: bool = True
    """Offer the interpreter that tally runs under as /tally/bin/python3."""
    home: Mapping[str, bytes] = field(default_factory=dict)
    """Files below HOME, by their path there, which are there before the program is: mode 0644, times as in the workspace."""
    pinned: Pinning | None = None

    def __post_init__(self) -> None:
        """Refuse what no driver could run (programmer's mistakes, so ValueError)."""
        if not self.argv or any("\0" in word for word in self.argv):
            raise ValueError("argv must have at least one word, and none with a NUL")
        if any("=" in key or not key or "\0" in key + value for key, value in self.env.items()):
            raise ValueError("an environment name must not be empty or hold '=', and nothing may hold a NUL")
        if any(path.startswith("/") or {"", ".", ".."} & set(path.split("/")) or "\0" in path for path in self.home):
            raise ValueError("paths below the home folder are relative, without '.' and '..'")
        paths = [mount.target for mount in self.mounts] + list(self.mask)
        if any(not path.startswith("/") or ".." in path.split("/") or "\0" in path for path in paths):
            raise ValueError("mount targets and masks are absolute paths without '..'")


@dataclass(frozen=True, slots=True)
class Captured:
    """The first bytes of a stream, and how many there were (`total` counts what was thrown away too)."""

    data: bytes = b""
    total: int = 0


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run cost. Observations: they differ from run to run and decide nothing."""

    wall_ms: int
    cpu_ms: int
    max_rss_kb: int
    """Peak memory of the whole sandbox where a cgroup counts it, else of its largest process (an upper bound: it is
    never below tally's own size)."""
    orphans: int | None
    """Processes still alive when the main one ended, as counted inside; None when nobody could count."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended. Exactly one of `exit` and `signal` is set, unless the driver killed it: then neither."""

    exit: int | None
    signal: int | None
    limit: str | None
    """The bound that ended it: wall, cpu, memory, processes, output, file, workspace or cancelled; else None."""
    stdout: Captured
    stderr: Captured
    measured: Measured
    enforced: tuple[tuple[str, str], ...]
    """(bound, means) pairs, sorted: ("memory", "cgroup-v1"). The means is "none" where nothing held the bound."""
    touched: tuple[str, ...] = field(default=())
    """Bounds that were hit, whether they ended the run or not."""


class Cancel(Protocol):
    """Whether what runs is to be ended now; a `threading.Event` is one."""

    def is_set(self) -> bool:
        """Ask; called several times a second."""
        ...


class Sandbox(Protocol):
    """Where foreign code runs."""

    def run(
        self,
        spec: Spec,
        *,
        fill: Callable[[int], None],
        stdin: bytes = b"",
        talk: Talk | None = None,
        collect: Callable[[int], None] | None = None,
        cancel: Cancel | None = None,
        on_start: Callable[[int], None] | None = None,
    ) -> Outcome:
        """Fill a new workspace, run the program in it, kill whatever is left, hand the workspace to `collect`.

        `fill(dirfd)` writes the workspace before anything runs; `talk` runs in a thread of its own while the program
        lives (its stdout is then not captured); `collect(dirfd)` is called when nothing of it is alive any more.
        `on_start(pid)` is called before the program runs, with the number of a process whose namespaces are the program's.
        What `fill`, `talk`, `collect` and `on_start` raise comes out of here, after the clean-up.
        """
        ...


def used_up(limits: Limits, cpu_ms: int) -> bool:
    """Whether a program that was killed had used up its processor time.

    The kernel compares a count of its ticks, and tells afterwards what its clock says: on a busy machine a program was killed
    for one second after 875 ms. Who kills itself that late is told the same, which helps nobody.
    """
    return limits.cpu_ms is not None and 4 * cpu_ms >= 3 * limits.cpu_ms
