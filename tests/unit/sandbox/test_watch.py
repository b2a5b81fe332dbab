"""The watchdog on a folder that looks like a root."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

from tallystick.sandbox.layout import SCRATCH
from tallystick.sandbox.spec import WORKSPACE, Limits
from tallystick.sandbox.watch import Watchdog

LIMITS = Limits(1000, 1 << 50, 64, 1 << 20, 1 << 20, 1 << 50, 1000)


@pytest.mark.parametrize(
    ("total", "left", "memory", "limit"),
    [
        (64 << 20, 256 << 10, True, None),
        (64 << 20, (256 << 10) - 1, True, "memory"),
        (2 << 20, 64 << 10, True, None),
        (2 << 20, (64 << 10) - 1, True, "memory"),
        (2 << 20, 0, False, None),
    ],
)
def test_a_sandbox_ends_before_the_memory_of_the_machine(
    tmp_path: Path, total: int, left: int, *, memory: bool, limit: str | None
) -> None:
    for folder in (WORKSPACE, *SCRATCH, "/proc"):
        (tmp_path / folder[1:]).mkdir(parents=True)
    (tmp_path / "meminfo").write_text(
        f"MemTotal:       {total} kB\nMemFree:   1 kB\nMemAvailable:   {left} kB\nBuffers: 9 kB\n"
    )
    root = os.open(tmp_path, os.O_PATH | os.O_DIRECTORY)
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, root)
        assert Watchdog(root, LIMITS, stack, memory=memory, system=str(tmp_path / "meminfo")).look() == limit


def test_this_machine_has_memory_left(tmp_path: Path) -> None:
    for folder in (WORKSPACE, *SCRATCH, "/proc"):
        (tmp_path / folder[1:]).mkdir(parents=True)
    root = os.open(tmp_path, os.O_PATH | os.O_DIRECTORY)
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, root)
        assert Watchdog(root, LIMITS, stack, memory=True).look() is None
