"""A child process held by a pidfd: started without Python code between fork and exec, killed and reaped without races."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.sandbox.spec import SandboxError

__all__ = ["Child", "Ended", "Pipe", "memory_file", "open_file", "spawn", "wait_readable"]

_HIGH: Final = 64
"""Our own ends are numbered from here, so that placing them at low numbers in a child overwrites none of them."""

_DEFAULT_SIGNALS: Final = tuple(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP})

DIE_S: Final = 30.0
"""Seconds that a killed process may take to be gone; longer means the machine is broken."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What wait4 told: the exit code or the signal, and processor time in milliseconds and peak size in KiB."""

    exit: int | None
    signal: int | None
    cpu_ms: int
    max_rss_kb: int


class Pipe:
    """A pipe whose ends are closed once, whoever closes them."""

    def __init__(self) -> None:
        self._ends = [_raise(fd) for fd in os.pipe2(os.O_CLOEXEC)]

    @property
    def reader(self) -> int:
        """The reading end, -1 when closed or taken."""
        return self._ends[0]

    @property
    def writer(self) -> int:
        """The writing end, -1 when closed or taken."""
        return self._ends[1]

    def close_reader(self) -> None:
        """Close the reading end."""
        self._close(0)

    def close_writer(self) -> None:
        """Close the writing end."""
        self._close(1)

    def take(self, end: int) -> int:
        """Hand one end (0 reader, 1 writer) over to somebody who will close it."""
        fd, self._ends[end] = self._ends[end], -1
        return fd

    def close(self) -> None:
        """Close what is open."""
        self._close(0)
        self._close(1)

    def _close(self, end: int) -> None:
        fd = self.take(end)
        if fd >= 0:
            os.close(fd)


def memory_file(data: bytes) -> int:
    """A file of memory, to be read from its start."""
    low = os.memfd_create("tally", os.MFD_CLOEXEC)
    fd = _raise(low)
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def open_file(path: Path) -> int:
    """A file to be read, never through a link."""
    return _raise(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC))


def _raise(fd: int) -> int:
    try:
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    finally:
        os.close(fd)


class Child:
    """A child of this process. Kill and reap it exactly once; `pidfd` is readable when it has ended."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.pidfd = os.pidfd_open(pid)
        self._ended: Ended | None = None

    def kill(self) -> None:
        """Send SIGKILL, unless it has ended."""
        if self._ended is None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    def reap(self) -> Ended:
        """Wait for the end and collect it; later calls return the same."""
        if self._ended is None:
            if not wait_readable(self.pidfd, DIE_S):
                raise SandboxError(f"process {self.pid} does not die; look at its state in /proc/{self.pid}/stack")
            _, status, usage = os.wait4(self.pid, 0)
            code = os.waitstatus_to_exitcode(status)
            cpu = round((usage.ru_utime + usage.ru_stime) * 1000)
            self._ended = Ended(code if code >= 0 else None, -code if code < 0 else None, cpu, usage.ru_maxrss)
            os.close(self.pidfd)
        return self._ended


def spawn(program: str, argv: Sequence[str], places: Mapping[int, int], env: Mapping[str, str]) -> Child:
    """Start a program with exactly the descriptors `places` {number in the child: ours}, in a process group of its own.

    posix_spawn places descriptors at chosen numbers without running Python in the child, and the kernel sees the calling
    thread as the parent, which the parent-death signal needs. Signals are at their defaults, none blocked.
    """
    actions: list[tuple[int, int, int] | tuple[int, int]] = [(os.POSIX_SPAWN_DUP2, fd, at) for at, fd in places.items()]
    actions += [(os.POSIX_SPAWN_CLOSE, fd) for fd in _inheritable() if fd not in places]
    pid = os.posix_spawn(
        program, list(argv), dict(env), file_actions=actions, setpgroup=0, setsigmask=(), setsigdef=_DEFAULT_SIGNALS
    )
    return Child(pid)


def _inheritable() -> list[int]:
    """Descriptors that would leak: Python makes none, but whoever started tally may have left some."""
    found = []
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - hot: no objects needed
        with contextlib.suppress(OSError):
            if os.get_inheritable(int(name)):
                found.append(int(name))
    return found


def wait_readable(fd: int, seconds: float) -> bool:
    """Whether `fd` became readable (or closed) in time."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(max(0, round(seconds * 1000))))
