"""Doors in real sandboxes: an agent without any other network records and replays through one, and reaches no other's."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import pytest

from tallystick.recording.gateway import Gateway
from tallystick.sandbox import Limits, Outcome, Spec, open_sandbox, probe
from tests.unit.recording.gateway.conftest import TOKEN, Bench, MakeBench, Turns

LIMITS = Limits(
    wall_ms=20_000,
    memory_bytes=256 << 20,
    processes=64,
    file_bytes=8 << 20,
    workspace_bytes=16 << 20,
    workspace_files=100,
    output_bytes=64 << 10,
)
ASK = """
import json, urllib.request
request = urllib.request.Request(
    "http://127.0.0.1:8080/v1/chat/completions",
    json.dumps({"model": "scripted", "messages": [{"role": "user", "content": "hello"}]}).encode(),
    {"content-type": "application/json", "authorization": "Bearer " + %r},
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer)["choices"][0]["message"]["content"])
"""


@pytest.fixture(autouse=True)
def _bubblewrap() -> None:
    seen = probe()
    if not seen.works:
        pytest.skip(f"bubblewrap cannot start here: {seen.problem}")


def inside(program: str, on_start: Callable[[int], None]) -> Outcome:
    """Run a Python program in a sandbox."""
    spec = Spec(("/tally/bin/python3", "-c", textwrap.dedent(program)), {}, LIMITS)
    sandbox: Any = open_sandbox("bwrap")
    outcome: Outcome = sandbox.run(spec, fill=lambda _: None, on_start=on_start)
    return outcome


def said(outcome: Outcome) -> str:
    assert outcome.exit == 0, outcome.stderr.data.decode()
    return outcome.stdout.data.decode().strip()


def session(one: Bench, **options: Any) -> Any:
    if one.gateway is None:
        one.gateway = one.stack.enter_context(Gateway(one.spec(), one.store))
    from tallystick.recording.gateway import Bounds

    return one.gateway.session(options.pop("token", TOKEN), Bounds(), Turns(), **options)


def test_an_attempt_records_and_replays_through_its_door(bench: MakeBench) -> None:
    one = bench()
    live = session(one)
    assert said(inside(ASK % TOKEN, live.on_start)) == "Fix calc"
    traffic = live.close()
    assert (len(traffic.events), traffic.problems, one.provider.accepts) == (1, (), 1)
    from tallystick.recording.gateway import Recording

    again = session(one, recording=Recording(traffic.cassette, one.store))
    assert said(inside(ASK % TOKEN, again.on_start)) == "Fix calc"
    assert again.close().events == traffic.events
    assert one.provider.accepts == 1
