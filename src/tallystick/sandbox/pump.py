"""Carrying a program's input and output while it lives, and deciding when it has lived long enough.

One poll loop per run: it never blocks on the program, keeps a bounded part of what the program says, and calls `tick` now
and then for bounds that can only be looked at.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tallystick.sandbox.process import DIE_S, Pipe
from tallystick.sandbox.spec import Captured, SandboxError, Talk

__all__ = ["OUTPUT_SLACK_BYTES", "Conversation", "Pump", "Sink"]

OUTPUT_SLACK_BYTES: Final = 64 * 1024 * 1024
"""Bytes that a program may say beyond those kept before it is killed: enough for chatty tests, soon over for a flood."""

_CHUNK: Final = 256 * 1024


class Sink:
    """The kept part of a stream."""

    def __init__(self, fd: int, keep: int) -> None:
        self.fd = fd
        self._keep = keep
        self._data = bytearray()
        self._total = 0
        os.set_blocking(fd, False)

    def pull(self) -> bool:
        """Read once; False at the end of the stream."""
        try:
            chunk = os.read(self.fd, _CHUNK)
        except BlockingIOError:
            return True
        self._data += chunk[: max(0, self._keep - len(self._data))]
        self._total += len(chunk)
        return bool(chunk)

    def drain(self) -> None:
        """Take what is there by now, without waiting for more; at most what a pipe can hold."""
        before = -1
        while before != self._total:
            before = self._total
            if not self.pull():
                return

    @property
    def flooded(self) -> bool:
        """Whether the program said much more than is kept."""
        return self._total > self._keep + OUTPUT_SLACK_BYTES

    def captured(self) -> Captured:
        """What was kept, and the count of all."""
        return Captured(bytes(self._data), self._total)


class _Source:
    """Bytes on their way to the program's stdin."""

    def __init__(self, pipe: Pipe, data: bytes) -> None:
        self._pipe = pipe
        self._view = memoryview(data)
        os.set_blocking(pipe.writer, False)

    def push(self) -> bool:
        """Write once; False when all is written or nobody reads, and the pipe is closed then."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            if self._view:
                self._view = self._view[os.write(self._pipe.writer, self._view) :]
                if self._view:
                    return True
            self._pipe.close_writer()
            return False
        return self._blocked()

    def _blocked(self) -> bool:
        poll = select.poll()
        poll.register(self._pipe.writer, select.POLLOUT)
        if any(event & select.POLLERR for _, event in poll.poll(0)):
            self._pipe.close_writer()
            return False
        return True


@dataclass(frozen=True, slots=True)
class Watch:
    """When to stop: milliseconds of wall clock, and `tick`, asked every `every_s`, which names a bound that was passed."""

    wall_ms: int
    tick: Callable[[], str | None]
    every_s: float


class Pump:
    """The loop. `done` is readable when the program has ended; `kill` ends it."""

    def __init__(self, sinks: list[Sink], done: int, kill: Callable[[], None]) -> None:
        self._sinks = {sink.fd: sink for sink in sinks}
        self._done = done
        self._kill = kill
        self._poll = select.poll()
        self._poll.register(done, select.POLLIN)
        for fd in self._sinks:
            self._poll.register(fd, select.POLLIN)
        self._source: _Source | None = None
        self._source_fd = -1

    def feed(self, pipe: Pipe, data: bytes) -> None:
        """Give the program these bytes as its stdin, then the end of it."""
        source = _Source(pipe, data)
        fd = pipe.writer
        if source.push():
            self._source, self._source_fd = source, fd
            self._poll.register(fd, select.POLLOUT)

    def run(self, watch: Watch) -> str | None:
        """Carry on until the program has ended. Returns the bound for which it was killed, or None."""
        now = time.monotonic()
        deadline, next_tick = now + watch.wall_ms / 1000, now + watch.every_s
        limit: str | None = None
        while not self._turn(min(deadline, next_tick) - now):
            now = time.monotonic()
            if limit and now > deadline:
                raise SandboxError(f"a killed sandbox is still there after {DIE_S:.0f} s; see `ps` for bwrap processes")
            if limit is None and (limit := self._reason(now, deadline, next_tick, watch)):
                self._kill()
                deadline = next_tick = now + DIE_S
            elif now >= next_tick:
                next_tick = now + watch.every_s
        for sink in self._sinks.values():
            sink.drain()
        return limit

    def _reason(self, now: float, deadline: float, next_tick: float, watch: Watch) -> str | None:
        if now >= deadline:
            return "wall"
        if any(sink.flooded for sink in self._sinks.values()):
            return "output"
        return watch.tick() if now >= next_tick else None

    def _turn(self, seconds: float) -> bool:
        """Wait for something and handle it; True when the program has ended."""
        ended = False
        for fd, _ in self._poll.poll(max(0, seconds) * 1000):
            if fd == self._done:
                ended = True
            elif fd == self._source_fd and self._source:
                if not self._source.push():
                    self._poll.unregister(fd)
                    self._source = None
            elif not self._sinks[fd].pull():
                self._poll.unregister(fd)
        return ended


class Conversation:
    """`talk` in a thread of its own. When it fails, the program is killed; `finish` raises what it raised."""

    def __init__(self, talk: Talk, reader: int, writer: int, kill: Callable[[], None]) -> None:
        self._talk = talk
        self._kill = kill
        self._error: BaseException | None = None
        os.set_blocking(reader, True)
        self._reader = io.BufferedReader(io.FileIO(reader, "r"))
        self._writer = io.BufferedWriter(io.FileIO(writer, "w"))
        self._thread = threading.Thread(target=self._run, name="tally-talk")
        self._thread.start()

    def finish(self) -> None:
        """Call when the program is dead: both streams have ended, so the thread ends too."""
        self._thread.join()
        if self._error:
            raise self._error

    def _run(self) -> None:
        try:
            self._talk(self._reader, self._writer)
        except BrokenPipeError:
            pass  # the program has gone; its end says why
        except BaseException as error:  # noqa: BLE001 - raised again by finish()
            self._error = error
            self._kill()
        with contextlib.suppress(BrokenPipeError):
            self._writer.close()
        with contextlib.suppress(OSError, ValueError):
            while self._reader.read1(_CHUNK):
                pass
        self._reader.close()
