"""A system call filter: what namespaces do not hold.

Denied, as if the kernel did not have it: sockets of other families than Unix, IPv4, IPv6 and netlink (AF_VSOCK reaches the
host of a virtual machine, whatever the network namespace), kernel key rings (shared with the caller's session), io_uring,
bpf, perf events, userfaultfd, modules, reboot, swap, clocks, kexec, and pushing characters into a terminal (TIOCSTI).
Where no control group counts memory: also files of memory without a name and System V shared memory. They can be held by a
descriptor that is under way in a socket, or by nobody, where no look at a process finds them; /dev/shm and /tmp are counted.
The format is classic BPF, struct sock_filter of linux/filter.h, over struct seccomp_data of linux/seccomp.h.
"""

from __future__ import annotations

import errno
import functools
import platform
import struct
from dataclasses import dataclass
from typing import Final

__all__ = ["program"]

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # BPF_LD|W|ABS, JMP|JEQ|K, JMP|JGE|K, RET|K
_NUMBER, _ARCH, _ARG_0, _ARG_1 = 0, 4, 16, 24  # offsets in seccomp_data; little-endian low halves of the arguments
_ALLOW: Final = 0x7FFF0000
_DENY: Final = 0x00050000  # SECCOMP_RET_ERRNO, the error in the low bits
_X32: Final = 0x40000000
_FAMILIES: Final = (1, 2, 10, 16)  # AF_UNIX, AF_INET, AF_INET6, AF_NETLINK
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C


@dataclass(frozen=True, slots=True)
class _Machine:
    """Numbers of one architecture: audit arch of linux/audit.h, calls of asm/unistd.h."""

    audit: int
    socket: int
    socketpair: int
    ioctl: int
    denied: tuple[int, ...]
    hidden: tuple[int, int, int]
    """memfd_create memfd_secret shmget."""


# denied, in this order: add_key request_key keyctl bpf perf_event_open userfaultfd io_uring_setup io_uring_enter
# io_uring_register init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff settimeofday
# clock_settime clock_adjtime adjtimex acct quotactl open_by_handle_at syslog
_MACHINES: Final = {
    "x86_64": _Machine(
        0xC000003E,
        41,
        53,
        16,
        (
            248,
            249,
            250,
            321,
            298,
            323,
            425,
            426,
            427,
            175,
            313,
            176,
            246,
            320,
            169,
            167,
            168,
            164,
            227,
            305,
            159,
            163,
            179,
            304,
            103,
        ),
        (319, 447, 29),
    ),
    "aarch64": _Machine(
        0xC00000B7,
        198,
        199,
        29,
        (
            217,
            218,
            219,
            280,
            241,
            282,
            425,
            426,
            427,
            105,
            273,
            106,
            104,
            294,
            142,
            224,
            225,
            170,
            112,
            266,
            171,
            89,
            60,
            265,
            116,
        ),
        (279, 447, 194),
    ),
}


@functools.cache
def program(machine: str | None = None, *, watched: bool = False) -> bytes | None:
    """The filter for this machine as an array of struct sock_filter; None for an architecture without a table.

    `watched`: memory is only looked at, so nothing may hold it out of sight.
    """
    numbers = _MACHINES.get(machine or platform.machine())
    if numbers is None:
        return None
    deny = _op(_RETURN, _DENY | errno.ENOSYS)
    code = [_op(_LOAD, _ARCH), _op(_EQUAL, numbers.audit, 1, 0), deny]  # no second ABI: its numbers mean other calls
    code += [_op(_LOAD, _NUMBER), _op(_AT_LEAST, _X32, 0, 1), deny]
    for number in (*numbers.denied, *(numbers.hidden if watched else ())):
        code += [_op(_EQUAL, number, 0, 1), deny]
    family = [_op(_LOAD, _ARG_0), *(_op(_EQUAL, known, len(_FAMILIES) - i, 0) for i, known in enumerate(_FAMILIES))]
    family += [_op(_RETURN, _DENY | errno.EAFNOSUPPORT), _op(_RETURN, _ALLOW)]
    terminal = [_op(_LOAD, _ARG_1), _op(_EQUAL, _TIOCSTI, 1, 0), _op(_EQUAL, _TIOCLINUX, 0, 1)]
    terminal += [_op(_RETURN, _DENY | errno.EPERM), _op(_RETURN, _ALLOW)]
    for number, block in ((numbers.socket, family), (numbers.socketpair, family), (numbers.ioctl, terminal)):
        code += [_op(_EQUAL, number, 0, len(block)), *block]
    return b"".join([*code, _op(_RETURN, _ALLOW)])


def _op(code: int, value: int, jump_true: int = 0, jump_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, jump_true, jump_false, value)
