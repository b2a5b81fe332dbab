"""The `none` driver: the same Protocol with next to no protection, for trusted agents where bubblewrap cannot run.

The program runs as the user who runs tally, with the host's files and network in reach. Only the workspace folder, the
environment, the wall clock and the output caps are ours. Reports print `none`, boards refuse it.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tallystick.sandbox.process import Child, Pipe
from tallystick.sandbox.pump import Conversation, Pump, Sink, Watch
from tallystick.sandbox.spec import FIXED_ENV, WORKSPACE, Cancel, Captured, Limits, Measured, Outcome, Spec, Talk, used_up
from tallystick.sandbox.workspace import fill_home, fill_workspace

__all__ = ["DirectSandbox"]

_EVERY_S: Final = 0.05
_NOT_FOUND: Final = 127
_NOT_RUNNABLE: Final = 126
_ENFORCED: Final = (
    ("cpu", "rlimit"),
    ("file", "rlimit"),
    ("filesystem", "none"),
    ("memory", "none"),
    ("network", "none"),
    ("output", "pipe"),
    ("processes", "none"),
    ("syscalls", "none"),
    ("wall", "kill of the process group"),
    ("workspace", "none"),
    ("workspace_files", "none"),
)


class DirectSandbox:
    """Runs programs on the host itself, in a temporary folder."""

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
        """See `Sandbox.run`. A process that leaves the group (setsid) survives, and nobody counts it.

        Masks do nothing; mounts are reached by translating the words of `argv` that name something below one.
        """
        with contextlib.ExitStack() as stack:
            folder = Path(tempfile.mkdtemp(prefix="tally-"))
            stack.callback(remove_tree, folder)
            for name in ("bin", "home", "workspace", "tmp"):
                (folder / name).mkdir(mode=0o755)
            workspace = os.open(folder / "workspace", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            stack.callback(os.close, workspace)
            if spec.python:
                for name in ("python", "python3"):
                    (folder / "bin" / name).symlink_to(os.path.realpath(sys.executable))
            fill_workspace(fill, workspace)
            home = os.open(folder / "home", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            stack.callback(os.close, home)
            fill_home(spec.home, home)
            if on_start:
                on_start(os.getpid())
            outcome = _Run(spec, folder, stack).carry(stdin, talk, cancel)
            if collect:
                collect(workspace)
        return outcome


class _Run:
    """One program on the host."""

    def __init__(self, spec: Spec, folder: Path, stack: contextlib.ExitStack) -> None:
        self._spec, self._folder = spec, folder
        self._pipes = {name: Pipe() for name in ("stdin", "stdout", "stderr")}
        for pipe in self._pipes.values():
            stack.callback(pipe.close)
        self._turns = -1
        if spec.pinned and spec.pinned.turns:
            self._turns = os.open(spec.pinned.turns, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            stack.callback(os.close, self._turns)

    def carry(self, stdin: bytes, talk: Talk | None, cancel: Cancel | None) -> Outcome:
        begin = time.monotonic()
        child = self._start()
        if isinstance(child, OSError):
            return self._not_started(child.strerror or str(child))
        pipes, keep = self._pipes, self._spec.limits.output_bytes
        sinks = [Sink(pipes["stderr"].reader, keep)] + ([] if talk else [Sink(pipes["stdout"].reader, keep)])
        pump = Pump(sinks, child.pidfd, lambda: _kill_group(child))
        conversation = None
        try:
            if talk is None:
                pump.feed(pipes["stdin"], stdin)
            else:
                ends = pipes["stdout"].take(0), pipes["stdin"].take(1)
                conversation = Conversation(talk, *ends, lambda: _kill_group(child))
            limit = pump.run(Watch(self._spec.limits.wall_ms, lambda: _cancelled(cancel), _EVERY_S))
            wall = round((time.monotonic() - begin) * 1000)
        finally:
            _kill_group(child)
            ended = child.reap()
            if conversation:
                conversation.finish()
        code, number = (None, None) if limit else (ended.exit, ended.signal)
        if number == signal.SIGXFSZ:
            limit = "file"
        if number == signal.SIGKILL and used_up(self._spec.limits, ended.cpu_ms):
            limit = "cpu"
        streams = [sink.captured() for sink in sinks] + [Captured()]
        measured = Measured(wall, ended.cpu_ms, ended.max_rss_kb, None)
        return Outcome(code, number, limit, streams[1], streams[0], measured, _ENFORCED, (limit,) if limit else ())

    def _start(self) -> Child | OSError:
        pipes = self._pipes
        argv = [*self._launcher(), *(self._translate(word) for word in self._spec.argv)]
        try:
            process = subprocess.Popen(  # noqa: S603 - running what the caller names is this driver's purpose
                argv,
                stdin=pipes["stdin"].reader,
                stdout=pipes["stdout"].writer,
                stderr=pipes["stderr"].writer,
                env=self._environment(),
                cwd=self._folder / "workspace",
                start_new_session=True,
                umask=0o022,
                pass_fds=() if self._turns < 0 else (self._turns,),
            )
        except OSError as error:
            return error
        finally:
            pipes["stdin"].close_reader()
            pipes["stdout"].close_writer()
            pipes["stderr"].close_writer()
        child = Child(process.pid)
        process.returncode = 0  # reaped by Child, which also gets the resource usage
        with contextlib.suppress(ProcessLookupError):
            for kind, value in _rlimits(self._spec.limits):
                resource.prlimit(child.pid, kind, (value, value))
        return child

    def _launcher(self) -> list[str]:
        """The words before the program's own."""
        if self._spec.pinned is None:
            return []
        turns = [] if self._turns < 0 else ["--turns-fd", str(self._turns)]
        return [str(self._spec.pinned.launcher), *turns, "--"]

    def _translate(self, word: str) -> str:
        """Nothing can be mounted here: a word that names something below a mount's target gets the host's path."""
        places = {WORKSPACE: str(self._folder / "workspace")}
        places |= {"/tally/bin": str(self._folder / "bin")}
        places |= {mount.target: str(mount.source) for mount in self._spec.mounts}
        for target, source in places.items():
            if word == target or word.startswith(target + "/"):
                return source + word[len(target) :]
        return word

    def _environment(self) -> dict[str, str]:
        path = f"{self._folder / 'bin'}:{os.environ.get('PATH', os.defpath)}"
        own = {"HOME": str(self._folder / "home"), "TMPDIR": str(self._folder / "tmp"), "PATH": path}
        return {**FIXED_ENV, **own, **self._spec.env}

    def _not_started(self, reason: str) -> Outcome:
        """What a shell would say: 127 for a program that is not there, 126 for one that cannot be started."""
        found = shutil.which(self._spec.argv[0], mode=os.F_OK, path=self._environment()["PATH"])
        text = f"tally: {self._spec.argv[0]}: {reason if found else 'not found'}\n".encode()
        code = _NOT_RUNNABLE if found else _NOT_FOUND
        return Outcome(code, None, None, Captured(), Captured(text, len(text)), Measured(0, 0, 0, 0), _ENFORCED)


def _rlimits(limits: Limits) -> tuple[tuple[int, int], ...]:
    fixed = (resource.RLIMIT_FSIZE, limits.file_bytes), (resource.RLIMIT_CORE, 0)
    return fixed if limits.cpu_ms is None else (*fixed, (resource.RLIMIT_CPU, -(-limits.cpu_ms // 1000)))


def _cancelled(cancel: Cancel | None) -> str | None:
    return "cancelled" if cancel is not None and cancel.is_set() else None


def _kill_group(child: Child) -> None:
    """Kill the group while its leader is not reaped yet: until then the number cannot belong to somebody else."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)


def remove_tree(folder: Path) -> None:
    """Remove a folder of any depth, modes and names, never through a link; what cannot be removed stays.

    shutil.rmtree recurses, and a hostile tree is deeper than any stack: this one moves each subfolder up to the top first.
    """
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            _empty(top)
    finally:
        os.close(top)
    with contextlib.suppress(OSError):
        folder.rmdir()


def _empty(top: int) -> None:
    """Empty an open folder. Every subfolder's entries are moved into it under fresh names until all are files or gone."""
    fresh = 0
    while names := os.listdir(top):
        for name in names:
            try:
                os.unlink(name, dir_fd=top)
            except IsADirectoryError:
                fresh = _lift(top, name, fresh)


def _lift(top: int, name: str, fresh: int) -> int:
    """Move what is in `name` up into `top` and remove it; returns the next unused number."""
    look = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=top)
    try:
        path = f"/proc/self/fd/{look}"
        if stat.S_ISDIR(os.fstat(look).st_mode):
            Path(path).chmod(0o700)
        for inner in os.listdir(path):  # noqa: PTH208 - an open folder, and names that may not be UTF-8
            os.rename(f"{path}/{inner}", f".lifted-{fresh}", dst_dir_fd=top)
            fresh += 1
    finally:
        os.close(look)
    os.rmdir(name, dir_fd=top)
    return fresh
