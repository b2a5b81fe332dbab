"""The gateway of a run: one thread that serves all its attempts."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self

import aiohttp

from tallystick.recording.blobs import BlobStore
from tallystick.recording.gateway.attempt import Attempt
from tallystick.recording.gateway.budgets import Budget
from tallystick.recording.gateway.doors import DoorMaker
from tallystick.recording.gateway.live import LiveSource, open_client
from tallystick.recording.gateway.loop import Loop
from tallystick.recording.gateway.matching import Matcher
from tallystick.recording.gateway.paid import PaidSource, worth_keeping
from tallystick.recording.gateway.recorder import Recorder
from tallystick.recording.gateway.replay import ReplaySource
from tallystick.recording.gateway.session import Session
from tallystick.recording.gateway.source import Source
from tallystick.recording.gateway.spec import Bounds, GatewaySpec, Recording, Turns
from tallystick.records.traffic.cassette import Call

__all__ = ["Gateway"]


class Gateway:
    """Use it as a context manager: it serves between `with` and its end. Sessions are opened from any thread."""

    def __init__(self, spec: GatewaySpec, store: BlobStore) -> None:
        self._spec, self._store = spec, store
        self._loop = Loop()
        self._doors = DoorMaker()
        self._work = ThreadPoolExecutor(1, thread_name_prefix="gateway-recorder")
        self._client: aiohttp.ClientSession | None = None

    def __enter__(self) -> Self:
        self._loop.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._loop.run(self._close_client())
        self._loop.close()
        self._work.shutdown()
        self._doors.close()

    async def _close_client(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    def session(
        self,
        token: str,
        bounds: Bounds,
        turns: Turns | None = None,
        recording: Recording | None = None,
        *,
        paid: Recording | None = None,
        on_call: Callable[[Call], None] | None = None,
    ) -> Session:
        """Begin an attempt. `token` is what its agent takes for a key. With a recording nothing is sent to any provider.

        `paid` are the calls of a try of the same attempt that was cut off: what equals one of them is not asked again.
        `on_call` is told of each call when its blobs are stored, from the thread that keeps calls.

        Raises:
            BodyError, MissingBlobError: a recording is not whole.
        """
        budget = Budget(bounds)
        store = self._store if self._spec.keep and recording is None else None
        source = self._loop.run(self._live(paid)) if recording is None else self._replay(recording)
        recorder = Recorder(self._spec.rules, self._spec.prices, store, self._work, budget.add)
        recorder.on_call = on_call
        attempt = Attempt(token, self._spec, source, recorder, budget, turns)
        return Session(self._loop, self._doors, self._spec, attempt, recorder, budget, source, recording)

    def _replay(self, recording: Recording) -> Source:
        return ReplaySource(recording, Matcher(recording, self._spec.rules), self._spec.patience, self._work)

    async def _live(self, paid: Recording | None) -> Source:
        if self._client is None:
            self._client = open_client(self._spec.patience)
        live = LiveSource(self._client, self._spec.upstreams, self._spec.patience)
        kept = None if paid is None else worth_keeping(paid)
        if kept is None:
            return live
        return PaidSource(kept, Matcher(kept, self._spec.rules), live, self._spec.patience, self._work)

    @property
    def calls_providers(self) -> bool:
        """Whether anything here could reach a provider: not before the first attempt that is no replay."""
        return self._client is not None
