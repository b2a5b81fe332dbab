"""Answers of a provider. The only module that calls one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Final

import aiohttp
from yarl import URL

from tallystick.recording.gateway import bounds
from tallystick.recording.gateway.asked import Asked
from tallystick.recording.gateway.errors import BrokenAnswerError, NoAnswerError, error_body
from tallystick.recording.gateway.keys import key_headers
from tallystick.recording.gateway.source import KEPT_HEADERS, Answer, Delivered
from tallystick.recording.gateway.spec import Upstream
from tallystick.records.traffic.apis import Provider, provider_of
from tallystick.records.traffic.normal import Normal

__all__ = ["LiveSource", "open_client", "target_url"]

_JSON: Final = (("content-type", "application/json"),)
_NOWHERE: Final = error_body(404, "not_found_error", "tally: no provider is configured for this path")


def open_client(patience: bounds.Patience) -> aiohttp.ClientSession:
    """The client that a gateway makes all its calls with: no cookies, no proxies of the environment, no headers of its own."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, connect=patience.connect, sock_connect=patience.connect),
        skip_auto_headers=("accept", "accept-encoding", "content-type", "user-agent"),
        trust_env=False,
        max_field_size=bounds.FIELD_BYTES,
    )


class LiveSource:
    """Sends every request on, with the real key, and numbers the calls as they come."""

    def __init__(
        self, client: aiohttp.ClientSession, upstreams: Mapping[Provider, Upstream], patience: bounds.Patience
    ) -> None:
        self._client, self._upstreams, self._patience = client, upstreams, patience
        self._calls = 0

    async def number(self, asked: Asked) -> tuple[int, Normal | None]:  # noqa: ARG002 - of the Protocol
        """See `Source.number`: the next one."""
        number = self._calls
        self._calls += 1
        return number, None

    def delivered(self, number: int, seen: Delivered) -> Delivered:  # noqa: ARG002 - of the Protocol
        """See `Source.delivered`: as it looked."""
        return seen

    def renamed(self, number: int) -> None:
        """See `Source.renamed`: nothing is replayed."""

    def changed(self) -> None:
        """See `Source.changed`: nothing is replayed."""

    def missing(self) -> str | None:
        """See `Source.missing`: nothing was to be asked."""
        return None

    async def answer(self, number: int, asked: Asked) -> Answer:  # noqa: ARG002 - of the Protocol
        """See `Source.answer`."""
        provider = self._provider(asked)
        if provider is None:
            return Answer(404, _JSON, _once(_NOWHERE), streamed=False)
        response = await self._send(provider, asked)
        kept = {name: response.headers[name][: bounds.KEPT_CHARS] for name in KEPT_HEADERS if name in response.headers}
        headers = tuple((name, value) for name, value in kept.items() if value.isascii() and value.isprintable())
        pieces = self._pieces(response)
        answer = Answer(response.status, headers, pieces, streamed=False)
        return Answer(response.status, headers, pieces, streamed=_streams(asked, answer.content_type))

    def _provider(self, asked: Asked) -> Provider | None:
        """Whose path this is; where it may be anybody's, what the header fields tell, or the only one there is."""
        found = provider_of(asked.api, asked.path)
        if found is None and asked.header("anthropic-version"):
            found = "anthropic"
        if found is None and len(self._upstreams) == 1:
            found = next(iter(self._upstreams))
        return found if found in self._upstreams else None

    async def _send(self, provider: Provider, asked: Asked) -> aiohttp.ClientResponse:
        upstream = self._upstreams[provider]
        proof = key_headers(provider, upstream, asked.header("anthropic-beta"))
        headers = [(name, value) for name, value in asked.headers if name not in proof]
        headers += [("accept-encoding", "identity"), *proof.items()]
        try:
            async with asyncio.timeout(self._patience.first_byte):
                return await self._client.request(
                    asked.method,
                    target_url(upstream.base_url, asked.path, asked.query),
                    headers=headers,
                    data=asked.body or None,
                    allow_redirects=False,
                )
        except TimeoutError:
            raise NoAnswerError(f"{provider} did not begin to answer {asked.name} in time") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise NoAnswerError(f"{provider} did not answer {asked.name}: {_reason(error)}") from None

    async def _pieces(self, response: aiohttp.ClientResponse) -> AsyncGenerator[bytes]:
        size = 0
        end = asyncio.get_running_loop().time() + self._patience.answer
        try:
            while piece := await self._piece(response, end):
                size += len(piece)
                if size > bounds.ANSWER_BYTES:
                    raise BrokenAnswerError(f"it has more than {bounds.ANSWER_BYTES} bytes")
                yield piece
        finally:
            response.close()  # an answer read to its end has given its connection back already

    async def _piece(self, response: aiohttp.ClientResponse, end: float) -> bytes:
        if response.content.is_eof():
            return await response.content.readany()  # the rest has come
        left = end - asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(min(left, self._patience.between)):
                return await response.content.readany()
        except TimeoutError:
            raise BrokenAnswerError("it did not go on, or did not end, in time") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise BrokenAnswerError(_reason(error)) from None


def target_url(base_url: str, path: str, query: str) -> URL:
    """Where a request goes: the provider's base, then the path, whose first part stands once where both have it (`/v1`).

    Raises:
        ValueError: the result would be at another host.
    """
    base = base_url.rstrip("/")
    first = path.split("/", 2)[1]
    if first and base.endswith(f"/{first}"):
        base = base[: -len(first) - 1]
    url = URL(base + path + (f"?{query}" if query else ""), encoded=True)
    if url.origin() != URL(base_url).origin():
        raise ValueError("the path leads to another host")
    return url


def _streams(asked: Asked, content_type: str) -> bool:
    """Whether an answer is of use before it is whole: everything but JSON documents is handed on as it comes."""
    if content_type.startswith("application/json"):
        return ":stream" in asked.path
    return True


def _reason(error: Exception) -> str:
    """What happened, without addresses: they differ from machine to machine."""
    return type(error).__name__


async def _once(data: bytes) -> AsyncGenerator[bytes]:
    yield data
