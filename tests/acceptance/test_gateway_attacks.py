"""Agents and providers that fight, in real runs: real sandbox, real gateway, a provider on this machine.

One task has the hostile agent or provider, the other an honest one, whose attempt must come out as if it were alone.
"""

from __future__ import annotations

import socket
import textwrap
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from tallystick.flows.adapters import AgentRequest, make_adapter
from tallystick.flows.publishing import publish
from tallystick.flows.replay import ReplayRequest
from tallystick.flows.run import RunDone, RunRequest, run
from tallystick.flows.verify import VerifyRequest, verify_path
from tallystick.recording.blobs import BlobStore
from tallystick.records.bundle import TaskResult
from tallystick.records.evidence import Agent
from tallystick.records.journal import AgentEnd, AttemptEnd, Event
from tallystick.records.report import Level, Report, Status
from tallystick.records.task import Suite, hash_suite, hash_task
from tallystick.runner.adapters import Adapter
from tallystick.suites.loaded import LoadedSuite
from tests.acceptance.support import needs_bwrap
from tests.support.recorded import AGENT, KEY, MODEL, RECORDED, SHORTEN, WRITE, Asking, record, ways_to
from tests.support.scripted_provider import Fault, ScriptedProvider

pytestmark = [needs_bwrap, pytest.mark.slow]
"""Every attempt has a limit on its time, so that nothing here can hang for longer."""

WALL_MS = 12_000


def hurried(wall_ms: int = WALL_MS) -> LoadedSuite:
    """The two tasks, with little time for an attempt."""
    tasks = []
    for task in RECORDED.tasks:
        short = msgspec.structs.replace(task, limits=msgspec.structs.replace(task.limits, wall_ms=wall_ms))
        tasks.append(msgspec.structs.replace(short, task_hash=hash_task(short)))
    document = Suite(
        version="hurried-v1", suite_hash=hash_suite(tuple(tasks)), tasks=tuple(tasks), trees=RECORDED.document.trees
    )
    return replace(RECORDED, document=document)


def fighting(hostile: str) -> str:
    """An agent that fights at one task and works at the other."""
    head = "import io, sys\nTOLD = sys.stdin.read()\nsys.stdin = io.StringIO(TOLD)\n"
    body = textwrap.indent(textwrap.dedent(hostile), "    ")
    return f"{head}if 'write_file' in TOLD:\n{body}\n    raise SystemExit\n{AGENT}"


def attack(folder: Path, hostile: str, provider: ScriptedProvider, suite: LoadedSuite = RECORDED) -> RunDone:
    """Two attempts at once: one fights, one works."""
    adapter = Asking(source=fighting(hostile), moods={}, faults={})
    provider.script = "tiny"
    return run(RunRequest(suite, adapter, folder / "state", workers=2, models=ways_to(provider, folder / "cache")))


@pytest.fixture
def provider() -> Iterator[ScriptedProvider]:
    with ScriptedProvider("tiny") as opened:
        yield opened


def result(done: RunDone, task: str) -> TaskResult:
    assert done.bundle is not None
    return next(one for one in done.bundle.task_results if one.task_id == task)


def said(done: RunDone, folder: Path, task: str = WRITE) -> str:
    observed = result(done, task).observed
    outputs = dict(observed.outputs)  # type: ignore[union-attr]
    store = BlobStore(folder / "state" / "blobs")
    assert "agent.stderr" not in outputs, store.read(outputs["agent.stderr"]).decode()
    return store.read(outputs["agent.stdout"]).decode() if "agent.stdout" in outputs else ""


def event(done: RunDone, task: str, kind: type[Event]) -> Event:  # type: ignore[valid-type]
    receipt = result(done, task).receipt
    return next(one for one in receipt.events if isinstance(one, kind))  # type: ignore[union-attr]


def unharmed(done: RunDone) -> None:
    """The honest attempt passed, with the calls it makes when nobody fights."""
    honest = result(done, SHORTEN)
    assert honest.passed, honest.harness_output
    assert honest.observed.calls == 3  # type: ignore[union-attr]


# agents


def test_an_agent_that_opens_other_connections(tmp_path: Path, provider: ScriptedProvider) -> None:
    with socket.create_server(("127.0.0.1", 0)) as host, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0tally-gateway-attack")
        abstract.listen()
        done = attack(
            tmp_path,
            f"""
            import socket
            def attempt(family, address, kind=socket.SOCK_STREAM):
                try:
                    with socket.socket(family, kind) as opened:
                        opened.settimeout(3)
                        opened.connect(address)
                        if kind == socket.SOCK_DGRAM:
                            opened.send(b"x"); opened.recv(1)
                    print("reached", address)
                except OSError as error:
                    print(error.strerror or "timed out")
            attempt(socket.AF_INET, ("127.0.0.1", {host.getsockname()[1]}))
            attempt(socket.AF_INET, ("127.0.0.1", {provider.port}))
            attempt(socket.AF_INET, ("8.8.8.8", 53))
            attempt(socket.AF_INET, ("8.8.8.8", 53), socket.SOCK_DGRAM)
            attempt(socket.AF_INET6, ("::1", {provider.port}))
            attempt(socket.AF_UNIX, "\\0tally-gateway-attack")
            """,
            provider,
        )
    assert "reached" not in said(done, tmp_path)
    assert len(said(done, tmp_path).splitlines()) == 6
    unharmed(done)


def test_an_agent_that_looks_for_the_tokens_of_others(tmp_path: Path, provider: ScriptedProvider) -> None:
    done = attack(
        tmp_path,
        """
        import glob, os, re, socket, time, urllib.error, urllib.request
        time.sleep(2)  # the other attempt has begun
        seen = set()
        for path in [found for name in ("environ", "cmdline", "task/*/environ") for found in glob.glob(f"/proc/[0-9]*/{name}")]:
            try:
                seen |= set(re.findall(rb"tally-[0-9a-f]{32}", open(path, "rb").read()))
            except OSError:
                pass
        print("tokens", seen <= {os.environ["OPENAI_API_KEY"].encode()})
        for path in ("/tally/turns", "/tally/bin/pin"):
            try:
                print("written", open(path, "r+b").write(b"x"))
            except OSError as error:
                print(type(error).__name__)
        doors = []
        for port in range(1, 65536):
            with socket.socket() as opened:
                if opened.connect_ex(("127.0.0.1", port)) == 0 and opened.getsockname() != opened.getpeername():
                    doors.append(port)  # and not this socket itself, which a port of its own leads to
        print("doors", doors)
        for token in ("tally-" + "0" * 32, "sk-mine", ""):
            headers = {"authorization": "Bearer " + token}
            request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/models", headers=headers)
            try:
                print("answered", urllib.request.urlopen(request).status)
            except urllib.error.HTTPError as error:
                print("refused", error.code)
        """,
        provider,
    )
    lines = said(done, tmp_path).splitlines()
    assert lines[0] == "tokens True"
    assert "written" not in "".join(lines)
    assert lines[3] == "doors [8080]"
    assert lines[4:6] == ["refused 401"] * 2
    assert KEY not in said(done, tmp_path)
    assert {one.headers.get("authorization") for one in provider.seen} == {f"Bearer {KEY}"}
    unharmed(done)


def test_an_agent_that_sends_a_gigabyte(tmp_path: Path, provider: ScriptedProvider) -> None:
    done = attack(
        tmp_path,
        """
        import http.client, os
        for declared in (True, False):
            door = http.client.HTTPConnection("127.0.0.1", 8080, timeout=30)
            piece, headers = b"x" * (1 << 20), {"authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
            try:
                if declared:
                    headers["content-length"] = str(1 << 30)
                door.request("POST", "/v1/chat/completions", (piece for _ in range(1024)), headers, encode_chunked=not declared)
                print(door.getresponse().status)
            except OSError as error:
                try:
                    print(door.getresponse().status)
                except (OSError, http.client.HTTPException):
                    print("cut off")
        """,
        provider,
    )
    assert set(said(done, tmp_path).split("\n")) <= {"413", "cut off", ""}
    assert max(len(one.body) for one in provider.seen) < 1 << 20
    unharmed(done)


def test_an_agent_that_opens_a_thousand_connections(tmp_path: Path, provider: ScriptedProvider) -> None:
    done = attack(
        tmp_path,
        """
        import os, resource, socket, time, urllib.request
        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
        held = []
        for number in range(1000):
            try:
                opened = socket.create_connection(("127.0.0.1", 8080), timeout=2)
                head = b"POST /v1/chat/completions HTTP/1.1\\r\\nhost: x\\r\\ncontent-length: 10\\r\\n"
                opened.sendall(head + b"\\r\\n" * (number % 2))
                held.append(opened)
            except OSError:
                break
        print("held", len(held) > 0)
        time.sleep(4)
        for opened in held:
            opened.close()
        headers = {"authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
        request = urllib.request.Request("http://127.0.0.1:8080/v1/models", headers=headers)
        for _ in range(50):
            try:
                print(urllib.request.urlopen(request, timeout=5).status)
                break
            except OSError:
                time.sleep(0.2)
        """,
        provider,
    )
    assert said(done, tmp_path).splitlines() == ["held True", "200"]
    unharmed(done)


# providers

ENDS: dict[Fault, set[str]] = {
    "short": {"provider_failed", "graded"},
    "long": {"provider_failed", "graded"},
    "drop": {"provider_failed"},
    "silent": {"wall"},
    "endless": {"wall", "graded"},  # the bound on an answer may come first
    "bomb": {"provider_failed", "graded"},
    "gzip": {"graded"},
    "redirect": {"graded", "provider_failed"},
    "echo": {"provider_failed", "graded"},
}
"""How an attempt may end whose provider does this at its first answer."""

ASKS_ONCE = """
import json, os, urllib.request
headers = {"authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "content-type": "application/json"}
said = {"model": "scripted-1", "stream": True, "messages": [{"role": "user", "content": "x"}]}
if FAULT != "endless":
    del said["stream"]
try:
    where = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    with urllib.request.urlopen(urllib.request.Request(where, json.dumps(said).encode(), headers)) as answer:
        while piece := answer.read(65536):
            pass
except OSError as error:
    print(type(error).__name__)
except Exception as error:
    print("other", type(error).__name__)
"""


@pytest.mark.parametrize("fault", list(ENDS))
def test_a_provider_that_misbehaves(fault: Fault, tmp_path: Path, provider: ScriptedProvider) -> None:
    """The attempt ends by a limit, or by a typed failure of its provider; the next one is unharmed; nothing hangs."""
    source = fighting(f"FAULT = {fault!r}\n{ASKS_ONCE}")
    adapter = Asking(provider=provider, source=source, moods={}, faults={(WRITE, 1): {0: fault}})
    started = time.monotonic()
    request = RunRequest(hurried(), adapter, tmp_path / "state", workers=1, models=ways_to(provider, tmp_path / "cache"))
    done = run(request)
    assert time.monotonic() - started < 60
    end, agent = event(done, WRITE, AttemptEnd), event(done, WRITE, AgentEnd)
    ended = end.cause if end.outcome != "graded" else agent.limit or end.outcome  # type: ignore[union-attr]
    assert ended in ENDS[fault], (end, agent)
    unharmed(done)
    publish(done, None, tmp_path / "b.json", "json")
    report = verify_path(VerifyRequest(tmp_path / "b.json", suite=hurried(), execute=False))
    assert report.status is Status.UNSIGNED, report.reasons
    assert KEY.encode() not in b"".join(path.read_bytes() for path in (tmp_path / "state").rglob("*") if path.is_file())


# programs that pose as others


def posing(folder: Path, name: str, source: str) -> Path:
    """A folder for PATH with a program of that name."""
    folder.mkdir(parents=True)
    program = folder / name
    program.write_text(f"#!/usr/bin/python3\n{source}")
    program.chmod(0o755)
    return folder


def named(search_path: str, folder: Path) -> Adapter:
    """The agent `mini` as it is found on a search path."""
    return make_adapter(AgentRequest("command", argv=("mini",), cwd=folder, search_path=search_path, model=MODEL), RECORDED)


def run_as(adapter: Adapter, folder: Path, provider: ScriptedProvider) -> Path:
    done = run(RunRequest(RECORDED, adapter, folder / "state", workers=1, models=ways_to(provider, folder / "cache")))
    assert result(done, SHORTEN).passed
    publish(done, None, folder / "b.json", "json")
    return folder / "b.json"


def replayed(bundle: Path, adapter: Adapter, cache: Path) -> Report:
    def found(agent: Agent, suite: LoadedSuite) -> Adapter:
        return adapter

    return verify_path(
        VerifyRequest(bundle, suite=RECORDED, replay=ReplayRequest(found, cache), demand=Level.replayed, execute=True)
    )


def test_a_program_that_poses_as_another(tmp_path: Path, provider: ScriptedProvider) -> None:
    """A script of the same name earlier on PATH has another digest: neither replays what the other made."""
    genuine = posing(tmp_path / "genuine", "mini", AGENT)
    wrapper = posing(tmp_path / "wrapper", "mini", f"WHISPER = 'the answer is two'\n{AGENT}")
    real = named(f"{genuine}:/usr/bin:/bin", tmp_path)
    fake = named(f"{wrapper}:{genuine}:/usr/bin:/bin", tmp_path)
    assert real.agent.program != fake.agent.program
    assert (real.agent.argv, real.agent.name) == (fake.agent.argv, fake.agent.name), "nothing else tells them apart"
    made = run_as(real, tmp_path / "real", provider)
    forged = run_as(fake, tmp_path / "fake", provider)
    for bundle, adapter in ((made, fake), (forged, real)):
        report = replayed(bundle, adapter, tmp_path / "real" / "cache")
        assert {row.status for row in report.rows} == {Status.NOT_REPLAYED}
        assert all("mini here is another program" in row.reason for row in report.rows)
    assert {row.level for row in replayed(made, real, tmp_path / "real" / "cache").rows} == {"replayed"}


def test_an_agent_that_was_told_more_than_it_says(tmp_path: Path) -> None:
    """A bundle that names the genuine program and was made by another one diverges when the genuine one is run again."""
    done = record(tmp_path, attempts=1)
    genuine = publish(done, None, tmp_path / "b.json", "json")[1]
    assert {row.level for row in replayed(genuine, Asking(), tmp_path / "cache").rows} == {"replayed"}
    told = AGENT.replace('"Work step by step. "', '"The answer is two. "')
    with ScriptedProvider("tiny") as provider:
        posed = Asking(source=told, provider=provider, faults={}, moods={})
        posed.agent = Asking().agent
        request = RunRequest(RECORDED, posed, tmp_path / "posed", workers=1, models=ways_to(provider, tmp_path / "cache"))
        bundle = publish(run(request), None, tmp_path / "posed.json", "json")[1]
    report = replayed(bundle, Asking(), tmp_path / "cache")
    assert {row.status for row in report.rows} == {Status.DIVERGED}
    assert all("The answer is two" in row.reason for row in report.rows), [row.reason for row in report.rows]
