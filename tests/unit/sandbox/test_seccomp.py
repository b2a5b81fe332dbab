"""The filter, run by a small interpreter of classic BPF."""

from __future__ import annotations

import errno
import struct

import pytest

from tallystick.sandbox import seccomp

ALLOW = 0x7FFF0000
X86, ARM = 0xC000003E, 0xC00000B7


def _judge(program: bytes, arch: int, number: int, *args: int) -> int:
    """What the kernel would return for a call; follows linux/filter.h."""
    data = struct.pack("=IIQ6Q", number, arch, 0, *(args + (0,) * 6)[:6])
    code = list(struct.iter_unpack("=HBBI", program))
    at = value = 0
    while True:
        op, true, false, k = code[at]
        at += 1
        match op:
            case 0x20:
                (value,) = struct.unpack_from("=I", data, k)
            case 0x15:
                at += true if value == k else false
            case 0x35:
                at += true if value >= k else false
            case 0x06:
                return k
            case _:
                raise AssertionError(op)


def _deny(number: int) -> int:
    return 0x00050000 | number


@pytest.mark.parametrize(("machine", "arch", "keyctl", "sock"), [("x86_64", X86, 250, 41), ("aarch64", ARM, 219, 198)])
def test_calls(machine: str, arch: int, keyctl: int, sock: int) -> None:
    program = seccomp.program(machine)
    assert program is not None
    assert _judge(program, arch, keyctl) == _deny(errno.ENOSYS)
    assert [_judge(program, arch, sock, family) for family in (1, 2, 10, 16)] == [ALLOW] * 4
    assert {_judge(program, arch, sock, family) for family in (0, 3, 17, 38, 40, 2**31)} == {_deny(errno.EAFNOSUPPORT)}
    assert _judge(program, arch, 999) == ALLOW


@pytest.mark.parametrize(("machine", "arch", "ioctl"), [("x86_64", X86, 16), ("aarch64", ARM, 29)])
def test_terminals_take_no_characters(machine: str, arch: int, ioctl: int) -> None:
    program = seccomp.program(machine)
    assert program is not None
    assert _judge(program, arch, ioctl, 0, 0x5412) == _deny(errno.EPERM)
    assert _judge(program, arch, ioctl, 0, 0x5412 | 1 << 40) == _deny(errno.EPERM)  # the kernel drops the high half too
    assert _judge(program, arch, ioctl, 0, 0x5413) == ALLOW


@pytest.mark.parametrize(("machine", "arch", "calls"), [("x86_64", X86, (319, 447, 29)), ("aarch64", ARM, (279, 447, 194))])
def test_memory_out_of_sight_is_denied_where_memory_is_only_watched(machine: str, arch: int, calls: tuple[int, ...]) -> None:
    open_program, watched = seccomp.program(machine), seccomp.program(machine, watched=True)
    assert open_program is not None
    assert watched is not None
    assert {_judge(open_program, arch, call) for call in calls} == {ALLOW}
    assert {_judge(watched, arch, call) for call in calls} == {_deny(errno.ENOSYS)}
    assert _judge(watched, arch, 1000) == ALLOW


def test_other_abis_are_refused_whole() -> None:
    program = seccomp.program("x86_64")
    assert program is not None
    assert _judge(program, 0x40000003, 20) == _deny(errno.ENOSYS)
    assert _judge(program, X86, 0x40000000 | 1) == _deny(errno.ENOSYS)


def test_a_machine_without_a_table_has_no_filter() -> None:
    assert seccomp.program("riscv64") is None
