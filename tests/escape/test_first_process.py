"""Process 1 holds the pipe through which the end of a program is told: the program must not reach it."""

from __future__ import annotations

import pytest

from .conftest import Attack

REACH = """
import ctypes, os
calls = ctypes.CDLL(None, use_errno=True)

def refused(what):
    try:
        what()
    except PermissionError:
        return True
    except OSError as error:
        return error.strerror
    return False

for name in ("fd/0", "fd/8", "fd/9", "mem", "environ", "maps", "exe", "root/workspace"):
    print(name, refused(lambda: os.open(f"/proc/1/{name}", os.O_WRONLY if name[:2] == "fd" else os.O_RDONLY)))
print("ptrace", calls.ptrace(16, 1, 0, 0), ctypes.get_errno())
print("pidfd_getfd", calls.syscall(438, os.pidfd_open(1), 9, 0), ctypes.get_errno())
print("shell", refused(lambda: open("/tally/sh", "rb")), os.access("/tally/sh", os.X_OK))
"""
CAPABILITIES = "import re; print(set(re.findall(r'Cap\\w+:\\s+(\\w+)', open('/proc/self/status').read())))"


def test_nothing_of_it_can_be_opened(attack: Attack) -> None:
    seen = attack(REACH)
    assert seen.said.splitlines() == [
        *(f"{name} True" for name in ("fd/0", "fd/8", "fd/9", "mem", "environ", "maps", "exe", "root/workspace")),
        "ptrace -1 1",
        "pidfd_getfd -1 1",
        "shell True True",
    ], seen.outcome.stderr


def test_no_capability_is_left_or_can_be_had(attack: Attack) -> None:
    assert attack(CAPABILITIES).said == "{'0000000000000000'}\n"


@pytest.mark.parametrize("forged", [b"0 " + b"1" * 65533 + b"\n", b"0 7\n", b"Killed\n"])
def test_a_forged_report_changes_nothing(attack: Attack, forged: bytes) -> None:
    seen = attack(
        f"""
        import os, signal
        for fd in range(3, 64):
            for path in (f"/proc/1/fd/{{fd}}", f"/proc/self/fd/{{fd}}"):
                try:
                    os.write(os.open(path, os.O_WRONLY | os.O_NONBLOCK), {forged!r})
                except OSError:
                    pass
        os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    assert (seen.outcome.exit, seen.outcome.signal, seen.outcome.measured.orphans) == (None, 9, 0)
