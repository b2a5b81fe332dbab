"""SIGTERM and SIGHUP end a command as Ctrl-C does: what is under way is ended in order, and temporary folders go away."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

__all__ = ["EXIT_STOPPED", "Stop", "stop_in_order", "unwinding"]

EXIT_STOPPED: Final = 130
"""128 and the number of SIGINT, as shells count."""

_OTHERS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stop:
    """Which signal asked a command to stop."""

    signum: int | None = None

    @property
    def code(self) -> int:
        """The exit code of what was stopped."""
        return EXIT_STOPPED if self.signum is None else 128 + self.signum


def unwinding() -> Stop:
    """From here on the first SIGTERM or SIGHUP raises KeyboardInterrupt, as Ctrl-C does; later ones disturb no cleaning up.

    A signal that the caller has this process ignore (`nohup`) stays ignored.
    """
    stop = Stop()

    def unwind(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the shape of a signal handler
        if stop.signum is None:
            stop.signum = signum
            raise KeyboardInterrupt

    for number in _OTHERS:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, unwind)
    return stop


@contextmanager
def stop_in_order(cancel: threading.Event) -> Iterator[Stop]:
    """Ctrl-C, SIGTERM and SIGHUP set `cancel`, and a second one stops at once, but for SIGHUP, which may follow a SIGTERM.

    Sandboxes die with this process, stored attempts stay.
    """
    stop = Stop()

    def ask(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the shape of a signal handler
        if cancel.is_set():
            if signum in {signal.SIGINT, signal.SIGTERM}:
                _tell(b"\ntally: stopped at once; the same command resumes\n")
                os._exit(128 + signum)
            return
        stop.signum = signum
        cancel.set()
        _tell(b"\nstopping: ending the attempts under way; Ctrl-C again stops at once\n")

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    numbers = [signal.SIGINT, *(number for number in _OTHERS if signal.getsignal(number) is not signal.SIG_IGN)]
    before = [(number, signal.signal(number, ask)) for number in numbers]
    try:
        yield stop
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _tell(line: bytes) -> None:
    """Not through the stream: the signal may have come while this thread was writing to it. The terminal may be gone."""
    with suppress(OSError):
        os.write(2, line)
