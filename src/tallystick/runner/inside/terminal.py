"""A terminal inside the sandbox: starts a program on a pty of its own and carries its bytes over stdin and stdout.

    terminal.py ROWS COLUMNS PROGRAM ARGUMENTS...

Nothing of the caller's terminal reaches the program but bytes: it cannot push characters into it or change its settings.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import termios

CHUNK = 65536


def carry(master: int) -> None:
    """Copy both ways until the program's side of the pty is closed."""
    sources = [0, master]
    while True:
        ready, _, _ = select.select(sources, [], [])
        if master in ready:
            try:
                data = os.read(master, CHUNK)
            except OSError:  # EIO: nobody has the other side open
                return
            if not data:
                return
            write(1, data)
        if 0 in ready:
            data = os.read(0, CHUNK)
            if not data:
                sources.remove(0)
            write(master, data or b"\x04")  # the end of the input is Ctrl-D on a terminal


def write(fd: int, data: bytes) -> None:
    """Write all of it."""
    while data:
        data = data[os.write(fd, data) :]


def main(argv: list[str]) -> int:
    """The program's exit code, 128 and the signal's number where one ended it."""
    rows, columns = int(argv[1]), int(argv[2])
    child, master = pty.fork()
    if child == 0:
        os.execvp(argv[3], argv[3:])  # noqa: S606 - no shell is wanted
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    carry(master)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv))
