"""Doors in real sandboxes: an agent without any other network records and replays through one, and reaches no other's."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import textwrap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tallystick.recording.gateway import Bounds, Gateway, GatewayError, Recording, Session, door_helper
from tallystick.recording.gateway import doors as doors_module
from tallystick.recording.gateway.doors import DoorMaker
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
    return open_sandbox("bwrap").run(spec, fill=lambda _: None, on_start=on_start)


def said(outcome: Outcome) -> str:
    assert outcome.exit == 0, outcome.stderr.data.decode()
    return outcome.stdout.data.decode().strip()


def session(one: Bench, token: str = TOKEN, recording: Recording | None = None) -> Session:
    if one.gateway is None:
        one.gateway = one.stack.enter_context(Gateway(one.spec(), one.store))
    made = one.gateway.session(token, Bounds(), Turns(), recording)
    one.stack.callback(made.close)
    return made


def test_an_attempt_records_and_replays_through_its_door(bench: MakeBench) -> None:
    one = bench()
    live = session(one)
    assert said(inside(ASK % TOKEN, live.on_start)) == "Fix calc"
    traffic = live.close()
    assert (len(traffic.events), traffic.problems, one.provider.accepts) == (1, (), 1)
    assert traffic.cassette is not None
    again = session(one, recording=Recording(traffic.cassette, one.store))
    assert said(inside(ASK % TOKEN, again.on_start)) == "Fix calc"
    assert again.close().events == traffic.events
    assert one.provider.accepts == 1


def test_each_sandbox_has_a_door_of_its_own(bench: MakeBench) -> None:
    """Two at once: the socket tells whose call it is, and the token of the one opens nothing at the other's."""
    one = bench()
    first, second = session(one), session(one, "tally-eeeeeeeeeeeeeeee")
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(inside, ASK % "tally-eeeeeeeeeeeeeeee", one.on_start) for one in (first, second)]
        theirs, own = (run.result() for run in runs)
    assert (theirs.exit, b"HTTP Error 401" in theirs.stderr.data) == (1, True)
    assert said(own) == "Fix calc"
    assert (len(first.close().events), len(second.close().events)) == (0, 1)


REACH = """
import socket
for host, port in (("127.0.0.1", %d), ("127.0.0.1", 8081), ("192.0.2.1", 80), ("127.0.0.1", 22)):
    try:
        socket.create_connection((host, port), timeout=2).close()
        print("reached", host, port)
    except OSError as error:
        print(type(error).__name__)
try:
    socket.getaddrinfo("api.example.com", 443)
except socket.gaierror as error:
    print("no such name" if error.errno == socket.EAI_NONAME else error)
with open("/proc/net/unix") as file:
    print(len(file.readlines()) - 1, "sockets of this kind")
"""


def test_there_is_no_other_way_out(bench: MakeBench) -> None:
    """Neither another attempt's door on the host's own loopback, nor an address, nor a name; names asked for are noted."""
    one = bench()
    other = session(one)
    attempt = session(one)
    lines = said(inside(REACH % other.open_here(), attempt.on_start)).splitlines()
    assert not [line for line in lines if line.startswith("reached")]
    assert lines[4:] == ["no such name", "0 sockets of this kind"]
    assert "api.example.com" in attempt.close().hosts
    assert other.close().events == ()


PROXY = """
import socket
def ask(line):
    with socket.create_connection(("127.0.0.1", 8081), timeout=5) as proxy:
        proxy.sendall(line + b"\\r\\n\\r\\n")
        return proxy.recv(100).split(b"\\r\\n")[0].decode()
print(ask(b"CONNECT 127.0.0.1:%d HTTP/1.1"))
print(ask(b"CONNECT 127.0.0.1:22 HTTP/1.1"))
"""


def test_allowed_hosts_are_reached_through_the_proxy_and_named(bench: MakeBench) -> None:
    """In replay none is: what was said there is not recorded."""
    one = bench()
    port = one.provider.port
    one.options["hosts"] = frozenset({f"127.0.0.1:{port}"})
    live = session(one)
    assert said(inside(PROXY % port, live.on_start)).splitlines() == [
        "HTTP/1.1 200 Connection Established",
        "HTTP/1.1 403 Forbidden",
    ]
    traffic = live.close()
    assert (traffic.used, traffic.hosts) == ((("127.0.0.1", port),), ("127.0.0.1:22",))
    assert traffic.cassette is not None
    accepts = one.provider.accepts
    again = session(one, recording=Recording(traffic.cassette, one.store))
    assert said(inside(PROXY % port, again.on_start)).splitlines() == ["HTTP/1.1 403 Forbidden"] * 2
    assert one.provider.accepts == accepts


def test_a_program_without_a_network_of_its_own_gets_no_door() -> None:
    doors = DoorMaker()
    try:
        with pytest.raises(GatewayError, match="no network namespace of its own"):
            doors.open(os.getpid(), proxy=False)
        with pytest.raises(GatewayError, match="No such file or directory"):
            doors.open(2**22 + 1, proxy=False)
    finally:
        doors.close()


@pytest.mark.parametrize("sent", [signal.SIGSTOP, signal.SIGKILL])
def test_a_helper_that_does_not_answer_is_replaced(monkeypatch: pytest.MonkeyPatch, sent: signal.Signals) -> None:
    """Its answer could come later, and would be taken for that of the next order."""
    monkeypatch.setattr(doors_module, "_ANSWER_S", 3.0)
    doors = DoorMaker()
    try:
        with pytest.raises(GatewayError, match="no network namespace of its own"):
            doors.open(os.getpid(), proxy=False)
        assert doors._helper is not None
        doors._helper.send_signal(sent)
        with pytest.raises(GatewayError, match=r"the helper (does not answer|has ended)"):
            doors.open(os.getpid(), proxy=False)
        with pytest.raises(GatewayError, match="No such file or directory"):
            doors.open(2**22 + 1, proxy=False)
    finally:
        doors.close()


SYSTEM_PYTHON = "/usr/bin/python3"


def test_an_ordinary_user_can_have_doors(tmp_path: Path) -> None:
    """The user namespace that owns the sandbox's network belongs to whoever started it, and the helper joins it."""
    if os.geteuid() != 0:
        pytest.skip("needs root: becomes another user; every other test here is an ordinary user's then")
    if not (shutil.which("setpriv") and shutil.which("unshare") and Path(SYSTEM_PYTHON).exists()):
        pytest.skip("needs another program: setpriv, unshare and a Python that every user may start")
    user = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    script = shutil.copy(door_helper.__file__, tmp_path)
    for folder in (tmp_path, *tmp_path.parents):
        if not os.access(folder, os.X_OK) or not folder.stat().st_mode & 1:
            folder.chmod(folder.stat().st_mode | 0o11)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    argv = [*user, SYSTEM_PYTHON, "-I", "-S", script, str(theirs.fileno())]
    box = subprocess.Popen([*user, "unshare", "--user", "--net", "sh", "-c", "echo; exec sleep 60"], stdout=subprocess.PIPE)
    helper = subprocess.Popen(argv, pass_fds=(theirs.fileno(),))
    theirs.close()
    try:
        assert box.stdout is not None
        box.stdout.readline()
        ours.send(f"{box.pid} 8080".encode())
        said, fds, *_ = socket.recv_fds(ours, 256, 3)
        for fd in fds:
            os.close(fd)
        assert (said, len(fds)) == (b"ok", 2)
    finally:
        ours.close()
        box.kill()
        box.communicate()
        helper.wait()
