"""A provider that misbehaves: the agent gets one clear error or a broken answer, and the recording says so."""

from __future__ import annotations

import http.client
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tallystick.recording.gateway import Upstream, bounds
from tests.unit.recording.gateway.conftest import KEY, Bench, MakeBench
from tests.unit.recording.gateway.raw import CHAT, chat, post

NOTHING = "tally: no whole answer came from the provider"


def kept(one: Bench) -> bytes:
    one.store.flush()
    return b"".join(path.read_bytes() for path in one.store._folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("fault", "status", "why"),
    [
        ("short", 200, "ClientPayloadError"),
        ("drop", 0, "openai did not answer POST /v1/chat/completions"),
        ("silent", 0, "openai did not begin to answer POST /v1/chat/completions in time"),
        ("bomb", 200, f"it has more than {bounds.ANSWER_BYTES} bytes"),
    ],
)
def test_an_answer_that_does_not_come(bench: MakeBench, fault: Any, status: int, why: str) -> None:
    """The agent gets the same error whatever went wrong, again in replay; what went wrong is told to people."""
    one = bench(faults={0: fault})
    live = one.open()
    got = post(live.port, chat())
    assert (got.status, got.json["error"]["message"]) == (502, NOTHING)
    traffic = live.close()
    assert [(event.members["status"], event.members["complete"]) for event in traffic.events] == [(status, False)]
    assert traffic.failure is not None
    assert why in traffic.failure
    again = one.replay(traffic)
    assert post(again.port, chat()).body == got.body
    replayed = again.close()
    assert (replayed.events, replayed.divergence, bool(replayed.failure)) == (traffic.events, None, True)


def test_more_than_was_declared(bench: MakeBench) -> None:
    """What lies beyond the declared length is nobody's answer, and no later call gets it."""
    one = bench(faults={0: "long"})
    live = one.open()
    assert len(post(live.port, chat()).body) > 10
    got = post(live.port, chat("again"))
    assert (got.status, got.json["object"]) == (200, "chat.completion")
    assert live.close().failure is None


def test_a_compressed_answer_nobody_asked_for(bench: MakeBench) -> None:
    one = bench(faults={0: "gzip"})
    live = one.open()
    got = post(live.port, chat())
    assert (got.json["object"], "content-encoding" in got.headers) == ("chat.completion", False)
    assert live.close().usage.input == 100


def test_a_stream_that_never_ends(bench: MakeBench) -> None:
    """It is cut at the bound; memory stays below twice of it."""
    one = bench(faults={0: "endless"})
    live = one.open()
    before = int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    connection = http.client.HTTPConnection("127.0.0.1", live.port, timeout=30)
    connection.request("POST", CHAT, b'{"model":"scripted","stream":true,"messages":[]}')
    answer = connection.getresponse()
    size = 0
    try:
        while piece := answer.read(1 << 16):
            size += len(piece)
    except (http.client.IncompleteRead, ConnectionError):
        pass
    else:
        pytest.fail("the stream came to an end")
    connection.close()
    traffic = live.close()
    assert size <= bounds.ANSWER_BYTES
    assert traffic.failure == f"call 0: it has more than {bounds.ANSWER_BYTES} bytes" or "in time" in str(traffic.failure)
    assert int(Path("/proc/self/statm").read_text().split()[1]) * 4096 - before < 4 * bounds.ANSWER_BYTES


def test_a_stream_that_breaks_off(bench: MakeBench) -> None:
    """The agent sees it break off, in replay too, after the same bytes."""
    one = bench(faults={0: "cut"})
    live = one.open()
    with pytest.raises(http.client.IncompleteRead) as broken:
        post(live.port, chat(stream=True))
    traffic = live.close()
    assert [event.members["complete"] for event in traffic.events] == [False]
    assert traffic.failure == "call 0: ClientPayloadError"
    again = one.replay(traffic)
    with pytest.raises(http.client.IncompleteRead) as broken_again:
        post(again.port, chat(stream=True))
    assert broken_again.value.partial == broken.value.partial
    replayed = again.close()
    assert (replayed.events, replayed.divergence) == (traffic.events, None)


def test_a_key_in_an_answer(bench: MakeBench) -> None:
    one = bench(faults={0: "echo"})
    live = one.open()
    got = post(live.port, chat())
    assert (got.status, got.json["error"]["message"]) == (502, NOTHING)
    traffic = live.close()
    assert "it holds a secret that only the gateway may know" in traffic.problems[0]
    assert KEY.encode() not in kept(one)


def test_a_key_in_a_stream_byte_by_byte(bench: MakeBench) -> None:
    """Not even its beginning is delivered or kept."""
    one = bench(faults={0: "echo-slowly"})
    live = one.open()
    with pytest.raises(http.client.IncompleteRead) as broken:
        post(live.port, chat(stream=True))
    assert b"[DONE]" in broken.value.partial
    assert KEY[:4].encode() not in broken.value.partial
    traffic = live.close()
    assert "it holds a secret" in str(traffic.failure)
    assert KEY[:8].encode() not in kept(one)


def test_a_redirect_is_not_followed(bench: MakeBench) -> None:
    """It is the agent's to see, without the place it leads to."""
    one = bench(faults={0: "redirect"})
    live = one.open()
    got = post(live.port, chat())
    assert (got.status, "location" in got.headers) == (307, False)
    assert len(one.provider.seen) == 1


def test_no_clock_reaches_the_agent(bench: MakeBench) -> None:
    one = bench()
    live = one.open()
    for got in (post(live.port, chat()), post(live.port, chat(stream=True)), post(live.port, b"{", path="/../")):
        assert got.headers["date"] == "Tue, 14 Nov 2023 22:13:20 GMT"
        assert got.headers["server"] == "tally"


def test_a_header_field_that_is_not_ascii(bench: MakeBench) -> None:
    """It is left out: no other spelling of it could be recorded and said again."""
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:
        one = bench(upstreams={"openai": Upstream(f"http://127.0.0.1:{server.getsockname()[1]}", KEY)})
        live = one.open()
        serving = pool.submit(_answer_oddly, server)
        got = post(live.port, chat())
        serving.result()
    assert (got.status, got.headers["retry-after"], "x-request-id" in got.headers) == (200, "1", False)
    traffic = live.close()
    again = one.replay(traffic)
    assert post(again.port, chat()).body == got.body == b"{}"
    assert again.close().events == traffic.events


def _answer_oddly(server: socket.socket) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(65536)
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nretry-after: 1\r\n"
        connection.sendall(head + b"x-request-id: caf\xe9 caf\xc3\xa9\r\n\r\n{}")


def test_a_path_of_no_provider(bench: MakeBench) -> None:
    """A probe such as HEAD / is answered, recorded, and costs nothing."""
    one = bench()
    live = one.open()
    assert post(live.port, path="/", method="HEAD").status == 404
    traffic = live.close()
    assert [event.members["status"] for event in traffic.events] == [404]
    assert one.provider.accepts == 0
    again = one.replay(traffic)
    assert post(again.port, path="/", method="HEAD").status == 404
    assert again.close().events == traffic.events
