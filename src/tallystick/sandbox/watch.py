"""Bounds that the kernel does not hold for us and somebody has to look at: files on a tmpfs, and memory without a cgroup."""

from __future__ import annotations

import contextlib
import os
import re
from typing import Final

from tallystick.sandbox.layout import SCRATCH
from tallystick.sandbox.spec import WORKSPACE, Limits

__all__ = ["Watchdog"]

_EVERY_S: Final = 0.05
_PAGE_KB: Final = os.sysconf("SC_PAGESIZE") // 1024
_FLOOR_KB: Final = 256 * 1024
"""What has to be left of the machine's memory: this, or a 32nd of it where that is less."""
_SYSTEM: Final = re.compile(rb"^(MemTotal|MemAvailable): +(\d+) kB$", re.MULTILINE)


class Watchdog:
    """Looks at a sandbox through its root fd. `memory`: also count what its processes hold.

    Some memory belongs to no process (shared memory of which a part is unmapped, what is on its way through sockets). No
    ordinary user can count it, so the machine as a whole is looked at too: a sandbox does not outlive the last of its memory.
    `system` is the file of proc(5) that tells.
    """

    def __init__(
        self, root: int, limits: Limits, stack: contextlib.ExitStack, *, memory: bool, system: str = "/proc/meminfo"
    ) -> None:
        self._limits = limits
        self._memory = memory
        self._system = system
        self._folders = [_open(root, path, stack) for path in (WORKSPACE, *SCRATCH)]
        self._proc = _open(root, "/proc", stack)
        self.every_s = _EVERY_S
        self.peak_kb = 0

    def look(self) -> str | None:
        """The bound that was passed, or None."""
        for fd in self._folders:
            status = os.fstatvfs(fd)
            if status.f_files - status.f_ffree > self._limits.workspace_files + 1:
                return "workspace"
        if not self._memory:
            return None
        processes, kilobytes = self._count("statm")
        if kilobytes * 1024 > self._limits.memory_bytes:  # shared pages were counted once for each process: count fairly
            processes, kilobytes = self._count("smaps_rollup")
        self.peak_kb = max(self.peak_kb, kilobytes)
        if processes > self._limits.processes:
            return "processes"
        return "memory" if kilobytes * 1024 > self._limits.memory_bytes or self._exhausted() else None

    def full(self) -> bool:
        """Whether the workspace has no room for one more page."""
        status = os.fstatvfs(self._folders[0])
        return status.f_bavail == 0

    def _exhausted(self) -> bool:
        """Whether the machine has next to no memory left."""
        fd = os.open(self._system, os.O_RDONLY | os.O_CLOEXEC)
        try:
            found = {name: int(value) for name, value in _SYSTEM.findall(os.read(fd, 4096))}
        finally:
            os.close(fd)
        return found[b"MemAvailable"] < min(_FLOOR_KB, found[b"MemTotal"] // 32)

    def _count(self, file: str) -> tuple[int, int]:
        """Processes inside and KiB they and the tmpfs hold."""
        processes = kilobytes = 0
        for name in os.listdir(self._proc):  # noqa: PTH208 - an fd, not a path
            if name.isdigit():
                processes += 1
                kilobytes += self._size(f"{name}/{file}", file)
        for fd in self._folders:
            status = os.fstatvfs(fd)
            kilobytes += (status.f_blocks - status.f_bfree) * status.f_frsize // 1024
        return processes, kilobytes

    def _size(self, path: str, file: str) -> int:
        """KiB of one process: resident pages of statm, or the Pss of smaps_rollup. See proc(5)."""
        try:
            fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._proc)
            try:
                text = os.read(fd, 4096)
            finally:
                os.close(fd)
        except PermissionError:  # of a program whose file nobody may read: what is shared is then counted in full
            return 0 if file == "statm" else self._size(f"{path.partition('/')[0]}/statm", "statm")
        except OSError:
            return 0  # it has ended
        if file == "statm":
            return int(text.split()[1]) * _PAGE_KB
        return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith(b"Pss:"))


def _open(root: int, path: str, stack: contextlib.ExitStack) -> int:
    fd = os.open(path.lstrip("/"), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=root)
    stack.callback(os.close, fd)
    return fd
