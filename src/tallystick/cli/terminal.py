"""The person's terminal as the other end of a sandboxed one: raw while the conversation lasts, restored whatever happens."""

from __future__ import annotations

import os
import select
import shutil
import termios
import tty
from typing import BinaryIO, Final

from tallystick.flows.task_try import Terminal

__all__ = ["open_terminal"]

_CHUNK: Final = 65536


def open_terminal(source: int, target: int) -> Terminal:
    """The terminal whose keys are read from descriptor `source` and whose screen is `target`."""

    def talk(reader: BinaryIO, writer: BinaryIO) -> None:
        before = termios.tcgetattr(source)
        tty.setraw(source)
        try:
            _carry(source, target, reader, writer)
        finally:
            termios.tcsetattr(source, termios.TCSADRAIN, before)

    size = shutil.get_terminal_size()
    return Terminal(talk, rows=size.lines, columns=size.columns)


def _carry(source: int, target: int, reader: BinaryIO, writer: BinaryIO) -> None:
    """Copy both ways until the program has ended."""
    watched = [reader.fileno(), source]
    while True:
        ready, _, _ = select.select(watched, [], [])
        if reader.fileno() in ready:
            data = os.read(reader.fileno(), _CHUNK)
            if not data:
                return
            _write_all(target, data)
        if source in ready:
            data = os.read(source, _CHUNK)
            if not data:  # the terminal was closed
                watched.remove(source)
                writer.close()
                continue
            writer.write(data)
            writer.flush()


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]
