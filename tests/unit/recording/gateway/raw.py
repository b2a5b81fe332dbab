"""HTTP by hand, for requests that no client library would send."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["CHAT", "Got", "post", "send_raw"]

CHAT = "/v1/chat/completions"


class Got:
    """An answer: status, headers and body."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def post(port: int, body: Any = None, path: str = CHAT, method: str = "POST", headers: Mapping[str, str] | None = None) -> Got:
    """One request on a connection of its own; a body that is not bytes is sent as JSON."""
    data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, data, {"content-type": "application/json", **(headers or {})})
        answer = connection.getresponse()
        return Got(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    finally:
        connection.close()


def chat(text: str = "hello", **more: Any) -> dict[str, Any]:
    """The body of a call to a model."""
    return {"model": "scripted", "messages": [{"role": "user", "content": text}], **more}


def send_raw(port: int, *parts: bytes, hold: Iterable[object] = ()) -> bytes:
    """Everything that comes back for these bytes until the other side closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        for part in parts:
            connection.sendall(part)
        for _ in hold:
            pass
        got = b""
        try:
            while piece := connection.recv(65536):
                got += piece
        except ConnectionResetError:
            pass
        return got
