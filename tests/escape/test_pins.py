"""Programs below the launcher: what is pinned for each kind of program, and what happens to those that fight it."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pytest

from tallystick.sandbox import Mount, Outcome, Pinning, Spec, open_sandbox
from tallystick.sandbox.pinning import TurnFile
from tests.support.pinned import built, compiled, needs_compiler

from .conftest import LIMITS, MIB

pytestmark = needs_compiler

SOURCES = Path(__file__).parent / "programs"
TIMES = " ".join(["1700000000"] * 5) + "\n"
KINDS = {"dynamic": (), "static": ("-static",), "position-independent": ("-static-pie",)}
Run = Callable[..., Outcome]
GENEROUS = replace(LIMITS, wall_ms=60_000, memory_bytes=1024 * MIB, processes=128)


@pytest.fixture
def turns(tmp_path: Path) -> Iterator[TurnFile]:
    file = TurnFile(tmp_path / "turns")
    yield file
    file.close()


@pytest.fixture
def run(turns: TurnFile) -> Run:
    """`run(*argv, mounts=, home=, talk=)` below the launcher -> Outcome; with one argument that has lines it is Python."""

    def go(*argv: str, talk: Callable[[BinaryIO, BinaryIO], None] | None = None, **members: object) -> Outcome:
        words = ("python3", "-c", textwrap.dedent(argv[0])) if len(argv) == 1 and "\n" in argv[0] else argv
        spec = replace(Spec(words, {}, GENEROUS, pinned=Pinning(built().path, turns.path)), **members)
        return open_sandbox("bwrap").run(spec, fill=lambda _: None, talk=talk)

    return go


@pytest.fixture(params=list(KINDS))
def calls(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Mount]:
    """The program that asks in many ways, and the mount it lies in."""
    (tmp_path / "bin").mkdir()
    if compiled(SOURCES / "calls.c", tmp_path / "bin/calls", *KINDS[request.param]) is None:
        pytest.skip(f"needs another program: a C library for {request.param} programs")
    return "/opt/bin/calls", Mount(tmp_path / "bin", "/opt/bin")


def said(outcome: Outcome) -> str:
    assert (outcome.exit, outcome.stderr.data) == (0, b"")
    return outcome.stdout.data.decode()


@pytest.mark.parametrize("how", ["time", "exec", "vfork", "clone3"])
def test_every_clock_of_every_child_shows_the_same(run: Run, calls: tuple[str, Mount], how: str) -> None:
    assert said(run(calls[0], how, mounts=(calls[1],))) == TIMES


def test_deadlines_on_the_real_clock_are_kept(run: Run, calls: tuple[str, Mount]) -> None:
    outcome = run(calls[0], "deadlines", mounts=(calls[1],))
    assert said(outcome) == "wait Connection timed out, early: 0, changed: 0\nsleep Success, early: 0, changed: 0\n"


def test_threads_draw_the_same_numbers(run: Run, calls: tuple[str, Mount]) -> None:
    first, *others = (said(run(calls[0], "random", mounts=(calls[1],))) for _ in range(3))
    assert len(set(first.split())) == 5
    assert others == [first, first]


def test_bad_arguments_end_as_the_kernel_ends_them(run: Run, calls: tuple[str, Mount]) -> None:
    fault, invalid = "-1 14", "-1 22"
    assert said(run(calls[0], "bad", mounts=(calls[1],))).strip() == " ".join([fault, fault, invalid, *[fault] * 4])


def test_a_child_that_nobody_traces_has_no_clock(run: Run, calls: tuple[str, Mount]) -> None:
    assert said(run(calls[0], "untraced", mounts=(calls[1],))) == "-1 Function not implemented\n"


def test_a_program_without_a_c_library(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    assert compiled(SOURCES / "bare.c", tmp_path / "bin/bare", "-static", "-nostdlib")
    outcome = run("/opt/bin/bare", mounts=(Mount(tmp_path / "bin", "/opt/bin"),))
    assert int.from_bytes(outcome.stdout.data, "little") == 1_700_000_000


def test_python_and_node(run: Run) -> None:
    assert said(run("python3", "-c", "import time; print(time.time())")) == "1700000000.0\n"
    if not Path("/usr/bin/node").exists():
        pytest.skip("needs another program: node")
    source = (
        "const {Worker} = require('worker_threads'); console.log(Date.now(), os.release());"
        "new Worker('console.log(Date.now())', {eval: true});"
        "console.log(child_process.execSync('date +%s; exec node -p Date.now\\\\(\\\\)').toString())"
    )
    outcome = run("/usr/bin/node", "-e", source)
    assert said(outcome).split() == ["1700000000000", "6.1.0-tally", "1700000000", "1700000000000", "1700000000000"]


def test_each_answer_moves_the_clock_and_the_files_written_since(run: Run, turns: TurnFile) -> None:
    heard = []

    def talk(reader: BinaryIO, writer: BinaryIO) -> None:
        for _ in range(4):
            heard.append(reader.readline().decode())
            turns.tick()
            writer.write(b"\n")
            writer.flush()

    outcome = run(
        """
        import os, time
        for i in range(4):
            open(f"f{i}", "w").close()
            os.mkdir(f"d{i}")
            found = os.stat(f"f{i}"), os.stat(f"d{i}"), os.stat("f0"), os.fstat(0), os.lstat(f"f{i}"), os.stat(".")
            print(int(time.time()) % 1000, *(int(t.st_mtime) % 1000 for t in found), found[2].st_ctime, flush=True)
            input()
        """,
        talk=talk,
    )
    assert outcome.exit == 0
    assert heard == [f"{10 * i} {10 * i} {10 * i} 0 0 {10 * i} {10 * i} 1700000000.0\n" for i in range(4)]


def test_times_from_before_the_attempt_stay(run: Run) -> None:
    there = Path("/usr/bin/env").stat()
    code = (
        "import os; t = os.stat('/usr/bin/env'); u = os.fstat(os.open('/usr/bin/env', 0)); print(t.st_mtime_ns, u.st_mtime_ns)"
    )
    assert said(run("python3", "-c", code)) == f"{there.st_mtime_ns} {there.st_mtime_ns}\n"
    listed = said(run("stat", "-c", "%Y %Z", "/", "/workspace", "/proc/self", "/tmp", "/dev/shm", "/home/agent"))
    assert {int(number) // 1000 for number in listed.split()} == {1_700_000}


SEEN = """
import ctypes, os, platform, subprocess, tempfile, uuid
print(platform.uname(), platform.platform(), open("/proc/version").read(), open("/proc/sys/kernel/osrelease").read())
print(open("/proc/sys/kernel/random/boot_id").read(), open("/proc/loadavg").read())
print(uuid.uuid4(), uuid.uuid4(), os.urandom(8), id(object()), tempfile.mktemp())
vector = open("/proc/self/auxv", "rb").read()
getauxval = ctypes.CDLL(None).getauxval
getauxval.restype = ctypes.c_ulong
print(ctypes.string_at(getauxval(25), 16), [line.split()[0] for line in open("/proc/self/maps")])
for _ in range(2):
    line = "mktemp -u; uname -a; shuf -i 1-1000 -n 5; ls -a --full-time / | grep -v proc | tr -s ' '"
    print(subprocess.check_output(["sh", "-c", line]))
"""


def test_kernel_name_random_numbers_and_addresses_are_those_of_the_last_run(run: Run) -> None:
    first, second = said(run(SEEN)), said(run(SEEN))
    assert first == second
    assert "Linux" in first
    assert "6.1.0-tally" in first
    draws = next(line for line in first.splitlines() if line.count("-") >= 8 and "b'" in line).split()
    assert draws[0] != draws[1], "one process does not draw the same twice"


def test_siblings_and_later_processes_draw_other_numbers(run: Run) -> None:
    outcome = run("sh", "-c", "for i in 1 2 3; do python3 -c 'import uuid; print(uuid.uuid4())'; done")
    assert len(set(said(outcome).split())) == 3


def test_a_sibling_that_runs_beside_changes_nothing(run: Run) -> None:
    """What a process draws depends on its ancestors' births, not on what runs at the same time."""
    alone = "sleep 0 & python3 -c 'import uuid; print(uuid.uuid4())'; wait"
    beside = "python3 -c 'import os; [os.urandom(9) for _ in range(999)]' & python3 -c 'import uuid; print(uuid.uuid4())'; wait"
    assert said(run("sh", "-c", alone)) == said(run("sh", "-c", beside))


def test_many_short_processes(run: Run) -> None:
    outcome = run(
        "sh", "-c", "i=0; while [ $i -lt 500 ]; do /bin/true & [ $((i % 20)) = 0 ] && wait; i=$((i + 1)); done; wait; echo $i"
    )
    assert said(outcome) == "500\n"


def test_processes_that_are_killed_while_they_start_others(run: Run) -> None:
    outcome = run(
        """
        import os, signal, time
        for _ in range(60):
            child = os.fork()
            if child == 0:
                while True:
                    if os.fork() == 0:
                        os._exit(0)
                    os.waitpid(-1, 0)
            time.sleep(0.003)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        print("all gone", time.time())
        """
    )
    assert said(outcome) == "all gone 1700000000.0\n"


@pytest.mark.parametrize(
    ("command", "code", "number"),
    [("exit 0", 0, None), ("exit 7", 7, None), ("exit 137", 137, None), ("kill -9 $$", None, 9), ("kill -15 $$", None, 15)],
)
def test_ends_are_passed_on(run: Run, command: str, code: int | None, number: int | None) -> None:
    outcome = run("sh", "-c", command)
    assert (outcome.exit, outcome.signal, outcome.measured.orphans) == (code, number, None)


def test_a_program_that_is_missing_or_cannot_be_run(run: Run) -> None:
    missing, closed = run("no-such-program"), run("/etc/passwd")
    assert (missing.exit, missing.stderr.data) == (127, b"tally: no-such-program: not found\n")
    assert (closed.exit, closed.stderr.data) == (126, b"tally: /etc/passwd: Permission denied\n")


def test_signals_stop_continue_and_reach_handlers(run: Run) -> None:
    outcome = run(
        """
        import os, signal, time
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGUSR1, lambda *_: os._exit(5))
            signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getppid(), signal.SIGUSR2))
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            while True: time.sleep(1)
        got = []
        signal.signal(signal.SIGUSR2, lambda *_: got.append("usr2"))
        while not got: time.sleep(0.01)
        os.kill(child, signal.SIGSTOP)
        print(os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1]))
        os.kill(child, signal.SIGUSR1)
        time.sleep(0.05)
        print(os.waitpid(child, os.WNOHANG))
        os.kill(child, signal.SIGCONT)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert said(outcome) == "True\n(0, 0)\n5\n"


def test_signals_for_the_launcher_are_for_the_program(run: Run) -> None:
    outcome = run("sh", "-c", "trap 'echo got it; exit 3' TERM; kill -TERM $PPID; while :; do sleep 0.01; done")
    assert (outcome.exit, outcome.stdout.data) == (3, b"got it\n")


def test_a_killed_launcher_takes_everything_along(run: Run) -> None:
    outcome = run("sh", "-c", "setsid sleep 60 & kill -9 $PPID; sleep 60; echo survived")
    assert (outcome.exit, outcome.signal, outcome.stdout.data) == (None, 9, b"")


def test_what_is_left_over_ends_with_the_program(run: Run) -> None:
    outcome = run("sh", "-c", "setsid sleep 60 & exit 4")
    assert (outcome.exit, outcome.limit) == (4, None)


def test_the_launcher_and_its_file_cannot_be_reached(run: Run) -> None:
    outcome = run(
        """
        import ctypes, os
        launcher = os.getppid()
        calls = ctypes.CDLL(None, use_errno=True)
        for what in ("mem", "maps", "environ", "exe", "fd/0", "map_files", "root"):
            try:
                path = f"/proc/{launcher}/{what}"
                print(what, os.listdir(path) if what == "map_files" else os.open(path, os.O_RDONLY))
            except OSError as error:
                print(what, error.strerror)
        print(calls.ptrace(16, launcher, 0, 0), os.strerror(ctypes.get_errno()))
        print(os.path.exists("/tally/turns"), os.listdir("/proc/self/fd"), os.access("/tally/bin/pin", os.R_OK))
        print([line for line in open("/proc/self/maps") if "turns" in line])
        """
    )
    denied = "Permission denied"
    lines = said(outcome).splitlines()
    assert [line.partition(" ")[2] for line in lines[:7]] == [denied] * 7
    assert lines[7:] == ["-1 Operation not permitted", "False ['0', '1', '2', '3'] False", "[]"]


def test_a_program_that_traces(run: Run) -> None:
    """It is traced already, so it may trace nobody, nor ask to be; it goes on."""
    outcome = run(
        """
        import ctypes, os, time
        calls = ctypes.CDLL(None, use_errno=True)
        said, says = os.pipe()
        child = os.fork()
        if child == 0:
            print(calls.ptrace(0, 0, 0, 0), os.strerror(ctypes.get_errno()), flush=True)
            os.write(says, b"x")
            time.sleep(60)
        os.read(said, 1)
        print(calls.ptrace(16, child, 0, 0), os.strerror(ctypes.get_errno()), time.time())
        os.kill(child, 9)
        """
    )
    assert said(outcome).splitlines() == ["-1 Operation not permitted", "-1 Operation not permitted 1700000000.0"]


def test_a_program_with_a_filter_of_its_own(run: Run) -> None:
    """Stopping a call that the launcher does not know lets it through; forbidding one forbids it."""
    outcome = run(
        """
        import ctypes, os, platform, struct, time
        uname, getppid, openat = (63, 110, 257) if platform.machine() == "x86_64" else (160, 173, 56)
        op = lambda code, value, true=0, false=0: struct.pack("=HBBI", code, true, false, value)
        program = op(0x20, 0)
        for number, verdict in ((getppid, 0x7FF00007), (uname, 0x00050001)):
            program += op(0x15, number, 0, 1) + op(6, verdict)
        program += op(6, 0x7FFF0000)
        calls = ctypes.CDLL(None, use_errno=True)
        held = ctypes.create_string_buffer(program)
        assert calls.prctl(22, 2, struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(held)), 0, 0) == 0
        print(os.getppid() > 0, time.time())
        try:
            os.uname()
        except OSError as error:
            print(error.strerror)
        """
    )
    assert said(outcome) == "True 1700000000.0\nOperation not permitted\n"


def test_a_program_that_closes_its_memory_keeps_running(run: Run) -> None:
    """Nobody can write into it, so the kernel answers it."""
    outcome = run(
        """
        import ctypes, os, time
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
        os.stat("."), os.uname(), os.urandom(4), time.time()
        print("alive")
        """
    )
    assert said(outcome) == "alive\n"


def test_no_right_can_be_gained(run: Run) -> None:
    outcome = run("sh", "-c", "grep -E 'NoNewPrivs|CapEff|Seccomp:' /proc/self/status")
    assert said(outcome) == "CapEff:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n"
    found = shutil.which("su", path="/usr/bin")
    if found:
        assert run(found, "-c", "id").exit != 0


def test_files_of_the_home(run: Run) -> None:
    outcome = run(
        "sh",
        "-c",
        "cd; find . -type f -printf '%p %m %T@ ' -exec cat {} \\; ; stat -c '%n %Y' . .agent; echo more >>.agent/settings",
        home={".agent/settings": b"quiet\n", "x": b"y\n"},
    )
    lines = said(outcome).splitlines()
    assert sorted(lines) == sorted(
        [
            "./.agent/settings 644 1700000000.0000000000 quiet",
            "./x 644 1700000000.0000000000 y",
            ". 1700000000",
            ".agent 1700000000",
        ]
    )
