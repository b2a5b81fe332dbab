"""An agent's side of the gateway benchmark, as a process of its own: makes calls, prints what they took as JSON.

`python -m benchmarks.gateway_client latency SIZE COUNT STREAM URL...`: seconds to first and last byte of each call, by URL.
`python -m benchmarks.gateway_client rate SIZE COUNT CONNECTIONS URL`: calls per second over many connections.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import sys
import time
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

import aiohttp

WARM_UP: Final = 50
PAUSE_S: Final = 0.005
"""Seconds before each call of the latency figures: an agent does something with an answer before it asks again."""
PATH: Final = "/v1/chat/completions"
PART: Final = 2000
"""Characters of one message."""


def body(size: int, number: int, *, stream: bool = False) -> bytes:
    """A conversation of about `size` bytes that differs from every other in its last message."""
    text = ("def add(a, b):\n    return a - b  # wrong\n" * 60)[:PART]
    messages = [{"role": "user" if at % 2 == 0 else "assistant", "content": text} for at in range(size // (PART + 100))]
    messages.append({"role": "user", "content": f"turn {number}"})
    return json.dumps({"model": "scripted", "messages": messages, "stream": stream}).encode()


class Caller:
    """One connection that is kept."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        self._connection = http.client.HTTPConnection(place.hostname or "", place.port)

    def close(self) -> None:
        """Give the connection up."""
        self._connection.close()

    def call(self, data: bytes) -> tuple[float, float]:
        """Seconds to the first byte of the answer's body, and to its last."""
        begin = time.perf_counter()
        self._connection.request("POST", PATH, data, {"content-type": "application/json"})
        answer = self._connection.getresponse()
        answer.read(1)
        first = time.perf_counter()
        answer.read()
        end = time.perf_counter()
        if answer.status != 200:
            raise RuntimeError(f"the call was answered with {answer.status}")
        return first - begin, end - begin


def latency(size: int, count: int, urls: Sequence[str], *, stream: bool) -> dict[str, list[tuple[float, float]]]:
    """The same calls at every URL, in turn."""
    callers = {url: Caller(url) for url in urls}
    taken: dict[str, list[tuple[float, float]]] = {url: [] for url in urls}
    for number in range(WARM_UP + count):
        data = body(size, number, stream=stream)
        for url, caller in callers.items():
            time.sleep(PAUSE_S)
            seconds = caller.call(data)
            if number >= WARM_UP:
                taken[url].append(seconds)
    return taken


async def rate(size: int, count: int, connections: int, url: str) -> float:
    """Calls per second."""
    left = iter(range(count))

    async def work(client: aiohttp.ClientSession) -> None:
        for number in left:
            async with client.post(url + PATH, data=body(size, number)) as answer:
                await answer.read()
                answer.raise_for_status()

    connector = aiohttp.TCPConnector(limit=connections)
    async with aiohttp.ClientSession(connector=connector, headers={"content-type": "application/json"}) as client:
        begin = time.perf_counter()
        await asyncio.gather(*(work(client) for _ in range(connections)))
        return count / (time.perf_counter() - begin)


def main(argv: Sequence[str]) -> None:
    """Do what is asked for."""
    what, size, count, number, *urls = argv
    if what == "latency":
        print(json.dumps(latency(int(size), int(count), urls, stream=number == "1")))
    else:
        print(json.dumps(asyncio.run(rate(int(size), int(count), int(number), urls[0]))))


if __name__ == "__main__":
    main(sys.argv[1:])
