"""Opening the way to models for a run or a replay: gateway, price table, pins. Loaded only where an agent asks models."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tallystick.core.errors import InputError
from tallystick.recording.blobs import BlobStore
from tallystick.recording.upstream import Upstream
from tallystick.records.base import UNSET, digest_of
from tallystick.records.evidence import Attempt, AttemptLimits, Config
from tallystick.records.task import Task
from tallystick.records.traffic.apis import Provider
from tallystick.records.traffic.cassette import Call, Cassette
from tallystick.records.traffic.prices import PriceTable
from tallystick.records.traffic.rules import RuleSet
from tallystick.runner.models import Models, Session
from tallystick.sandbox.pinning import PINS as LAUNCHER_PINS
from tallystick.sandbox.pinning import Launcher, TurnFile, launcher

if TYPE_CHECKING:
    from tallystick.recording.gateway import GatewaySpec, Recording
    from tallystick.records.blobs import BlobReader

__all__ = [
    "PINS",
    "Keeping",
    "ModelWays",
    "Recorded",
    "config_for",
    "open_models",
    "pins_here",
]

PINS: Final = ("ids", "locale", "names", "no-resolver", "tmpfs")
"""What every recorded attempt finds fixed, in the order of the alphabet: agent ids, locale, names of user, host and folders, no
resolver, workspace and home on tmpfs."""


@dataclass(frozen=True, slots=True)
class ModelWays:
    """What a run may ask of models, and where. `hosts` (host:port) may be reached beside them, unrecorded."""

    model: str | None
    ways: Mapping[Provider, Upstream]
    prices: PriceTable
    cache: Path
    keep: bool = True
    hosts: tuple[str, ...] = ()
    calls: int | None = None
    tokens: int | None = None
    withhold_secrets: bool = False
    """Publish without the blobs that hold a key, instead of not at all."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording to replay: nothing is asked of anybody."""

    cassette: Cassette
    blobs: BlobReader


def pins_here(cache: Path) -> tuple[tuple[str, ...], Launcher | None, str]:
    """(pins, launcher, why there is none) of this machine."""
    found = launcher(cache)
    if isinstance(found, str):
        return PINS, None, found
    return tuple(sorted((*PINS, *LAUNCHER_PINS))), found, ""


def config_for(ways: ModelWays, pins: tuple[str, ...]) -> Config:
    """What a run with models demands of the machine."""
    return Config(
        sandbox="bwrap",
        network="gateway",
        policy="v1",
        pins=pins,
        recording="cassette" if ways.keep else "none",
        hosts=tuple(sorted(ways.hosts)),
        prices=digest_of(ways.prices),
        limits=AttemptLimits(
            calls=UNSET if ways.calls is None else ways.calls,
            tokens=UNSET if ways.tokens is None else ways.tokens,
        ),
    )


PaidCalls = Callable[[Task, Attempt], tuple[Call, ...]]
NoteCall = Callable[[Task, Attempt, Call], None]


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where a run keeps calls while an attempt is under way.

    `paid` gives the calls of a try that was cut off, `note` takes each call when it is complete. With `recorded` every attempt
    is answered from what that gives, and by nobody else.
    """

    paid: PaidCalls | None = None
    note: NoteCall | None = None
    recorded: Callable[[], Recorded] | None = None


@contextlib.contextmanager
def open_models(
    ways: ModelWays,
    rules: RuleSet,
    store: BlobStore,
    found: Launcher | None,
    keeping: Keeping,
) -> Iterator[Models]:
    """A gateway for as long as the block lasts.

    Raises:
        InputError: the extra `run` is not installed.
    """
    try:
        from tallystick.recording.gateway import Bounds, Gateway, Recording  # noqa: PLC0415  # aiohttp costs 150 ms
    except ModuleNotFoundError as error:
        raise InputError(f"asking models needs {error.name}: pip install 'tallystick[run]'") from None

    def recording_of(calls: tuple[Call, ...]) -> Recording | None:
        return Recording(Cassette(rules=digest_of(rules), calls=calls), store) if calls else None

    with Gateway(_spec(ways, rules), store) as gateway:

        def open_session(token: str, task: Task, attempt: Attempt, turns: TurnFile) -> Session:
            bounds = Bounds(calls=ways.calls, tokens=ways.tokens, cost_usd=task.limits.cost_usd)
            recorded, note = None if keeping.recorded is None else keeping.recorded(), keeping.note
            return gateway.session(
                token,
                bounds,
                turns,
                recording=None if recorded is None else Recording(recorded.cassette, recorded.blobs),
                paid=None if keeping.paid is None else recording_of(keeping.paid(task, attempt)),
                on_call=None if note is None else lambda call: note(task, attempt, call),
            )

        yield Models(open_session, found)


def _spec(ways: ModelWays, rules: RuleSet) -> GatewaySpec:
    from tallystick.recording.gateway import GatewaySpec  # noqa: PLC0415  # as in open_models

    return GatewaySpec(
        upstreams=ways.ways,
        rules=rules,
        prices=ways.prices,
        keep=ways.keep,
        hosts=frozenset(ways.hosts),
        secrets=tuple(way.key for way in ways.ways.values() if way.key),
    )
