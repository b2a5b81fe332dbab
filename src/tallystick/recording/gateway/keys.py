"""Credentials: the agent's placeholder is checked and taken off, the real key is put in, and no answer carries one back."""

from __future__ import annotations

import re
import secrets
from collections.abc import AsyncGenerator, Iterable, Sequence
from typing import Final
from urllib.parse import unquote_plus

from tallystick.recording.gateway.errors import BrokenAnswerError, RefusalError
from tallystick.recording.gateway.spec import Upstream
from tallystick.records.traffic.apis import Provider
from tallystick.records.traffic.secrets import spellings

__all__ = ["Needles", "check_token", "key_headers", "without_keys"]

_SECRET_PARAMETERS: Final = frozenset({"key", "api_key", "access_token"})
_PREFIX: Final = re.compile(r"^sk-(?:ant-(?:[a-z0-9]{1,8}-)?)?(?=tally-)")
"""What some clients demand of a key before they use it; a placeholder may begin so."""

_OAUTH_BETA: Final = "oauth-2025-04-20"
"""What Anthropic's interface asks for beside an OAuth token."""


def check_token(token: str, headers: Iterable[tuple[str, str]], query: str) -> None:
    """Refuse a request that carries a credential other than this attempt's token. Carrying none is allowed.

    Raises:
        RefusalError: 401; the credential is not repeated.
    """
    for name, value in headers:
        given = value.strip()
        if name == "authorization":
            scheme, _, rest = given.partition(" ")
            given = rest.strip() if scheme.lower() == "bearer" else given
        elif name not in {"x-api-key", "x-goog-api-key", "api-key"}:
            continue
        _compare(token, given)
    for name, value in _parameters(query):
        if name in _SECRET_PARAMETERS:
            _compare(token, unquote_plus(value))


def _compare(token: str, given: str) -> None:
    given = _PREFIX.sub("", given)
    if not secrets.compare_digest(given.encode(errors="surrogateescape"), token.encode()):
        raise RefusalError(401, "authentication_error", "tally: this is not the token of this attempt")


def without_keys(query: str) -> str:
    """The query without parameters that hold credentials; the others keep their spelling and order."""
    if not query:
        return query
    kept = [part for part in query.split("&") if unquote_plus(part.partition("=")[0]).lower() not in _SECRET_PARAMETERS]
    return "&".join(kept)


def _parameters(query: str) -> list[tuple[str, str]]:
    parts = (part.partition("=") for part in query.split("&") if part)
    return [(unquote_plus(name).lower(), value) for name, _, value in parts]


def key_headers(provider: Provider, upstream: Upstream, beta: str) -> dict[str, str]:
    """The header fields that prove to a provider who pays. `beta` is what the agent says in `anthropic-beta`."""
    if not upstream.key:
        return {}
    if provider == "google":
        return {"x-goog-api-key": upstream.key}
    if provider == "anthropic" and not upstream.bearer:
        return {"x-api-key": upstream.key}
    found = {"authorization": f"Bearer {upstream.key}"}
    if provider == "anthropic" and _OAUTH_BETA not in beta:
        found["anthropic-beta"] = ",".join(filter(None, (beta, _OAUTH_BETA)))
    return found


class Needles:
    """Secret values in every spelling in which a body may hold them, to be found in bytes that arrive in pieces."""

    def __init__(self, values: Iterable[str]) -> None:
        self._needles: Sequence[bytes] = sorted(set().union(*(spellings(value.encode()) for value in values)))
        self._beginnings = frozenset(needle[:size] for needle in self._needles for size in range(1, len(needle)))
        self._longest = max(map(len, self._beginnings), default=0)

    def within(self, data: bytes) -> bool:
        """Whether one of the values is in `data`."""
        return any(needle in data for needle in self._needles)

    async def guard(self, pieces: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
        """Hand pieces on, holding back what may be the beginning of a value.

        Raises:
            BrokenAnswerError: a value has come up. None of its bytes has been handed on.
        """
        held = b""
        async for piece in pieces:
            window = held + piece if held else piece
            if self.within(window):
                raise BrokenAnswerError("it holds a secret that only the gateway may know")
            keep = self._beginning(window)
            held = window[len(window) - keep :] if keep else b""
            if keep < len(window):
                yield window[: len(window) - keep] if keep else window
        if held:
            yield held

    def _beginning(self, window: bytes) -> int:
        """How many bytes at the end of `window` are the beginning of a value."""
        sizes = range(min(self._longest, len(window)), 0, -1)
        return next((size for size in sizes if window[-size:] in self._beginnings), 0)
