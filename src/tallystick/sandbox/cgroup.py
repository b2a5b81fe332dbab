"""Memory and process limits by control groups, where the host lets us make one: version 1 or 2.

The group is always made below a group that already holds tally (v1), or beside it in the part of the tree that was
delegated to the user (v2), so no limit that somebody set on tally is left.

In v1 a thread may be in another group than the rest of its process. Moving the *calling* thread costs microseconds, while
moving another process waits for an RCU grace period (10 ms, measured on Linux 6.18): so the thread that starts a sandbox
steps into the group, starts it, and steps back. In v2 only whole processes move. See cgroups(7).
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.sandbox.spec import Limits, SandboxError

__all__ = ["Group", "Hits", "Host", "detect", "new_group", "sweep"]

_PREFIX: Final = "tallystick-"
_REMOVE_S: Final = 5.0
"""Seconds to wait for the kernel to let go of the last dead process of a group."""


@dataclass(frozen=True, slots=True)
class Host:
    """Where groups can be made. `memory` and `processes` are the parent folders of each controller, None without."""

    version: int
    memory: Path | None
    processes: Path | None

    def means(self, controller: Path | None) -> str | None:
        """The word for `Outcome.enforced`."""
        return f"cgroup-v{self.version}" if controller else None


@dataclass(frozen=True, slots=True)
class Hits:
    """What a group counted: kills for memory, refused forks, and the peak of memory in KiB (None when unknown)."""

    memory: bool = False
    processes: bool = False
    peak_kb: int | None = None


def detect(root: Path = Path("/sys/fs/cgroup"), own: str | None = None) -> Host | None:
    """Find where this process may make groups; None where it may not. `own` is the text of /proc/self/cgroup."""
    if own is None:
        own = _read(Path("/proc/self/cgroup"))
    places = {}
    for line in own.splitlines():
        number, controllers, path = line.split(":", 2)
        places[controllers if number != "0" else "v2"] = path
    host = _version_1(root, places)
    return host if host.memory or host.processes else _version_2(root, places.get("v2"))


def _version_1(root: Path, places: dict[str, str]) -> Host:
    found: dict[str, Path | None] = {"memory": None, "pids": None}
    for names, path in places.items():
        for name in set(names.split(",")) & set(found):
            parent = root / name / path.lstrip("/")
            if _writable(parent) and _writable(parent / "tasks"):
                found[name] = parent
    return Host(1, found["memory"], found["pids"])


def _version_2(root: Path, path: str | None) -> Host | None:
    """The nearest group above ours that is writable and hands both controllers to its children."""
    if path is None:
        return None
    folder = root / path.lstrip("/")
    while folder != root.parent:
        given = _read(folder / "cgroup.subtree_control").split()
        if {"memory", "pids"} <= set(given) and _writable(folder) and _writable(folder / "cgroup.procs"):
            return Host(2, folder, folder)
        folder = folder.parent
    return None


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=True)


def sweep(host: Host | None) -> None:
    """Remove groups that a killed tally left behind: their name has its pid, and the kernel keeps any that is in use."""
    parents = {parent for parent in (host.memory, host.processes) if parent} if host else set()
    for folder in (folder for parent in parents for folder in parent.glob(f"{_PREFIX}*-*")):
        pid = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if not Path("/proc", pid).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()


class Group:
    """One sandbox's group, removed by `remove` when everything in it is dead."""

    def __init__(self, host: Host, limits: Limits) -> None:
        name = f"{_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
        self.host = host
        self._memory = host.memory / name if host.memory else None
        self._processes = host.processes / name if host.processes else None
        try:
            self._make(limits)
        except BaseException:
            self.remove()
            raise

    def _make(self, limits: Limits) -> None:
        for folder in self._folders():
            folder.mkdir()
        self._set(limits)

    def _set(self, limits: Limits) -> None:
        first = self.host.version == 1
        if self._memory:
            _write(self._memory / ("memory.limit_in_bytes" if first else "memory.max"), limits.memory_bytes)
            with contextlib.suppress(OSError):  # a kernel without swap accounting has no such file
                swap = ("memory.memsw.limit_in_bytes", limits.memory_bytes) if first else ("memory.swap.max", 0)
                _write(self._memory / swap[0], swap[1])
        if self._processes:
            _write(self._processes / "pids.max", limits.processes)

    def _folders(self) -> tuple[Path, ...]:
        return tuple(dict.fromkeys(folder for folder in (self._memory, self._processes) if folder))

    @contextlib.contextmanager
    def around_start(self) -> Iterator[None]:
        """Whatever the calling thread starts in this block belongs to the group (v1 only; in v2 use `adopt`)."""
        if self.host.version != 1:
            yield
            return
        try:
            for folder in self._folders():
                _write(folder / "tasks", 0)
            yield
        finally:
            for folder in self._folders():
                _write(folder.parent / "tasks", 0)

    def adopt(self, pid: int) -> None:
        """Move a process that has not started anything yet into the group (v2)."""
        if self.host.version != 1:
            for folder in self._folders():
                _write(folder / "cgroup.procs", pid)

    def hits(self) -> Hits:
        """Read what was counted; call it when everything is dead and before `remove`."""
        first = self.host.version == 1
        memory, peak = False, None
        if self._memory:
            memory = _count(self._memory / ("memory.oom_control" if first else "memory.events"), "oom_kill") > 0
            text = _read(self._memory / ("memory.max_usage_in_bytes" if first else "memory.peak")).strip()
            peak = int(text) // 1024 if text.isdigit() else None
        processes = bool(self._processes) and self.forks_refused() > 0
        return Hits(memory, processes, peak)

    def forks_refused(self) -> int:
        """How often the process limit stopped a fork."""
        return _count(self._processes / "pids.events", "max") if self._processes else 0

    def remove(self) -> None:
        """Remove the group; the kernel may take a moment after the last death."""
        for folder in self._folders():
            _remove(folder)


def new_group(host: Host | None, limits: Limits) -> Group | None:
    """A new group, or None when the host grants none (also when it changed its mind since `detect`)."""
    if host is None:
        return None
    try:
        return Group(host, limits)
    except OSError:
        return None


def _remove(folder: Path) -> None:
    deadline = time.monotonic() + _REMOVE_S
    while True:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError as error:
            if time.monotonic() > deadline:
                raise SandboxError(f"cannot remove the control group {folder}: {error.strerror}") from error
            time.sleep(0.001)
        else:
            return


def _count(file: Path, key: str) -> int:
    for line in _read(file).splitlines():
        name, _, value = line.partition(" ")
        if name == key and value.isdigit():
            return int(value)
    return 0


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""


def _write(file: Path, value: int) -> None:
    """One write(2), no creation: O_TRUNC and O_CREAT mean nothing here and a missing file must not appear."""
    fd = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, str(value).encode())
    finally:
        os.close(fd)
