"""An agent that tries what it may not. Each attempt is refused and named, and the provider never hears of it."""

from __future__ import annotations

import dataclasses
import gzip
import http.client
import json
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tallystick.recording.gateway import bounds
from tallystick.records.base import write
from tallystick.records.traffic.cassette import parse_cassette
from tests.support.waiting import wait_until
from tests.unit.recording.gateway.conftest import IMPATIENT, KEY, TOKEN, MakeBench
from tests.unit.recording.gateway.raw import CHAT, chat, post, send_raw

MIB = 1 << 20


@pytest.mark.parametrize(
    ("headers", "path"),
    [
        ({"authorization": "Bearer tally-ffffffffffffffff"}, CHAT),
        ({"authorization": f"Basic {TOKEN}x"}, CHAT),
        ({"authorization": KEY}, CHAT),
        ({"x-api-key": "tally-ffffffffffffffff"}, CHAT),
        ({"x-goog-api-key": ""}, CHAT),
        ({"authorization": f"Bearer {TOKEN}", "x-api-key": "another"}, CHAT),
        ({}, f"{CHAT}?key=tally-ffffffffffffffff"),
        ({}, f"{CHAT}?a=b&%6bey=other"),
    ],
)
def test_a_token_of_another_attempt(bench: MakeBench, headers: dict[str, str], path: str) -> None:
    one = bench()
    attempt = one.open()
    got = post(attempt.port, chat(), path=path, headers=headers)
    assert (got.status, got.json["error"]["type"]) == (401, "authentication_error")
    assert (one.provider.accepts, attempt.close().events) == (0, ())


@pytest.mark.parametrize(
    "headers", [{}, {"x-api-key": TOKEN}, {"authorization": f"bearer {TOKEN}"}, {"x-api-key": f"sk-ant-api03-{TOKEN}"}]
)
def test_its_own_token_or_none(bench: MakeBench, headers: dict[str, str]) -> None:
    assert post(bench().open().port, chat(), headers=headers).status == 200


def test_a_token_in_the_query_goes_no_further(bench: MakeBench) -> None:
    one = bench()
    attempt = one.open()
    assert post(attempt.port, chat(), path=f"{CHAT}?key={TOKEN}&alt=sse").status == 200
    cassette = attempt.close().cassette
    assert cassette is not None
    assert (one.provider.seen[0].query, cassette.calls[0].query) == ("alt=sse", "alt=sse")


@pytest.mark.parametrize(
    "target",
    [
        "http://192.0.2.1/v1/chat/completions",
        "//192.0.2.1/v1/chat/completions",
        "/v1/../../admin",
        "/v1/%2e%2e/%2e%2e/admin",
        "/v1/%252e%252e/admin",
        "/v1/..%2fadmin",
        "/v1\\..\\admin",
        "/v1/chat#fragment",
        "@192.0.2.1/",
        "*",
        "/v1/caf\u00e9",
        "/" + "a" * 3000,
        "/v1/models?" + "a" * 5000,
    ],
)
def test_a_path_to_somewhere_else(bench: MakeBench, target: str) -> None:
    one = bench()
    attempt = one.open()
    request = f"GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode()
    assert send_raw(attempt.port, request).split(b" ")[1] in {b"400", b"414"}
    assert (one.provider.accepts, attempt.close().events) == (0, ())


def test_the_host_header_chooses_no_host(bench: MakeBench) -> None:
    one = bench()
    post(one.open().port, chat(), headers={"host": "192.0.2.1", "x-forwarded-host": "192.0.2.1", "forwarded": "host=192.0.2.1"})
    headers = one.provider.seen[0].headers
    assert headers["host"] == one.provider.url.removeprefix("http://")
    assert not {"x-forwarded-host", "forwarded"} & headers.keys()


def test_a_gigabyte(bench: MakeBench) -> None:
    """Declared or not, it is refused at the bound, and never held."""
    one = bench()
    attempt = one.open()
    head = f"POST {CHAT} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
    assert b" 413 " in send_raw(attempt.port, f"{head}content-length: {1 << 30}\r\n\r\n".encode())
    before = _resident()
    sent = 0
    with socket.create_connection(("127.0.0.1", attempt.port), timeout=20) as connection:
        connection.sendall(f"{head}transfer-encoding: chunked\r\n\r\n".encode())
        chunk = b"%x\r\n" % MIB + b"x" * MIB + b"\r\n"
        try:
            while sent < 1024:
                connection.sendall(chunk)
                sent += 1
        except OSError:
            pass
        connection.settimeout(5)
        try:
            answer = connection.recv(4096)
        except OSError:
            answer = b""
    assert answer == b"" or b" 413 " in answer
    assert _resident() - before < 3 * bounds.REQUEST_BYTES
    assert (one.provider.accepts, attempt.close().events) == (0, ())


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_a_small_body_that_inflates(bench: MakeBench) -> None:
    one = bench()
    attempt = one.open()
    packed = gzip.compress(b" " * (bounds.REQUEST_BYTES + 1))
    assert len(packed) < MIB
    assert post(attempt.port, packed, headers={"content-encoding": "gzip"}).status == 413
    assert one.provider.accepts == 0


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "x-unknown"])
def test_a_body_that_is_not_what_it_says(bench: MakeBench, encoding: str) -> None:
    one = bench()
    attempt = one.open()
    got = post(attempt.port, b"\x00not compressed at all", headers={"content-encoding": encoding})
    assert got.status in {400, 415}
    assert one.provider.accepts == 0


def test_a_flood_of_header_fields(bench: MakeBench) -> None:
    one = bench()
    attempt = one.open()
    start = f"POST {CHAT} HTTP/1.1\r\nhost: x\r\n".encode()
    floods = (
        b"".join(b"x-%d: y\r\n" % number for number in range(10_000)),
        b"x-long: " + b"y" * (1 << 20) + b"\r\n",
        b"y" * (1 << 20),
    )
    for flood in floods:
        got = send_raw(attempt.port, start + flood + b"\r\n")
        assert got == b"" or b" 400 " in got.splitlines()[0]
    assert (one.provider.accepts, attempt.close().events) == (0, ())
    assert post(one.open().port, chat()).status == 200


SMUGGLED = [
    b"content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n",
    b"content-length: 0\r\ncontent-length: 40\r\n\r\nGET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n",
    b"transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    b"transfer-encoding : chunked\r\n\r\n0\r\n\r\n",
    b"content-length: +5\r\n\r\nhello",
    b"transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\nx",
    b"x: a\rb\r\n\r\n",
]


@pytest.mark.parametrize("rest", SMUGGLED)
def test_a_request_inside_another(bench: MakeBench, rest: bytes) -> None:
    """Ambiguous framing is refused; and what is sent on is framed anew, so nothing could hide in it."""
    one = bench()
    attempt = one.open()
    got = send_raw(attempt.port, f"POST {CHAT} HTTP/1.1\r\nhost: x\r\n".encode() + rest)
    assert got == b"" or got.split(b" ")[1] == b"400"
    assert not [seen for seen in one.provider.seen if seen.method == "GET"]
    assert attempt.close().events == ()


def test_a_websocket(bench: MakeBench) -> None:
    one = bench()
    headers = {"connection": "Upgrade", "upgrade": "websocket", "sec-websocket-version": "13", "sec-websocket-key": "eA=="}
    got = post(one.open().port, path="/v1/responses", method="GET", headers=headers)
    assert (got.status, got.json["error"]["type"]) == (426, "upgrade_not_served")
    assert one.provider.accepts == 0


def test_headers_of_the_connection_go_no_further(bench: MakeBench) -> None:
    one = bench()
    headers = {
        "connection": "x-private, keep-alive",
        "x-private": "1",
        "cookie": "a=b",
        "te": "trailers",
        "proxy-authorization": "x",
    }
    assert post(one.open().port, chat(), headers=headers).status == 200
    assert not {"x-private", "cookie", "te", "proxy-authorization"} & one.provider.seen[0].headers.keys()


def test_a_head_that_never_ends(bench: MakeBench) -> None:
    """A byte now and then: the connection is closed, and others are served meanwhile."""
    one = bench()
    attempt = one.open()
    got: list[bytes] = []
    slow = threading.Thread(target=lambda: got.append(send_raw(attempt.port, b"POST / HTTP/1.1\r\nhost:")))
    slow.start()
    assert post(attempt.port, chat()).status == 200
    slow.join(15)
    assert got == [b""]


@pytest.mark.parametrize(
    "field",
    [
        b"anthropic-beta: " + b"x" * 4097,
        b"openai-beta: caf\xc3\xa9",
        b"anthropic-version: \xff",
        b"anthropic-beta: a\tb",
        b"\r\n".join([b"anthropic-beta: x"] * 65),
        b"x-other: \xff",
    ],
)
def test_a_field_that_no_cassette_holds(bench: MakeBench, field: bytes) -> None:
    one = bench()
    attempt = one.open()
    got = send_raw(attempt.port, f"POST {CHAT} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n".encode() + field + b"\r\n\r\n")
    assert got.split(b" ")[1] == b"400"
    assert (one.provider.accepts, attempt.close().events) == (0, ())


@pytest.mark.parametrize("path", [CHAT, "/v1beta/models/m:generateContent", "/v1/messages", "/v1/models"])
@pytest.mark.parametrize(
    "body",
    [
        b'{"model":"\\ud800","stop":"\\udfff","generationConfig":{"\\ud800":1}}',
        b'{"model":"\\u0000\\u2028","temperature":1e999999,"generationConfig":{"":[]}}',
        b"[" * 200 + b"]" * 200,
        b"\xff\x00",
    ],
)
def test_an_odd_request_ends_no_run(bench: MakeBench, path: str, body: bytes) -> None:
    """It is recorded as it came, and what was recorded can be replayed."""
    one = bench()
    attempt = one.open()
    status = post(attempt.port, body, path=path).status
    traffic = attempt.close()
    assert traffic.cassette is not None
    assert parse_cassette(write(traffic.cassette)) == traffic.cassette
    again = one.replay(traffic)
    assert post(again.port, body, path=path).status == status
    assert again.close().events == traffic.events


def test_a_body_that_never_ends(bench: MakeBench) -> None:
    attempt = bench().open()
    got = send_raw(attempt.port, f"POST {CHAT} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n".encode(), b"half")
    assert got.split(b" ")[1] == b"408"


def test_an_answer_that_is_not_read(bench: MakeBench) -> None:
    """An endless stream to an agent that does not read: given up, and the attempt can be closed."""
    one = bench(faults={0: "endless"})
    attempt = one.open()
    with socket.create_connection(("127.0.0.1", attempt.port)) as connection:
        data = json.dumps(chat(stream=True)).encode()
        connection.sendall(f"POST {CHAT} HTTP/1.1\r\nhost: x\r\ncontent-length: {len(data)}\r\n\r\n".encode() + data)
        wait_until(lambda: bool(one.provider.seen))
        time.sleep(1.5)
        traffic = attempt.close()
    assert [event.members["complete"] for event in traffic.events] == [False]
    assert traffic.failure is None


def test_a_thousand_connections_at_once(bench: MakeBench) -> None:
    """Those over the bound are closed; the others are served; another attempt does not notice."""
    one = bench(patience=dataclasses.replace(IMPATIENT, idle=60, head=60))
    attempt, other = one.open(), one.open(token="tally-eeeeeeeeeeeeeeee")
    held: list[socket.socket] = []
    try:
        held += [socket.create_connection(("127.0.0.1", attempt.port), timeout=20) for _ in range(1000)]
        assert post(other.port, chat()).status == 200
        wait_until(lambda: [_is_closed(connection) for connection in held].count(False) <= bounds.CONNECTIONS)
    finally:
        for connection in held:
            connection.close()
    wait_until(lambda: _serves(attempt.port))


def _serves(port: int) -> bool:
    try:
        return post(port, chat()).status == 200
    except (ConnectionError, http.client.HTTPException):
        return False


def _is_closed(connection: socket.socket) -> bool:
    connection.settimeout(0)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_a_secret_of_the_gateway_in_a_request(bench: MakeBench) -> None:
    """It cannot know one; if it does, nothing of the call is written down."""
    one = bench(secrets=("a secret of the run",))
    attempt = one.open()
    for body in (chat(KEY), chat("a secret of the run")):
        assert post(attempt.port, body).status == 400
    for text in (f"found {KEY}", f"found {KEY}".replace("s", "\\u0073")):
        said = b'{"name":"note","text":"' + text.encode() + b'"}'
        assert post(attempt.port, said, path="/tally/v1/decisions").status == 400
    traffic = attempt.close()
    assert (one.provider.accepts, traffic.events, traffic.decisions) == (0, (), ())
    assert len(traffic.problems) == 2
    assert "sent a secret of the gateway" in traffic.problems[0]


@pytest.mark.parametrize("path", ["/tally/v1/decisions", "/tally/", "/tally/v1/other"])
def test_the_gateways_own_paths_are_nobody_elses(bench: MakeBench, path: str) -> None:
    one = bench()
    assert post(one.open().port, path=path, method="GET").status == 404
    assert one.provider.accepts == 0


def test_decisions_are_bounded_and_checked(bench: MakeBench) -> None:
    attempt = bench().open()
    path = "/tally/v1/decisions"
    good: dict[str, Any] = {"name": "split", "text": "two workers"}
    assert post(attempt.port, good, path=path).status == 204
    assert post(attempt.port, {"name": "merge"}, path=path).status == 204
    for bad in ({"name": "No Slug"}, {"name": "a", "text": "x" * 2001}, {"name": "a", "more": 1}, [], b"{", {"name": 1}):
        assert post(attempt.port, bad, path=path).status == 400
    assert post(attempt.port, b" " * (1 << 20), path=path).status == 413
    traffic = attempt.close()
    assert traffic.decisions == (("split", "two workers"), ("merge", ""))
    assert traffic.events == ()
