"""What a killed tally left asleep is ended by the next one; living sandboxes are not touched."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tallystick.sandbox import Limits, Spec, open_sandbox, probe
from tallystick.sandbox.process import Child, Pipe, memory_file, spawn, wait_readable
from tallystick.sandbox.strays import SANDBOX_ARGV, end_strays

pytestmark = pytest.mark.skipif(not probe().works, reason=f"no sandbox: {probe().problem}")

LIMITS = Limits(60_000, 256 << 20, 32, 1 << 20, 1 << 20, 100, 1 << 16)
OPTIONS = ("--unshare-user", "--unshare-pid", "--as-pid-1", "--ro-bind", "/", "/", "--proc", "/proc", "--block-fd", "5")


@pytest.fixture
def waiting() -> Iterator[tuple[Child, int]]:
    """A bubblewrap that does not die with its parent, and its child, which waits to be let go."""
    program = probe().program
    assert program is not None
    block, words = Pipe(), memory_file("\0".join((*OPTIONS, "")).encode())
    monitor = spawn(program, [*SANDBOX_ARGV, "sleep 60"], {0: 0, 1: 1, 2: 2, 3: words, 5: block.reader}, {})
    os.close(words)
    child = first_child(monitor.pid)
    held = os.pidfd_open(child)
    yield monitor, held
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(held, signal.SIGKILL)
    os.close(held)
    monitor.kill()
    monitor.reap()
    block.close()


def first_child(pid: int) -> int:
    while True:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        if children:
            return int(children[0])
        time.sleep(0.001)


def test_a_child_without_its_bubblewrap_is_ended(waiting: tuple[Child, int]) -> None:
    monitor, child = waiting
    end_strays()
    assert not wait_readable(child, 0.2), "its bubblewrap is there: it is no stray"
    monitor.kill()
    monitor.reap()
    end_strays()  # or any other tally that starts on this machine in this moment
    assert wait_readable(child, 10)


def test_a_living_sandbox_is_spared() -> None:
    stop = threading.Event()

    def sweeping() -> None:
        while not stop.is_set():
            end_strays()

    thread = threading.Thread(target=sweeping)
    thread.start()
    try:
        for _ in range(15):
            outcome = open_sandbox("bwrap").run(Spec(("echo", "alive"), {}, LIMITS), fill=lambda _: None)
            assert (outcome.exit, outcome.stdout.data) == (0, b"alive\n")
    finally:
        stop.set()
        thread.join()
