"""The real sandbox: bubblewrap, in namespaces of its own, with the workspace on a tmpfs that the host reaches by an fd.

One run: (1) bwrap builds the new root and waits; (2) the host opens /proc/PID/root/workspace and fills it; (3) a line on
the block fd lets the program start, below a small shell that is process 1 inside; (4) when process 1 ends the kernel kills
whatever is left in its pid namespace; (5) the fd still holds the tmpfs, and `collect` reads it: nothing can change it now.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from tallystick.sandbox import cgroup, ending, layout, seccomp
from tallystick.sandbox.process import DIE_S, Pipe, memory_file, open_file, spawn, wait_readable
from tallystick.sandbox.pump import Conversation, Pump, Sink, Watch
from tallystick.sandbox.spec import (
    HOME,
    Cancel,
    Captured,
    Limits,
    Measured,
    Outcome,
    SandboxError,
    SandboxUnavailableError,
    Spec,
    Talk,
    used_up,
)
from tallystick.sandbox.strays import SANDBOX_ARGV
from tallystick.sandbox.watch import Watchdog
from tallystick.sandbox.workspace import fill_home, fill_workspace

__all__ = ["BwrapSandbox"]

START_S: Final = 20.0
"""Seconds for bubblewrap to build the root: it takes milliseconds, and more on a machine under heavy load."""

_ROOT_POLL_S: Final = 0.0002

_CHILD: Final = re.compile(rb'"child-pid": *(\d+)')


class BwrapSandbox:
    """Runs programs below `program` (bubblewrap 0.8 or newer), with control groups where `host` grants them."""

    def __init__(self, program: str, host: cgroup.Host | None) -> None:
        self._program = program
        self._host = host

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
        """See `Sandbox.run`. `on_start` gets the pid of process 1 inside (its namespaces are complete) before it runs.

        Raises SandboxUnavailableError when bubblewrap cannot build the root, SandboxError when it gets stuck.
        """
        with contextlib.ExitStack() as stack:
            group = cgroup.new_group(self._host, spec.limits)
            if group:
                stack.callback(group.remove)
            run = _Run(spec, group, stack)
            run.start(self._program)
            run.prepare(fill, on_start)
            limit = run.carry(stdin, talk, cancel)
            outcome = run.outcome(limit)
            if collect:
                collect(run.workspace)
        return outcome


class _Run:
    """One run, in the order of its methods. `stack` undoes each step, the kill among them, whatever happens."""

    def __init__(self, spec: Spec, group: cgroup.Group | None, stack: contextlib.ExitStack) -> None:
        self._spec, self._group, self._stack = spec, group, stack
        self._pipes = {name: Pipe() for name in ("info", "block", "status", "stdin", "stdout", "stderr")}
        for pipe in self._pipes.values():
            stack.callback(pipe.close)
        self._wall_ms = 0
        self._sinks: dict[str, Sink] = {}
        self._init = -1
        self.workspace = -1

    def start(self, program: str) -> None:
        """Start bubblewrap and find process 1 of the new namespace."""
        with self._inherited() as (places, numbers):
            words = layout.options(self._spec, numbers)
            places[3] = self._memory_file("\0".join(words).encode(errors="surrogateescape") + b"\0")
            argv = [*SANDBOX_ARGV, ending.INIT, "sh", *layout.command(self._spec)]
            with self._group.around_start() if self._group else contextlib.nullcontext():
                self._monitor = spawn(program, argv, places, {})
        self._stack.callback(self._end_monitor)
        for name, pipe in self._pipes.items():
            pipe.close_reader() if name in ("block", "stdin") else pipe.close_writer()
        self._pid = self._read_pid()
        self._init = os.pidfd_open(self._pid)
        self._stack.callback(os.close, self._init)
        self._stack.callback(self._kill)
        if self._group:
            self._group.adopt(self._pid)

    @contextlib.contextmanager
    def _inherited(self) -> Iterator[tuple[dict[int, int], layout.Numbers]]:
        """Descriptors for bubblewrap: 0 to 2, 7 and 9 for the shell, 3 its options, the others for single options."""
        pipes = self._pipes
        places = {0: pipes["stdin"].reader, 1: pipes["stdout"].writer, 2: pipes["stderr"].writer}
        places |= {9: pipes["status"].writer, 4: pipes["info"].writer, 5: pipes["block"].reader, 7: pipes["block"].reader}
        with contextlib.ExitStack() as self._files:
            files = {}
            for number, (path, data) in enumerate(layout.files(self._spec).items(), start=10):
                places[number], files[path] = self._memory_file(data), number
            program = seccomp.program(watched=self._watches_memory())
            turns = self._spec.pinned and self._spec.pinned.turns
            if turns:
                places[layout.TURNS_FD] = open_file(turns)
                self._files.callback(os.close, places[layout.TURNS_FD])
            if program:
                places[6] = self._memory_file(program)
            yield places, layout.Numbers(4, 5, 6 if program else None, files)

    def _memory_file(self, data: bytes) -> int:
        fd = memory_file(data)
        self._files.callback(os.close, fd)
        return fd

    def _read_pid(self) -> int:
        """Read what bubblewrap prints: a JSON object with the pid of its child; it may come in pieces."""
        text = b""
        deadline = time.monotonic() + START_S
        while not (found := _CHILD.search(text)) or b"}" not in text:
            if not wait_readable(self._pipes["info"].reader, deadline - time.monotonic()):
                raise SandboxError(f"bubblewrap did not start within {START_S:.0f} s; is the machine overloaded?")
            chunk = os.read(self._pipes["info"].reader, 4096)
            if not chunk:
                raise self._refused()
            text += chunk
        return int(found[1])

    def _refused(self) -> SandboxError:
        """The error for a bubblewrap that gave up, with what it said."""
        self._end_monitor()
        sink = Sink(self._pipes["stderr"].reader, 1000)
        sink.drain()
        said = sink.captured().data.decode(errors="replace").strip().replace("\n", "; ")
        return SandboxUnavailableError(f"bubblewrap cannot build the sandbox: {said or 'it says nothing'}")

    def prepare(self, fill: Callable[[int], None], on_start: Callable[[int], None] | None) -> None:
        """Open the workspace through the new root, set limits on the waiting process, fill."""
        root = self._open_root()
        self._stack.callback(os.close, root)
        self.workspace = os.open("workspace", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=root)
        self._stack.callback(os.close, self.workspace)
        for kind, value in _rlimits(self._spec.limits):
            resource.prlimit(self._pid, kind, value)
        self._watchdog = Watchdog(root, self._spec.limits, self._stack, memory=self._watches_memory())
        fill_workspace(fill, self.workspace)
        self._fill_home(root)
        if on_start:
            on_start(self._pid)

    def _fill_home(self, root: int) -> None:
        """Write the files that the program finds in its home."""
        if not self._spec.home:
            return
        home = os.open(HOME.lstrip("/"), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=root)
        try:
            fill_home(self._spec.home, home)
        finally:
            os.close(home)

    def _open_root(self) -> int:
        """An fd of the new root. Before the pivot /proc/PID/root is the host's: on another device, without /tally/ready."""
        host = Path("/").stat().st_dev
        deadline = time.monotonic() + START_S
        while True:
            with contextlib.suppress(OSError):
                root = os.open(f"/proc/{self._pid}/root", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
                try:
                    os.stat(layout.READY, dir_fd=root, follow_symlinks=False)
                    if os.fstat(root).st_dev != host:
                        return root
                except BaseException:
                    os.close(root)
                    raise
                os.close(root)
            if wait_readable(self._monitor.pidfd, 0) or wait_readable(self._init, 0):
                raise self._refused()
            if time.monotonic() > deadline:
                raise SandboxError(f"bubblewrap did not finish the root within {START_S:.0f} s; is the machine overloaded?")
            time.sleep(_ROOT_POLL_S)

    def carry(self, stdin: bytes, talk: Talk | None, cancel: Cancel | None) -> str | None:
        """Let the program go and stay with it to its end; returns the bound for which it was killed."""
        pipes, keep = self._pipes, self._spec.limits.output_bytes
        self._sinks = {"stderr": Sink(pipes["stderr"].reader, keep), "status": Sink(pipes["status"].reader, ending.KEEP_BYTES)}
        if talk is None:
            self._sinks["stdout"] = Sink(pipes["stdout"].reader, keep)
        pump = Pump(list(self._sinks.values()), self._monitor.pidfd, self._kill)
        conversation = None
        begin = time.monotonic()
        os.write(pipes["block"].writer, b"\n\n")  # bubblewrap takes one byte, the shell the rest
        pipes["block"].close_writer()
        try:
            if talk is None:
                pump.feed(pipes["stdin"], stdin)
            else:
                conversation = Conversation(talk, pipes["stdout"].take(0), pipes["stdin"].take(1), self._kill)
            limit = pump.run(Watch(self._spec.limits.wall_ms, lambda: self._tick(cancel), self._watchdog.every_s))
            self._wall_ms = round((time.monotonic() - begin) * 1000)
        finally:
            self._kill()
            self._wait_dead()
            if conversation:
                conversation.finish()
        return limit

    def _tick(self, cancel: Cancel | None) -> str | None:
        if cancel is not None and cancel.is_set():
            return "cancelled"
        return self._watchdog.look()

    def outcome(self, limit: str | None) -> Outcome:
        """Put together how it ended; everything is dead by now."""
        ended, report = self._monitor.reap(), self._sinks["status"].captured()
        hits = self._group.hits() if self._group else cgroup.Hits()
        code, number, orphans = (None, None, None) if limit else ending.decode(ended, report)
        if self._spec.pinned:
            orphans = None  # the launcher takes everything below it along, so there is nobody left to count
        full = self._watchdog.full()
        touched = {name for name, hit in (("memory", hits.memory), ("processes", hits.processes), ("workspace", full)) if hit}
        if limit is None and code != 0:
            limit = "file" if number == signal.SIGXFSZ else next(iter(sorted(touched)), None)
        if limit is None and number == signal.SIGKILL and used_up(self._spec.limits, ended.cpu_ms):
            limit = "cpu"
        if limit:
            touched.add(limit)
        rss = max(hits.peak_kb or 0, self._watchdog.peak_kb) or ended.max_rss_kb
        none = Captured()
        streams = {name: sink.captured() for name, sink in self._sinks.items()}
        return Outcome(
            exit=code,
            signal=number,
            limit=limit,
            stdout=streams.get("stdout", none),
            stderr=streams["stderr"],
            measured=Measured(self._wall_ms, ended.cpu_ms, rss, orphans),
            enforced=self._enforced(),
            touched=tuple(sorted(touched)),
        )

    def _means(self) -> Mapping[str, str | None]:
        if self._group is None:
            return {"memory": None, "processes": None}
        host = self._group.host
        return {"memory": host.means(host.memory), "processes": host.means(host.processes)}

    def _watches_memory(self) -> bool:
        return self._means()["memory"] is None

    def _enforced(self) -> tuple[tuple[str, str], ...]:
        means = self._means()
        filtered = "seccomp" if seccomp.program() else "none"
        return tuple(
            sorted(
                {
                    "cpu": "rlimit",
                    "file": "rlimit",
                    "filesystem": "namespace",
                    "memory": means["memory"] or "watchdog",
                    "network": "namespace",
                    "output": "pipe",
                    "processes": means["processes"] or ("watchdog" if os.getuid() == 0 else "rlimit"),
                    "syscalls": filtered,
                    "wall": "kill",
                    "workspace": "tmpfs",
                    "workspace_files": "watchdog",
                }.items()
            )
        )

    def _kill(self) -> None:
        """Kill process 1 inside; the kernel then kills everything in its namespace, and bubblewrap ends."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._init, signal.SIGKILL)

    def _wait_dead(self) -> None:
        """The pidfd of a namespace's process 1 is readable only when every process of the namespace is gone."""
        if not wait_readable(self._init, DIE_S):
            raise SandboxError(f"the sandbox of process {self._pid} does not die; look at /proc/{self._pid}/task/*/stack")

    def _end_monitor(self) -> None:
        """Reap bubblewrap. It ends with process 1; before that is known, it takes process 1 with it (die-with-parent)."""
        if self._init < 0:
            self._monitor.kill()
        self._monitor.reap()


def _rlimits(limits: Limits) -> Iterator[tuple[int, tuple[int, int]]]:
    """Per-process limits, the same on every host.

    NPROC counts per user namespace (Linux 5.14), so it counts this sandbox alone; it does not bind where the host's user is
    root, hence the control group.
    """
    stack = 8 * 1024 * 1024
    fixed = ((resource.RLIMIT_NOFILE, 4096), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_MEMLOCK, 64 * 1024))
    for kind, value in (*fixed, (resource.RLIMIT_FSIZE, limits.file_bytes), (resource.RLIMIT_NPROC, limits.processes)):
        yield kind, (value, value)
    yield resource.RLIMIT_STACK, (stack, stack)
    if limits.cpu_ms is not None:
        seconds = -(-limits.cpu_ms // 1000)
        yield resource.RLIMIT_CPU, (seconds, seconds)  # equal, so that the kernel sends SIGKILL, which nothing catches
