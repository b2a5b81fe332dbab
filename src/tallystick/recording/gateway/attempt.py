"""One attempt, on the gateway's loop: every request of an agent, from its door to the recorder."""

from __future__ import annotations

import asyncio
from typing import Final

from aiohttp import web

from tallystick.core.errors import TallyError
from tallystick.recording.gateway import bounds
from tallystick.recording.gateway.asked import Asked, Held, check_head, read_body, read_request
from tallystick.recording.gateway.budgets import Budget, exceeded
from tallystick.recording.gateway.delivery import Delivery, refusal
from tallystick.recording.gateway.errors import RefusalError
from tallystick.recording.gateway.keys import Needles
from tallystick.recording.gateway.notes import Notes, read_decision
from tallystick.recording.gateway.recorder import Recorder
from tallystick.recording.gateway.source import DivergedError, Source
from tallystick.recording.gateway.spec import GatewaySpec, Turns

__all__ = ["DECISIONS_PATH", "Attempt"]

DECISIONS_PATH: Final = "/tally/v1/decisions"
"""Where an orchestrator posts its decisions."""

_OWN_PATHS: Final = "/tally/"


class Attempt:
    """Answers what one agent asks. Everything here runs on the gateway's loop."""

    def __init__(
        self, token: str, spec: GatewaySpec, source: Source, recorder: Recorder, budget: Budget, turns: Turns | None
    ) -> None:
        self._token, self._spec, self._source, self._recorder = token, spec, source, recorder
        self._budget, self._turns = budget, turns
        keys = [upstream.key for upstream in spec.upstreams.values()]
        self._needles = Needles([*spec.secrets, *keys])
        self._held = Held()
        self._running: set[asyncio.Task[object]] = set()
        self.notes = Notes()
        self.stop: str | None = None
        self.divergence: str | None = None

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request."""
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        try:
            return await self._serve(request)
        except RefusalError as error:
            return refusal(error)
        except DivergedError as error:
            self.stop, self.divergence = "diverged", self.divergence or str(error)
            return refusal(_diverged(str(error)))
        except TallyError as error:
            self._recorder.error = self._recorder.error or error  # told by whoever closes the attempt
            return refusal(RefusalError(500, "api_error", "tally: the gateway could not keep this call"))
        finally:
            self._running.discard(task)

    async def _serve(self, request: web.BaseRequest) -> web.StreamResponse:
        path, query = check_head(request, self._token)
        if len(self._running) > bounds.IN_FLIGHT:
            raise RefusalError(429, "rate_limit_error", f"tally: at most {bounds.IN_FLIGHT} calls may be under way")
        with self._held.room() as add:
            if path.startswith(_OWN_PATHS):
                return await self._own(request, path)
            asked = await read_request(request, path, query, add, self._spec.patience.request)
            self._refuse_secrets(_head(asked), asked.name)
            self._refuse_secrets(asked.body, asked.name)
            await self._recorder.settle()
            self._refuse_when_stopped(full=not await self._recorder.has_room())
            return await self._call(request, asked)

    async def _own(self, request: web.BaseRequest, path: str) -> web.StreamResponse:
        if (request.method, path) != ("POST", DECISIONS_PATH):
            raise RefusalError(
                404, "not_found_error", f"tally: there is POST {DECISIONS_PATH} here, and nothing else below {_OWN_PATHS}"
            )
        body = await read_body(request, bounds.DECISION_BYTES, lambda _: None, self._spec.patience.request)
        self._refuse_secrets(body, f"POST {path}")
        decision = read_decision(body)
        self._refuse_secrets("\n".join(decision).encode(), f"POST {path}")  # a spelling in JSON may hide one
        self.notes.decide(*decision)
        return web.Response(status=204)

    def _refuse_secrets(self, data: bytes, name: str) -> None:
        """No request may carry what only the gateway knows: it would be written down."""
        if self._needles.within(data):
            self.notes.problem(f"the agent sent a secret of the gateway ({name}); the call was refused and is not recorded")
            raise RefusalError(400, "invalid_request_error", "tally: the request holds a secret that no agent may know")

    def _refuse_when_stopped(self, *, full: bool) -> None:
        if self.stop == "diverged":
            raise _diverged(self.divergence or "")
        bound = self.stop or self._budget.reached() or ("calls" if full else None)
        if bound is not None:
            self.stop = bound
            raise exceeded(bound)

    async def _call(self, request: web.BaseRequest, asked: Asked) -> web.StreamResponse:
        self._budget.count(asked.api)  # before anything is waited for: the next call may be under way already
        number, normal = await self._source.number(asked)
        self._recorder.begin(number, asked, normal, self._source.renamed(number))
        delivery = Delivery(request, self._needles, self._spec.patience, self._tick)
        try:
            return await delivery.run(self._source.answer(number, asked))
        finally:
            self._recorder.end(number, self._source.delivered(number, delivery.delivered()))

    def _tick(self) -> None:
        if self._turns is not None:
            self._turns.tick()

    async def end(self) -> None:
        """Break off what is under way, and wait until everything is kept."""
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)
        await self._recorder.settle()


def _head(asked: Asked) -> bytes:
    return "\n".join((asked.path, asked.query, *(value for _, value in asked.headers))).encode()


def _diverged(text: str) -> RefusalError:
    return RefusalError(409, "diverged", f"tally: this is not what was recorded: {text}")
