"""From options and environment to the ways to models: base URLs and keys of providers, bounds, price table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from tallystick.cli import settings
from tallystick.core.errors import InputError

if TYPE_CHECKING:
    from tallystick.flows.models import ModelWays
    from tallystick.recording.upstream import Upstream
    from tallystick.records.traffic.apis import Provider

__all__ = ["KEY_VARIABLES", "ModelOptions", "model_ways", "provider_keys", "way_lines"]


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a provider's way is said: variables of its base URL and of its key; `bearers` are tokens."""

    default: str
    urls: tuple[str, ...]
    keys: tuple[str, ...]
    bearers: frozenset[str] = frozenset()


_SOURCES: Final[Mapping[Provider, _Source]] = {
    "openai": _Source("https://api.openai.com", ("OPENAI_BASE_URL", "OPENAI_API_BASE"), ("OPENAI_API_KEY",)),
    "anthropic": _Source(
        "https://api.anthropic.com",
        ("ANTHROPIC_BASE_URL",),
        ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
        frozenset({"ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"}),
    ),
    "google": _Source(
        "https://generativelanguage.googleapis.com",
        ("GOOGLE_GEMINI_BASE_URL",),
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    ),
}
KEY_VARIABLES: Final = tuple(name for source in _SOURCES.values() for name in source.keys)
"""The variables in which keys of providers are looked for, in this order."""

_URL: Final = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]{1,255}(/[A-Za-z0-9._~/-]{0,512})?").fullmatch
_HOST: Final = re.compile(r"[a-z0-9.-]{1,253}:[0-9]{1,5}").fullmatch


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What the command line says of models."""

    model: str | None = None
    upstream: str | None = None
    prices: str | None = None
    cassette: bool = True
    hosts: tuple[str, ...] = ()
    calls: int | None = None
    tokens: int | None = None
    withhold_secrets: bool = False

    @property
    def said(self) -> bool:
        """Whether any of it was said."""
        return self != ModelOptions()


def model_ways(options: ModelOptions, cache: Path) -> ModelWays:
    """The ways of this machine, with every provider of which a key or a base URL is set.

    `--upstream` stands for the base URL of all three, as one gateway or proxy in front of several providers.

    Raises:
        InputError: a URL, host or number that cannot be meant, or no provider at all.
    """
    from tallystick.flows.models import ModelWays  # noqa: PLC0415  # not for runs without models
    from tallystick.suites.prices import load_prices  # noqa: PLC0415  # as above

    ways = {name: way for name, source in _SOURCES.items() if (way := _way(source, options.upstream)) is not None}
    if not ways:
        raise InputError(
            f"no provider to ask: set the key of yours ({', '.join(KEY_VARIABLES[:2])}, ...), or give --upstream URL; "
            "keys stay outside the sandbox"
        )
    for host in options.hosts:
        if not _HOST(host) or not _has_place(f"http://{host}"):
            raise InputError(f"--allow-host {host[:60]!r}: give host:port, such as api.github.com:443")
    return ModelWays(
        model=options.model,
        ways=ways,
        prices=load_prices(options.prices),
        cache=cache,
        keep=options.cassette,
        hosts=tuple(sorted(set(options.hosts))),
        calls=_bound("--max-calls", options.calls),
        tokens=_bound("--max-tokens", options.tokens),
        withhold_secrets=options.withhold_secrets,
    )


def way_lines(ways: ModelWays) -> Iterator[str]:
    """How models are reached, for people: never a key."""
    from tallystick.flows.models import pins_here  # noqa: PLC0415  # not for runs without models
    from tallystick.sandbox.pinning import PINS  # noqa: PLC0415  # as above

    yield f"{ways.model} through the gateway, which knows " + ", ".join(
        f"{name} ({way.base_url}{'' if way.key else ', without a key'})" for name, way in sorted(ways.ways.items())
    )
    kept = "recorded, so that others can run the agent again" if ways.keep else "not recorded (--no-cassette)"
    bounds = [f"{count} {what} an attempt" for count, what in ((ways.calls, "calls"), (ways.tokens, "tokens")) if count]
    yield "; ".join([kept, f"prices of {ways.prices.as_of}", *bounds])
    if ways.hosts:
        yield f"other hosts: {', '.join(ways.hosts)}; nobody can run the agent again then"
    pins, _, why = pins_here(ways.cache)
    yield f"pinned: {', '.join(pins)}" + (f"; not {', '.join(PINS)}: {why}" if why else "")


def provider_keys() -> tuple[bytes, ...]:
    """The keys of providers that are set here."""
    return tuple(settings.first_variable((name,))[1].encode() for name in KEY_VARIABLES if settings.variables((name,)))


def _has_place(url: str) -> bool:
    """Whether a URL names a host, and a port that there can be."""
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


def _bound(option: str, value: int | None) -> int | None:
    if value is not None and value < 1:
        raise InputError(f"{option} {value}: give a number from 1")
    return value


def _way(source: _Source, upstream: str | None) -> Upstream | None:
    from tallystick.recording.upstream import Upstream  # noqa: PLC0415  # as above

    key_name, key = settings.first_variable(source.keys)
    url = upstream or settings.first_variable(source.urls)[1]
    if not key and not url:
        return None
    url = (url or source.default).rstrip("/")
    if not _URL(url) or not _has_place(url):
        raise InputError(f"the base URL {url[:80]!r} cannot be used; give one such as {source.default}")
    return Upstream(base_url=url.removesuffix("/v1").removesuffix("/v1beta"), key=key, bearer=key_name in source.bearers)
