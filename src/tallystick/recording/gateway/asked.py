"""A request of an agent, read whole, checked, and rid of everything that belongs to the connection."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from tallystick.recording.gateway import bounds
from tallystick.recording.gateway.errors import RefusalError
from tallystick.recording.gateway.keys import check_token, without_keys
from tallystick.records.traffic.apis import api_of
from tallystick.records.traffic.cassette import Api
from tallystick.records.traffic.normal import COMPARED_HEADERS, Normal, normalise
from tallystick.records.traffic.rules import RuleSet

__all__ = ["Asked", "Held", "check_head", "read_body", "read_request"]

_METHOD: Final = re.compile(r"[A-Z]{1,16}").fullmatch
_TARGET: Final = re.compile(r"/(?!/)[!-~]*").fullmatch
"""A path on this host in printable ASCII: no absolute form, no authority."""
_PRINTABLE: Final = re.compile(r"[ -~]*").fullmatch
_DROPPED: Final = frozenset(
    {
        "accept-encoding", "api-key", "authorization", "connection", "content-encoding", "content-length", "cookie", "expect",
        "forwarded", "host", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade", "via", "x-api-key", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto",
        "x-goog-api-key", "x-real-ip",
    }
)  # fmt: skip
_UNDONE: Final = frozenset({"", "identity", "gzip", "deflate"})
_CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Asked:
    """What an agent asks of a provider: no credential in it, header names in lower case, the body decoded."""

    api: Api
    method: str
    path: str
    query: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def name(self) -> str:
        """Method and path, for messages."""
        return f"{self.method} {self.path}"

    def normal(self, rules: RuleSet) -> Normal:
        """The request in the form that is compared."""
        return normalise(rules, self.method, self.path, self.query, self.headers, self.body)

    def header(self, name: str) -> str:
        """The values of a header field, joined; "" where there is none."""
        return ",".join(value for key, value in self.headers if key == name)


class Held:
    """How many bytes of request bodies one attempt has in memory."""

    def __init__(self) -> None:
        self._bytes = 0

    @contextlib.contextmanager
    def room(self) -> Iterator[Callable[[int], None]]:
        """Hands out a function that counts bytes in, and raises RefusalError (503) where there is no room for them.

        They are counted out when the block is left.
        """
        mine = 0

        def add(size: int) -> None:
            nonlocal mine
            if self._bytes + size > bounds.HELD_BYTES:
                raise RefusalError(503, "overloaded_error", "tally: too many large requests are under way")
            self._bytes += size
            mine += size

        try:
            yield add
        finally:
            self._bytes -= mine


def check_head(request: web.BaseRequest, token: str) -> tuple[str, str]:
    """Check everything before the body; returns path and query, without credentials.

    Raises:
        RefusalError: a target, method, token, header field or wish for another protocol that cannot be served.
    """
    target = request.raw_path
    path, _, query = target.partition("?")
    headers = tuple((name.lower(), value) for name, value in request.headers.items())
    if not (_METHOD(request.method) and _TARGET(target)) or "#" in target or "\\" in target:
        raise RefusalError(400, "invalid_request_error", "tally: this door serves paths such as /v1/chat/completions")
    if any(part in {".", ".."} for part in re.split(r"[/\\]", _unquoted(path))):
        raise RefusalError(400, "invalid_request_error", "tally: a path with . or .. leads nowhere here")
    if len(path) > bounds.PATH_CHARS or len(query) > bounds.QUERY_CHARS:
        raise RefusalError(414, "invalid_request_error", "tally: the path or its query is too long")
    check_token(token, headers, query)
    _check_values(headers)
    if any(name == "upgrade" for name, _ in headers) or request.method == "CONNECT":
        raise RefusalError(426, "upgrade_not_served", "tally: WebSockets and other protocols are not served; use plain HTTP")
    if request.headers.get("content-encoding", "").lower() not in _UNDONE:
        raise RefusalError(415, "invalid_request_error", "tally: a body is sent plain, or as gzip or deflate")
    return path, without_keys(query)


def _check_values(headers: Iterable[tuple[str, str]]) -> None:
    """What is kept has to fit into a cassette, and what is sent on must be text: else an odd request would end the run."""
    kept = [value for name, value in headers if name in COMPARED_HEADERS]
    if len(kept) > bounds.KEPT_FIELDS or sum(map(len, kept)) > bounds.KEPT_CHARS or not all(map(_PRINTABLE, kept)):
        raise RefusalError(
            400,
            "invalid_request_error",
            f"tally: {', '.join(COMPARED_HEADERS)} hold at most {bounds.KEPT_CHARS} characters of ASCII",
        )
    if not all(name.isascii() and _is_utf8(value) for name, value in headers):
        raise RefusalError(400, "invalid_request_error", "tally: header fields are text in UTF-8")


def _is_utf8(value: str) -> bool:
    return value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value)


def _unquoted(path: str) -> str:
    """A path with its escapes undone until nothing changes: no server behind another may see what this one did not."""
    for _ in range(4):
        again = unquote(path)
        if again == path:
            return path
        path = again
    raise RefusalError(400, "invalid_request_error", "tally: a path is not escaped that often")


async def read_request(request: web.BaseRequest, path: str, query: str, add: Callable[[int], None], seconds: float) -> Asked:
    """Read the body; every piece of it is told to `add`, which may refuse it.

    Raises:
        RefusalError: it is too large, too slow, or encoded in a way that cannot be undone.
    """
    body = await read_body(request, bounds.REQUEST_BYTES, add, seconds)
    headers = tuple((name, value) for name, value in _end_to_end(request) if name not in _DROPPED)
    return Asked(api_of(request.method, path), request.method, path, query, headers, body)


def _end_to_end(request: web.BaseRequest) -> list[tuple[str, str]]:
    named = {name.strip().lower() for value in request.headers.getall("connection", ()) for name in value.split(",")}
    return [(name.lower(), value) for name, value in request.headers.items() if name.lower() not in named]


async def read_body(request: web.BaseRequest, limit: int, add: Callable[[int], None], seconds: float) -> bytes:
    """At most `limit` bytes of a body, decoded; errors as `read_request`."""
    length = request.content_length
    if length is not None and length > limit:
        raise _too_large(limit)
    if request.headers.get("expect", "").lower() == "100-continue":
        await request.writer.write(_CONTINUE)
        request.writer.output_size = 0  # it is no part of the answer
    pieces, size = [], 0
    patience = contextlib.nullcontext() if request.content.is_eof() else asyncio.timeout(seconds)
    try:
        async with patience:
            async for piece in request.content.iter_any():
                size += len(piece)
                if size > limit:
                    raise _too_large(limit)
                add(len(piece))
                pieces.append(piece)
    except TimeoutError:
        raise RefusalError(408, "timeout_error", "tally: the body of the request did not come in time") from None
    except (HttpProcessingError, web.RequestPayloadError):
        raise RefusalError(400, "invalid_request_error", "tally: the body of the request cannot be decoded") from None
    return b"".join(pieces)


def _too_large(limit: int) -> RefusalError:
    return RefusalError(413, "request_too_large", f"tally: a request body has at most {limit} bytes")
