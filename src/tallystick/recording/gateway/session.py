"""One attempt as its runner sees it. Safe to use from any thread."""

from __future__ import annotations

import socket
from typing import Final

from tallystick.recording.gateway.attempt import Attempt
from tallystick.recording.gateway.budgets import Budget
from tallystick.recording.gateway.connect import Proxy
from tallystick.recording.gateway.doors import DoorMaker, Doors
from tallystick.recording.gateway.listening import Listening
from tallystick.recording.gateway.loop import Loop
from tallystick.recording.gateway.names import NameServer
from tallystick.recording.gateway.recorder import Recorder
from tallystick.recording.gateway.source import Source
from tallystick.recording.gateway.spec import GatewaySpec, Recording, Traffic
from tallystick.recording.gateway.summing import sum_up
from tallystick.records.traffic.cassette import Cassette

__all__ = ["Session"]

_HERE: Final = "127.0.0.1"


class Session:
    """Opens the door of one attempt, tells when it has to stop, and what went through."""

    def __init__(  # noqa: PLR0913, PLR0917 - its parts
        self,
        loop: Loop,
        doors: DoorMaker,
        spec: GatewaySpec,
        attempt: Attempt,
        recorder: Recorder,
        budget: Budget,
        source: Source,
        recording: Recording | None,
    ) -> None:
        self._loop, self._doors, self._spec = loop, doors, spec
        self._attempt, self._recorder, self._budget = attempt, recorder, budget
        self._source, self._recording = source, recording
        self._listening = loop.run(self._make_listening())
        self._traffic: Traffic | None = None

    async def _make_listening(self) -> Listening:
        return Listening(self._attempt.handle, self._spec.patience)  # which needs the loop to be running

    @property
    def stop(self) -> str | None:
        """Why the attempt has to end: "cost", "tokens", "calls" or "diverged"; None while it may go on."""
        return self._attempt.stop

    def on_start(self, pid: int) -> None:
        """Open the doors in the sandbox of process `pid`, which is yet to start its program.

        Raises:
            GatewayError: the doors cannot be made.
        """
        doors = self._doors.open(pid, proxy=bool(self._spec.hosts))
        self._loop.run(self._serve(doors))

    async def _serve(self, doors: Doors) -> None:
        await self._listening.models(doors.models)
        await self._listening.names(doors.names, NameServer(self._attempt.notes.host))
        if doors.proxy is not None:
            # What an attempt said to other hosts is not recorded, so there is nothing to replay it from.
            allowed = self._spec.hosts if self._recording is None else frozenset[str]()
            notes = self._attempt.notes
            await self._listening.proxy(doors.proxy, Proxy(allowed, notes.host, notes.use, self._spec.patience))

    def open_here(self) -> int:
        """Open the door for models on this machine's own loopback interface, for a driver without namespaces; its port."""
        door = socket.create_server((_HERE, 0))
        port: int = door.getsockname()[1]
        self._loop.run(self._listening.models(door))
        return port

    def close(self) -> Traffic:
        """Close the doors and tell what went through. Later calls tell the same.

        Raises:
            TallyError: something could not be kept, or a recorded answer could not be read.
        """
        if self._traffic is None:
            self._loop.run(self._end())
            if self._recorder.error is not None:
                raise self._recorder.error
            self._traffic = sum_up(self._attempt, self._recorder, self._budget, self._cassette(), self._source)
        return self._traffic

    async def _end(self) -> None:
        await self._listening.close()
        await self._attempt.end()

    def _cassette(self) -> Cassette | None:
        if self._recording is not None:
            return self._recording.cassette
        return self._recorder.cassette() if self._spec.keep else None
