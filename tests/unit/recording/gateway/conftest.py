"""A gateway between an agent and the scripted provider, with doors on this machine's loopback interface."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tallystick.core.errors import TallyError
from tallystick.recording.blobs import BlobStore
from tallystick.recording.gateway import Bounds, Gateway, GatewaySpec, Patience, Recording, Session, Traffic, Upstream
from tallystick.records.traffic.prices import Price, PriceTable
from tallystick.records.traffic.rules import EMPTY_RULES
from tests.support.scripted_provider import ScriptedProvider

TOKEN = "tally-0123456789abcdef"
KEY = "sk-real-0Zx9Yw8Vu7Ts6Rq5Po4Nm3Lk2"
PRICES = PriceTable(name="tests", as_of="2026-11-01", prices=(Price(model="scripted*", input=1, output=2),))
IMPATIENT = Patience(
    connect=5, first_byte=3, between=1, answer=5, request=1, ending=0.3, idle=30, head=1, tunnel=5, gone=0.3
)  # fmt: skip


@dataclass
class Turns:
    """Counts ticks, as the file of the turn clock would."""

    ticks: int = 0

    def tick(self) -> None:
        self.ticks += 1


@dataclass
class Attempt:
    """One session with its door open here."""

    session: Session
    port: int
    turns: Turns
    traffic: Traffic | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> Traffic:
        self.traffic = self.session.close()
        return self.traffic


@dataclass
class Bench:
    """A provider, a store, and gateways made on demand."""

    provider: ScriptedProvider
    store: BlobStore
    stack: contextlib.ExitStack
    gateway: Gateway | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def spec(self) -> GatewaySpec:
        upstream = Upstream(self.provider.url, KEY)
        given = {
            "upstreams": {"openai": upstream, "anthropic": upstream, "google": upstream},
            "rules": EMPTY_RULES,
            "prices": PRICES,
            "patience": IMPATIENT,
        }
        return GatewaySpec(**{**given, **self.options})

    def open(self, *, recording: Recording | None = None, token: str = TOKEN, **bounds: Any) -> Attempt:
        if self.gateway is None:
            self.gateway = self.stack.enter_context(Gateway(self.spec(), self.store))
        turns = Turns()
        session = self.gateway.session(token, Bounds(**bounds), turns, recording)
        attempt = Attempt(session, session.open_here(), turns)
        self.stack.callback(_closed, session)
        return attempt

    def replay(self, traffic: Traffic) -> Attempt:
        assert traffic.cassette is not None
        return self.open(recording=Recording(traffic.cassette, self.store))


def _closed(session: Session) -> None:
    with contextlib.suppress(TallyError):
        session.close()


MakeBench = Callable[..., Bench]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[MakeBench]:
    """`bench(script=..., faults=...)`, and then options of the gateway."""
    with contextlib.ExitStack() as stack:

        def make(script: str = "plain", faults: Any = None, **options: Any) -> Bench:
            provider = stack.enter_context(ScriptedProvider(script, faults or {}))
            return Bench(provider, BlobStore(tmp_path / "blobs"), stack, options=options)

        yield make
