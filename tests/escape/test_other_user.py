"""The same walls for a tally that root does not run: other means (rlimits, watchdog), same outcomes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.pinned import needs_compiler

PROGRAM = """
import os
from tallystick.sandbox import Limits, Spec, open_sandbox
from tallystick.sandbox.workspace import FoundFile, walk, write_file

LIMITS = Limits(3_000, 64 << 20, 16, 1 << 20, 4 << 20, 100, 4096)

def run(source):
    files = {}
    def collect(dirfd):
        for found in walk(dirfd, LIMITS):
            if isinstance(found, FoundFile):
                files[found.path] = os.read(found.fd, 100)
    spec = Spec(("python3", "-c", source), {}, LIMITS)
    outcome = open_sandbox("bwrap").run(spec, fill=lambda fd: write_file(fd, "kept", 0o644, b"safe"), collect=collect)
    print(outcome.exit, outcome.limit, outcome.stdout.data.decode().strip(), files.get(b"kept"))

run("import os; print(os.getuid(), len([p for p in os.listdir('/proc') if p.isdigit()]))")
run("import os; os.chmod('kept', 0); os.chmod('.', 0)")
run("import time; x = bytearray(100 << 20); time.sleep(60)")
run("import subprocess, sys; [subprocess.Popen(['sleep', '9']) for _ in range(50)]")
run("import os; [os.mkdir(str(n)) for n in range(1000)]; import time; time.sleep(60)")
run("import os; fds = [os.memfd_create('x') for n in range(9)]; [os.write(fd, b'x' * (1 << 20)) for fd in fds]")
run("import os; print(os.path.exists('/proc/1/status'), os.access('/proc/1/fd', os.R_OK)); open('/proc/1/fd/9', 'w')")
"""

PINNED = """
import tempfile
from pathlib import Path
from tallystick.sandbox import Limits, Pinning, Spec, open_sandbox
from tallystick.sandbox.pinning import TurnFile, launcher

folder = tempfile.TemporaryDirectory()
turns = TurnFile(Path(folder.name) / "turns")
turns.tick()
found = launcher(Path(folder.name))
source = "import os, time; open('f', 'w').close(); print(time.time(), os.stat('f').st_mtime, os.uname().release, os.getppid())"
spec = Spec(
    ("python3", "-c", source),
    {},
    Limits(9_000, 256 << 20, 16, 1 << 20, 4 << 20, 100, 4096),
    home={"a/b": b""},
    pinned=Pinning(found.path, turns.path),
)
outcome = open_sandbox("bwrap").run(spec, fill=lambda fd: None)
print(outcome.stdout.data.decode(), outcome.stderr.data.decode(), outcome.exit)
folder.cleanup()
"""

STRAY = """
import os, signal, time
from pathlib import Path
from tallystick.sandbox import probe
from tallystick.sandbox.process import Pipe, memory_file, spawn, wait_readable
from tallystick.sandbox.strays import SANDBOX_ARGV, end_strays

options = "--unshare-user --unshare-pid --as-pid-1 --ro-bind / / --proc /proc --block-fd 5".split()
block, words = Pipe(), memory_file("\\0".join((*options, "")).encode())
monitor = spawn(probe().program, [*SANDBOX_ARGV, "sleep 60"], {0: 0, 1: 1, 2: 2, 3: words, 5: block.reader}, {})
while not (children := Path(f"/proc/{monitor.pid}/task/{monitor.pid}/children").read_text().split()):
    time.sleep(0.001)
child = os.pidfd_open(int(children[0]))
end_strays()
print("spared", not wait_readable(child, 0.2))
monitor.kill()
monitor.reap()
end_strays()
print("ended", wait_readable(child, 10))
"""


def test_without_root() -> None:
    assert _ordinary(PROGRAM) == [
        "0 None 1000 2 b'safe'",
        "0 None  b'safe'",
        "None memory  b'safe'",
        "1 None  b'safe'",
        "None workspace  None",
        "1 None  b'safe'",
        "1 None True False b'safe'",
    ]


@needs_compiler
def test_pins_without_root() -> None:
    assert _ordinary(PINNED) == ["1700000010.0 1700000010.0 6.1.0-tally 2", "  0"]


def test_strays_of_an_ordinary_user_are_ended() -> None:
    assert _ordinary(STRAY) == ["spared True", "ended True"]


def _ordinary(program: str) -> list[str]:
    """The lines that a Python program prints when nobody runs it; what it says on stderr is shown when a test fails."""
    if os.geteuid() != 0:
        pytest.skip("every test here runs as somebody other than root already")
    python = next((path for path in (sys.executable, "/usr/bin/python3") if _usable(path)), None)
    if python is None:
        pytest.skip("nobody but root can start a Python 3.11 here")
    source = Path(__file__).parents[2] / "src"
    done = subprocess.run(
        [python, "-B", "-c", program],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(source)},
        user=65534,
        group=65534,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )
    if "bubblewrap cannot build the sandbox" in done.stderr:
        pytest.skip(f"only root may use namespaces here: {done.stderr.splitlines()[-1]}")
    print(done.stderr)
    return done.stdout.splitlines()


def _usable(python: str) -> bool:
    """Whether an ordinary user can run it, and it is new enough and finds our source."""
    source = Path(__file__).parents[2] / "src"
    code = "import sys; assert sys.version_info >= (3, 11); import tallystick.sandbox"
    try:
        done = subprocess.run(
            [python, "-B", "-c", code], user=65534, env={"PYTHONPATH": str(source)}, capture_output=True, check=False
        )
    except OSError:
        return False
    return done.returncode == 0
