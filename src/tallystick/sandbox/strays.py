"""Sandboxes that a killed tally left behind.

Bubblewrap's child asks the kernel to die with its parent (PR_SET_PDEATHSIG), but only a moment after it was made. Who is killed
in that moment leaves a process that waits for its parent without end, in its namespaces and its control group; nothing of an
agent runs in it. The next tally ends it.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path
from typing import Final

from tallystick.sandbox.layout import SHELL
from tallystick.sandbox.process import DIE_S, wait_readable

__all__ = ["SANDBOX_ARGV", "end_strays"]

SANDBOX_ARGV: Final = ("bwrap", "--args", "3", "--", SHELL, "-c")
"""How every sandbox of ours is started; its process 1 has the same words until it becomes the shell."""

_MARK: Final = "\0".join((*SANDBOX_ARGV, "")).encode()


def end_strays() -> None:
    """Kill process 1 of every sandbox of ours whose bubblewrap is gone; those of others are not ours to kill, and stay."""
    for name in os.listdir("/proc"):  # noqa: PTH208 - hot: no objects needed
        if name.isdecimal() and _cmdline(name).startswith(_MARK):
            with contextlib.suppress(OSError):
                _end_if_stray(name)


def _end_if_stray(pid: str) -> None:
    held = os.pidfd_open(int(pid))
    try:
        # Looked at again now that its number cannot be given to another process unnoticed.
        if _cmdline(pid).startswith(_MARK) and _is_first(pid) and not _cmdline(_member(pid, "PPid")).startswith(_MARK):
            signal.pidfd_send_signal(held, signal.SIGKILL)
            wait_readable(held, DIE_S)
    finally:
        os.close(held)


def _cmdline(pid: str) -> bytes:
    """The words of a process, each with a NUL; empty for one that is gone."""
    with contextlib.suppress(OSError):
        return Path("/proc", pid, "cmdline").read_bytes()
    return b""


def _is_first(pid: str) -> bool:
    """Whether it is process 1 of a namespace below ours."""
    numbers = _member(pid, "NSpid").split()
    return len(numbers) > 1 and numbers[-1] == "1"


def _member(pid: str, name: str) -> str:
    for line in Path("/proc", pid, "status").read_text().splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return value.strip()
    return ""
