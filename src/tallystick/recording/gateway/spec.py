"""What a gateway is told, and what it tells afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from tallystick.core.exact import Num
from tallystick.recording.gateway.bounds import Patience
from tallystick.recording.upstream import Upstream
from tallystick.records.blobs import BlobReader
from tallystick.records.journal import ModelCall, OtherCall
from tallystick.records.traffic.apis import Provider
from tallystick.records.traffic.cassette import Cassette, Usage
from tallystick.records.traffic.prices import PriceTable
from tallystick.records.traffic.rules import RuleSet

__all__ = ["Bounds", "GatewaySpec", "Recording", "Served", "Traffic", "Turns", "Upstream"]


@dataclass(frozen=True, slots=True)
class GatewaySpec:
    """What one run asks of its gateway. `secrets` may never be told to an agent or written down; the keys are among them."""

    upstreams: Mapping[Provider, Upstream]
    rules: RuleSet
    prices: PriceTable | None = None
    keep: bool = True
    """Whether attempts leave a cassette."""
    hosts: frozenset[str] = frozenset()
    """Hosts (`host:port`) that agents may reach beside their models."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    patience: Patience = field(default_factory=Patience)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the model calls of one attempt may come to. A call is refused when one of them is reached before it goes out."""

    calls: int | None = None
    tokens: int | None = None
    cost_usd: Num | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """What an attempt is replayed from."""

    cassette: Cassette
    blobs: BlobReader


class Turns(Protocol):
    """What counts the answers that an agent gets, and drives its clock."""

    def tick(self) -> None:
        """One more answer is about to be delivered."""
        ...


@dataclass(frozen=True, slots=True)
class Served:
    """One call as the journal names it: its kind, and the members of the event beside `seq`."""

    kind: type[ModelCall | OtherCall]
    members: Mapping[str, str | int | bool]


@dataclass(frozen=True, slots=True)
class Traffic:
    """Everything that went through the gateway during one attempt."""

    cassette: Cassette | None
    """None where nothing is kept. Of a replayed attempt it is the recording."""
    events: tuple[Served, ...]
    """In the order of call numbers; of a replayed attempt those are the recorded ones."""
    decisions: tuple[tuple[str, str], ...]
    hosts: tuple[str, ...]
    """Names that were asked for, and hosts that were refused, in the order in which they first occurred."""
    used: tuple[tuple[str, int], ...]
    """Allowed hosts that were reached, sorted."""
    usage: Usage
    cost_usd: Fraction | None
    """None where no price is known for one of the calls."""
    failure: str | None
    """Why the last model call got no usable answer from its provider."""
    divergence: str | None
    """Where a replayed attempt stopped sending what was recorded."""
    spans: int
    """How much of the requests the rules touched; 0 means that they were compared as they are."""
    leaks: int
    """How many renamed values occur in a later answer without being handles; in replay, of those that are others now."""
    problems: tuple[str, ...]
    """What a person should know, one line each."""
