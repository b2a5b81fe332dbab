"""Waiting for what another process or thread does, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["wait_until"]


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait until it holds, for a minute at most.

    Raises:
        AssertionError: it did not hold within a minute.
    """
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, "waited for a minute"
        time.sleep(0.01)
