"""A thread with an event loop, and how other threads have it do something."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import TypeVar

__all__ = ["Loop"]

T = TypeVar("T")


class Loop:
    """An event loop in a thread of its own, from `start` to `close`."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="gateway", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[object, object, T]) -> T:
        """Have the loop carry `work` out, and return or raise what comes of it."""
        if self._loop is None:
            work.close()
            raise RuntimeError("the gateway is not open")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """End the thread."""
        if self._loop is None or self._thread is None:
            return
        self.run(_end_tasks())
        self.run(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._loop = self._thread = None


async def _end_tasks() -> None:
    """End what is still under way: a loop that closes over a task leaves its connections open."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
