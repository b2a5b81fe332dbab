"""Runs one command line of tally and kills its own process (SIGKILL) at the n-th thing it does to a folder.

    python cohort_killing.py FOLDER N COMMAND...

What counts is told by the interpreter's own audit events, so that no part of tally knows of it: opening for writing, naming,
removing and making folders below FOLDER, and locking. With N = 0 nothing
is killed, and the last line on standard error is the number of such things.
"""

from __future__ import annotations

import os
import signal
import sys

from tallystick.cli.main import run

EVENTS = {"open", "os.rename", "os.remove", "os.mkdir", "os.link", "fcntl.flock"}


def main(folder: str, number: int, words: list[str]) -> int:
    """Watch, and run tally."""
    done = 0

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal done
        if event not in EVENTS:
            return
        if event != "fcntl.flock" and not str(arguments[0]).startswith(folder):
            return
        if event == "open" and not int(str(arguments[2])) & (os.O_WRONLY | os.O_RDWR):
            return
        done += 1
        if done == number:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
    code = run(words)
    if number == 0:
        sys.stderr.write(f"{done}\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
