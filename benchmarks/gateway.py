"""What the gateway costs: time added to a call, calls per second, bytes kept of a turn, memory.

Agent, gateway and provider are three processes, as they are in a run; the provider is the scripted one on this machine, so that
the figures are the gateway's and not a network's.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.gateway_client import WARM_UP, Caller, body
from benchmarks.measure import Row, Scale, environment
from benchmarks.recording_proxy import PROGRAM, recording_proxy
from tallystick.recording.blobs import BlobStore
from tallystick.recording.gateway import Bounds, Gateway, GatewaySpec, Recording, Session, Traffic, Upstream
from tallystick.records.traffic.rules import EMPTY_RULES

__all__ = ["measure"]

GOAL_ADDED_MS: Final = 2.0
GOAL_GROWTH: Final = 1.5
GOAL_MEMORY_MB: Final = 50
TOKEN: Final = "tally-00000000000000000000000000000000"
CONNECTIONS: Final = 64
TURN_BYTES: Final = 2000
PAGE: Final = 4096


def measure(scale: Scale) -> list[Row]:
    """All rows; `scale.rounds` decides how many calls a median is over."""
    folder = Path(tempfile.mkdtemp(prefix="tally-bench-"))
    calls = 1000 if scale.rounds > 1 else 5
    try:
        with _provider(folder) as url:
            return [
                *(_added(folder, url, calls, size, stream=stream) for size, stream in ((5, False), (80, False), (80, True))),
                *_proxied(folder, url, calls, 5),
                _replayed(folder, url, calls, 80),
                _rate(folder, url, calls),
                *_stored(folder, url),
                _memory(folder, url, calls),
            ]
    finally:
        shutil.rmtree(folder)


@contextlib.contextmanager
def _provider(folder: Path) -> Iterator[str]:
    argv = [sys.executable, "-m", "tests.support.scripted_provider", "0"]
    with subprocess.Popen(argv, env=environment(folder), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()


@contextlib.contextmanager
def _session(store: Path, url: str, recording: Recording | None = None) -> Iterator[tuple[Session, str]]:
    spec = GatewaySpec({"openai": Upstream(url, "sk-not-a-key-0123456789")}, EMPTY_RULES)
    blobs = BlobStore(store)
    with Gateway(spec, blobs) as gateway:
        session = gateway.session(TOKEN, Bounds(), recording=recording)
        yield session, f"http://127.0.0.1:{session.open_here()}"
        session.close()
    blobs.flush()


def _client(folder: Path, *words: object) -> Any:  # noqa: ANN401 - JSON of a known program
    argv = [sys.executable, "-m", "benchmarks.gateway_client", *map(str, words)]
    done = subprocess.run(argv, env=environment(folder), check=True, capture_output=True)
    return json.loads(done.stdout)


def _added(folder: Path, url: str, calls: int, kilobytes: int, *, stream: bool) -> Row:
    """Through the gateway, recording, beside the same call made directly, in turn on the same two connections."""
    with _session(folder / f"added-{kilobytes}-{stream}", url) as (_, door):
        before = time.process_time()
        taken = _client(folder, "latency", kilobytes * 1000, calls, int(stream), url, door)
        cpu = (time.process_time() - before) / (calls + WARM_UP) * 1000
    part = 0 if stream else 1
    direct, through = ([seconds[part] * 1000 for seconds in taken[place]] for place in (url, door))
    what = "to the first byte of a stream" if stream else "per call"
    alone = statistics.median(direct)
    added = statistics.median(through) - alone
    return Row(
        f"gateway: added {what}, {kilobytes} KB request, median",
        f"{added:.2f} ms",
        f"{added / alone:.1f} x the direct call ({alone:.2f} ms, p99 {_p99(direct):.2f} ms); "
        f"p99 {_p99(through) - _p99(direct):.2f} ms; {cpu:.1f} ms of CPU, keeping included",
        f"{GOAL_ADDED_MS:.0f} ms",
        added < GOAL_ADDED_MS,
    )


def _proxied(folder: Path, url: str, calls: int, kilobytes: int) -> list[Row]:
    """The same added time of a well-known recording proxy, where there is one."""
    if PROGRAM is None:
        return []
    with recording_proxy(folder, url) as door:
        taken = _client(folder, "latency", kilobytes * 1000, calls, 0, url, door)
    direct, through = ([seconds[1] * 1000 for seconds in taken[place]] for place in (url, door))
    added = statistics.median(through) - statistics.median(direct)
    beside = f"direct {statistics.median(direct):.2f} ms; p99 {_p99(through) - _p99(direct):.2f} ms"
    return [Row(f"mitmproxy, recording: added per call, {kilobytes} KB request, median", f"{added:.2f} ms", beside)]


def _replayed(folder: Path, url: str, calls: int, kilobytes: int) -> Row:
    """A call answered from a recording."""
    store = folder / "replayed"
    with _session(store, url) as (session, door):
        _client(folder, "latency", kilobytes * 1000, calls, 0, door)
        traffic = session.close()
    with _session(store, url, _recording(traffic, store)) as (session, door):
        taken = [seconds[1] * 1000 for seconds in _client(folder, "latency", kilobytes * 1000, calls, 0, door)[door]]
        divergence = session.close().divergence
    if divergence:
        raise RuntimeError(divergence)
    figure = f"{statistics.median(taken):.2f} ms"
    return Row(f"gateway: replayed call, {kilobytes} KB request, median", figure, f"p99 {_p99(taken):.2f} ms")


def _recording(traffic: Traffic, store: Path) -> Recording:
    if traffic.cassette is None:
        raise RuntimeError("nothing was recorded")
    return Recording(traffic.cassette, BlobStore(store))


def _p99(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * 99 // 100)]


def _rate(folder: Path, url: str, calls: int) -> Row:
    with _session(folder / "rate", url) as (_, door):
        through = _client(folder, "rate", 5000, calls * 2, CONNECTIONS, door)
    direct = _client(folder, "rate", 5000, calls * 2, CONNECTIONS, url)
    return Row(
        f"gateway: calls per second, {CONNECTIONS} connections, 5 KB",
        f"{through:.0f}",
        f"direct {direct:.0f}; agent, gateway and provider share the processors",
    )


def _stored(folder: Path, url: str) -> list[Row]:
    """Bytes of blobs for each turn of a conversation in which every turn sends all turns before it again."""
    kept = {turns: _conversation(folder / f"turns-{turns}", url, turns) for turns in (10, 100)}
    per_turn = {turns: size / turns for turns, (size, _) in kept.items()}
    return [
        Row(
            f"gateway: bytes stored per turn, {turns} turns",
            f"{per_turn[turns]:,.0f} B",
            f"sent: {kept[turns][1] / turns:,.0f} B per turn, of which {TURN_BYTES:,} are new",
            "" if turns == 10 else f"{GOAL_GROWTH} x that of 10",
            None if turns == 10 else per_turn[100] < GOAL_GROWTH * per_turn[10],
        )
        for turns in kept
    ]


def _conversation(store: Path, url: str, turns: int) -> tuple[int, int]:
    """Bytes in the store, and bytes sent."""
    messages: list[dict[str, str]] = []
    sent = 0
    with _session(store, url) as (session, door), contextlib.closing(Caller(door)) as caller:
        for turn in range(turns):
            messages.append({"role": "user", "content": f"{turn:06}" + "x" * (TURN_BYTES - 50)})
            data = json.dumps({"model": "scripted", "messages": messages}).encode()
            sent += len(data)
            caller.call(data)
        session.close()
    return sum(path.stat().st_size for path in store.rglob("*") if path.is_file()), sent


def _memory(folder: Path, url: str, calls: int) -> Row:
    """What the process grows by between the first tenth of the calls and the last."""
    with _session(folder / "memory", url) as (session, door), contextlib.closing(Caller(door)) as caller:
        sizes = []
        for number in range(calls):
            caller.call(body(100_000, number))
            sizes.append(_resident())
        session.close()
    growth = (sizes[-1] - sizes[calls // 10]) / 1e6
    return Row(
        f"gateway: memory grown over {calls:,} calls of 100 KB",
        f"{growth:.0f} MB",
        f"{sizes[-1] / 1e6:.0f} MB for the whole process at the end",
        f"{GOAL_MEMORY_MB} MB",
        growth < GOAL_MEMORY_MB,
    )


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE
