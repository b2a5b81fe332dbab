"""Both drivers keep the same promises; where they differ, they say so in `enforced`."""

# ruff: noqa: PTH115, PTH208

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO, Never

import pytest

from tallystick.sandbox import (
    Limits,
    Mount,
    Outcome,
    Sandbox,
    SandboxUnavailableError,
    Spec,
    drivers,
    layout,
    open_sandbox,
    probe,
)
from tallystick.sandbox.bwrap import BwrapSandbox
from tallystick.sandbox.workspace import MTIME_S, FillError, FoundFile, walk, write_file, write_link
from tests.support.waiting import wait_until

LIMITS = Limits(10_000, 256 << 20, 64, 8 << 20, 16 << 20, 500, 1 << 16)


@pytest.fixture(params=["bwrap", "none"])
def box(request: pytest.FixtureRequest) -> Sandbox:
    if request.param == "bwrap" and not probe().works:
        pytest.skip("bubblewrap cannot start here")
    return open_sandbox(request.param)


@pytest.fixture
def bwrap() -> Sandbox:
    if not probe().works:
        pytest.skip("bubblewrap cannot start here")
    return open_sandbox("bwrap")


def _nothing(_dirfd: int) -> None:
    pass


def _run(box: Sandbox, *argv: str, fill: Callable[[int], None] = _nothing, limits: Limits = LIMITS, **options: Any) -> Outcome:
    return box.run(Spec(argv, {}, limits), fill=fill, **options)


@pytest.mark.parametrize(
    ("argv", "code", "number"),
    [
        (("true",), 0, None),
        (("sh", "-c", "exit 3"), 3, None),
        (("sh", "-c", "exit 137"), 137, None),
        (("sh", "-c", "kill -9 $$"), None, 9),
        (("sh", "-c", "kill -10 $$"), None, 10),
        (("sh", "-c", "kill -15 $$"), None, 15),
        (("python3", "-c", "import os; os.abort()"), None, 6),
        (("no-such-program",), 127, None),
        (("exit", "3"), 127, None),
    ],
)
def test_ends(box: Sandbox, argv: tuple[str, ...], code: int | None, number: int | None) -> None:
    outcome = _run(box, *argv)
    assert (outcome.exit, outcome.signal, outcome.limit) == (code, number, None)


@pytest.mark.parametrize("shell", ["/bin/dash", "/bin/bash"])
@pytest.mark.parametrize(
    ("command", "code", "number"), [("kill -9 $$", None, 9), ("exit 137", 137, None), ("kill -2 $$", None, 2)]
)
def test_ends_below_the_shells_that_systems_have(
    bwrap: Sandbox, monkeypatch: pytest.MonkeyPatch, shell: str, command: str, code: int | None, number: int | None
) -> None:
    if not Path(shell).exists():
        pytest.skip(f"no {shell} here")
    files = {**layout.files(), layout.SHELL: Path(shell).read_bytes()}
    monkeypatch.setattr(layout, "files", lambda _spec: files)
    outcome = _run(bwrap, "sh", "-c", command)
    assert (outcome.exit, outcome.signal, outcome.measured.orphans) == (code, number, 0)


def test_a_program_that_is_missing_is_named(box: Sandbox) -> None:
    assert b"no-such-program" in _run(box, "no-such-program").stderr.data


def test_stdin_stdout_stderr(box: Sandbox) -> None:
    outcome = _run(box, "sh", "-c", "cat; echo err >&2", stdin=b"x" * 300_000)
    assert outcome.stdout.total == 300_000
    assert outcome.stdout.data == b"x" * LIMITS.output_bytes
    assert outcome.stderr.data == b"err\n"


def test_a_program_that_reads_nothing_does_not_block_us(box: Sandbox) -> None:
    assert _run(box, "true", stdin=b"x" * 10_000_000).exit == 0


def test_fill_and_collect(box: Sandbox) -> None:
    files = {}

    def collect(dirfd: int) -> None:
        for found in walk(dirfd, LIMITS):
            assert isinstance(found, FoundFile)
            files[found.path] = os.read(found.fd, found.size)

    def fill(dirfd: int) -> None:
        write_file(dirfd, "d/in", 0o644, b"data")

    outcome = _run(box, "sh", "-c", "stat -c %Y . d d/in; tr a-z A-Z <d/in >out", fill=fill, collect=collect)
    assert outcome.stdout.data.split() == [str(MTIME_S).encode()] * 3
    assert files == {b"d/in": b"data", b"out": b"DATA"}


def test_argv_is_not_read_by_a_shell(box: Sandbox) -> None:
    words = ("$HOME", "a b", "*", "'", '"', "\\", "-n", "é\n", "")
    outcome = _run(box, "python3", "-c", "import sys; print(sys.argv[1:])", *words)
    assert outcome.stdout.data.decode() == f"{list(words)}\n"


def test_python_is_ours(box: Sandbox) -> None:
    outcome = _run(box, "python3", "-c", "import sys; print(sys.version)")
    assert outcome.stdout.data.decode() == sys.version + "\n"


def test_mounts(box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("print('mounted')")
    spec = Spec(("python3", "/opt/x/program.py"), {}, LIMITS, mounts=(Mount(tmp_path, "/opt/x"),))
    assert box.run(spec, fill=_nothing).stdout.data == b"mounted\n"


def test_environment(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "1")
    outcome = box.run(Spec(("env",), {"GIVEN": "a=b\nc", "TZ": "X"}, LIMITS), fill=_nothing)
    assert b"SECRET" not in outcome.stdout.data
    assert b"GIVEN=a=b\nc\n" in outcome.stdout.data
    assert b"TZ=X\n" in outcome.stdout.data


def test_talk(box: Sandbox) -> None:
    heard = []

    def talk(reader: BinaryIO, writer: BinaryIO) -> None:
        for _ in range(3):
            writer.write(b"ping\n")
            writer.flush()
            heard.append(reader.readline())

    outcome = _run(box, "python3", "-uc", "for _ in range(3): print(input() + '!')", talk=talk)
    assert heard == [b"ping!\n"] * 3
    assert (outcome.exit, outcome.stdout.data) == (0, b"")


def test_talk_with_somebody_who_dies(box: Sandbox) -> None:
    def talk(reader: BinaryIO, writer: BinaryIO) -> None:
        assert reader.read() == b""
        writer.write(b"x" * 1_000_000)

    assert _run(box, "false", talk=talk).exit == 1


def test_what_talk_raises_comes_out_and_the_program_is_dead(box: Sandbox) -> None:
    def talk(reader: BinaryIO, writer: BinaryIO) -> Never:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        _run(box, "sleep", "60", talk=talk)


@pytest.mark.parametrize("who", ["fill", "collect"])
def test_what_fill_and_collect_raise_comes_out(box: Sandbox, who: str) -> None:
    def fail(_dirfd: int) -> Never:
        raise ZeroDivisionError

    calls = {"fill": _nothing, "collect": _nothing, who: fail}
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(ZeroDivisionError):
        _run(box, "true", **calls)
    assert len(os.listdir("/proc/self/fd")) == before


def test_cancel(box: Sandbox) -> None:
    cancel = threading.Event()
    timer = threading.Timer(0.1, cancel.set)
    timer.start()
    outcome = _run(box, "sleep", "60", cancel=cancel)
    timer.join()
    assert (outcome.limit, outcome.exit, outcome.signal) == ("cancelled", None, None)


def test_many_at_once(box: Sandbox) -> None:
    def one(n: int) -> bytes:
        return _run(box, "sh", "-c", "cat; exit 3", stdin=str(n).encode()).stdout.data

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(40))) == [str(n).encode() for n in range(40)]


def test_nothing_stays_open(box: Sandbox) -> None:
    _run(box, "true")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        _run(box, "true")
    assert len(os.listdir("/proc/self/fd")) == before


def test_every_bound_is_spoken_for(box: Sandbox) -> None:
    keys = {key for key, _ in _run(box, "true").enforced}
    named = (
        "cpu",
        "file",
        "filesystem",
        "memory",
        "network",
        "output",
        "processes",
        "syscalls",
        "wall",
        "workspace",
        "workspace_files",
    )
    assert keys == set(named)


def test_orphans_are_counted(bwrap: Sandbox) -> None:
    assert _run(bwrap, "sh", "-c", "sleep 60 & sleep 60 & exit 0").measured.orphans == 2
    assert _run(bwrap, "true").measured.orphans == 0


def test_without_control_groups_a_watchdog_holds_memory(bwrap: Sandbox) -> None:
    box = BwrapSandbox(drivers._find()[0], None)
    outcome = _run(box, "python3", "-c", "import time\nx = bytearray(300 << 20)\ntime.sleep(60)")
    assert outcome.limit == "memory"
    assert dict(outcome.enforced)["memory"] == "watchdog"


@pytest.mark.parametrize("call", ["os.memfd_create('x')", "shmget(0, 1 << 20, 0o1600)"])
def test_what_the_watchdog_cannot_see_is_not_there(bwrap: Sandbox, call: str) -> None:
    code = f"import ctypes, os\nshmget = ctypes.CDLL(None, use_errno=True).shmget\nprint({call} >= 0, ctypes.get_errno())"
    watched = _run(BwrapSandbox(drivers._find()[0], None), "python3", "-c", code)
    assert b"Function not implemented" in watched.stderr.data or watched.stdout.data == b"False 38\n"
    if dict(bwrap.run(Spec(("true",), {}, LIMITS), fill=_nothing).enforced)["memory"] != "watchdog":
        assert _run(bwrap, "python3", "-c", code).stdout.data == b"True 0\n"


def test_a_workspace_that_does_not_fit_is_an_error_of_ours(bwrap: Sandbox) -> None:
    def fill(dirfd: int) -> None:
        for number in range(20):
            write_file(dirfd, str(number), 0o644, b"x" * (1 << 20))

    with pytest.raises(FillError, match="workspace of 16 MiB: No space left on device"):
        _run(bwrap, "true", fill=fill)


def test_a_workspace_that_fits_to_the_last_page(bwrap: Sandbox) -> None:
    def fill(dirfd: int) -> None:
        for number in range(64):
            write_file(dirfd, f"d{number}/{number}", 0o644, b"x" * ((256 << 10) - 4095))
            write_link(dirfd, f"d{number}/link", "x" * 127)

    assert _run(bwrap, "true", fill=fill).exit == 0


def test_on_start_sees_the_namespaces(bwrap: Sandbox) -> None:
    seen = []
    assert isinstance(bwrap, BwrapSandbox)
    bwrap.run(Spec(("true",), {}, LIMITS), fill=_nothing, on_start=lambda pid: seen.append(os.readlink(f"/proc/{pid}/ns/net")))
    assert seen[0].startswith("net:")
    assert seen[0] != os.readlink("/proc/self/ns/net")


def test_a_killed_tally_takes_the_sandbox_with_it(bwrap: Sandbox, tmp_path: Path) -> None:
    """The program would touch a file through a pipe's end forever: the pipe ends when everything is dead."""
    source = f"""
        import os
        from tallystick.sandbox import *
        from tallystick.sandbox import spec
        limits = Limits(60_000, 256 << 20, 64, 8 << 20, 16 << 20, 500, 1 << 16)
        def say(reader, writer):
            print(reader.readline().decode(), end="", flush=True)
            reader.read()
        argv = ("sh", "-c", "setsid sh -c 'echo up; exec sleep 60' & sleep 60")
        open_sandbox("bwrap").run(Spec(argv, {{}}, limits, mounts=(Mount(Path({str(tmp_path)!r}), "/opt/m"),)),
                                  fill=lambda fd: None, talk=say)
    """
    environment = {**os.environ, "PYTHONPATH": str(Path(drivers.__file__).parents[2])}
    source = "from pathlib import Path\n" + textwrap.dedent(source)
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, env=environment) as tally:
        assert tally.stdout is not None
        assert tally.stdout.readline() == b"up\n"
        assert _mounted(tmp_path)
        tally.send_signal(signal.SIGKILL)
    wait_until(lambda: not _mounted(tmp_path))


def _mounted(folder: Path) -> bool:
    """Whether any process has the folder mounted at /opt/m, which only the sandbox of the test does."""
    for table in Path("/proc").glob("[0-9]*/mountinfo"):
        try:
            if folder.name in table.read_text() and " /opt/m " in table.read_text():
                return True
        except OSError:
            continue
    return False


def test_a_missing_bubblewrap_is_named_with_its_mend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    drivers._find.cache_clear()
    try:
        with pytest.raises(SandboxUnavailableError, match="bubblewrap is not installed; run"):
            open_sandbox("bwrap")
        assert not probe().works
    finally:
        drivers._find.cache_clear()


@pytest.mark.parametrize(("text", "problem"), [("bubblewrap 0.6.1", "too old"), ("nonsense", "does not tell its version")])
def test_a_useless_bubblewrap_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, problem: str) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\necho {text}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    drivers._find.cache_clear()
    try:
        with pytest.raises(SandboxUnavailableError, match=problem):
            open_sandbox("bwrap")
    finally:
        drivers._find.cache_clear()


def test_a_bubblewrap_that_the_kernel_refuses(tmp_path: Path) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    with pytest.raises(SandboxUnavailableError, match="No permissions to create a new namespace"):
        _run(BwrapSandbox(str(program), None), "true")


def test_the_mend_for_a_kernel_that_forbids_user_namespaces(tmp_path: Path) -> None:
    (tmp_path / "kernel").mkdir()
    (tmp_path / "kernel/apparmor_restrict_unprivileged_userns").write_text("1\n")
    assert drivers._mend(tmp_path).startswith("run: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0")


def test_the_mend_for_the_first_windows_subsystem_which_has_no_namespaces(tmp_path: Path) -> None:
    (tmp_path / "kernel").mkdir()
    (tmp_path / "kernel/osrelease").write_text("4.4.0-19041-Microsoft\n")
    assert drivers._mend(tmp_path) == 'run: wsl.exe --set-version "$WSL_DISTRO_NAME" 2'


@pytest.mark.parametrize(
    "bad",
    [
        {"argv": ()},
        {"argv": ("a\0b",)},
        {"argv": ("a",), "env": {"A=B": "c"}},
        {"argv": ("a",), "mask": ("relative",)},
        {"argv": ("a",), "mask": ("/usr/../etc",)},
    ],
)
def test_specs_that_no_driver_could_run(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Spec(**{"env": {}, "limits": LIMITS, **bad})


def test_processor_time_ends_a_program_and_the_clock_alone_does_not(box: Sandbox) -> None:
    limits = dataclasses.replace(LIMITS, cpu_ms=1000, wall_ms=120_000)
    busy = box.run(Spec(("sh", "-c", "while :; do :; done"), {}, limits), fill=lambda _: None)
    assert (busy.limit, busy.exit) == ("cpu", None)
    idle = box.run(Spec(("sleep", "1.5"), {}, limits), fill=lambda _: None)
    assert (idle.limit, idle.exit) == (None, 0)
