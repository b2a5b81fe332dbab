"""The same walls for a tally that root does not run: other means (rlimits, watchdog), same outcomes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="every test here runs as somebody other than root already")
def test_without_root() -> None:
    python = next((path for path in (sys.executable, "/usr/bin/python3") if _usable(path)), None)
    if python is None:
        pytest.skip("nobody but root can start a Python 3.11 here")
    source = Path(__file__).parents[2] / "src"
    done = subprocess.run(
        [python, "-B", "-c", PROGRAM],
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
    assert done.stdout.splitlines() == [
        "0 None 1000 2 b'safe'",
        "0 None  b'safe'",
        "None memory  b'safe'",
        "1 None  b'safe'",
        "None workspace  None",
    ], done.stderr


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
