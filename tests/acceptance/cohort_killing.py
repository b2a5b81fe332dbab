"""Runs command lines of tally, each in a process that kills itself (SIGKILL) at the n-th thing it does to a folder.

    python cohort_killing.py

reads an order a line, a JSON object with `words`, `root` (the working directory), `home`, `said` (the file for what it says),
`number`, and `folders`; it answers each with a line: the exit code, negative for a signal. Orders share what is imported once.

What counts is told by the interpreter's own audit events, so that no part of tally knows of it: opening for writing, naming,
removing and making folders below one of `folders`, and locking. With the number 0 nothing is killed, and the last line that is
said is the number of such things.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tallystick.cli.main import run
from tests.acceptance.support import environment

__all__ = ["Killer", "killer"]

EVENTS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "fcntl.flock"}
SHARED = ("tallystick.cli.cohort_evidence", "tallystick.flows.cohort.attaching", "tallystick.flows.cohort.negatives")


@dataclass(frozen=True)
class Killer:
    """A running process of this file."""

    orders: IO[str]
    answers: IO[str]

    def run(self, words: list[str], root: Path, home: Path, number: int = 0, folders: tuple[Path, ...] = ()) -> tuple[int, str]:
        """Run `tally WORDS`; (exit code, what it said)."""
        said = home / "said.txt"
        order = {"words": words, "root": str(root), "home": str(home), "said": str(said), "number": number}
        watched = [str(folder.resolve()) for folder in folders or (root,)]
        self.orders.write(json.dumps({**order, "folders": watched}) + "\n")
        self.orders.flush()
        return int(self.answers.readline()), said.read_text()


@contextmanager
def killer(folder: Path) -> Iterator[Killer]:
    """A process that runs commands and kills them; it is started in `folder`."""
    here = Path(__file__).resolve()
    env = {**environment(folder), "PYTHONPATH": os.pathsep.join((str(here.parents[2] / "src"), str(here.parents[2])))}
    line = [sys.executable, str(here)]
    with subprocess.Popen(line, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Killer(process.stdin, process.stdout)
        process.stdin.close()


def serve() -> None:
    """Answer orders until there are no more."""
    for name in SHARED:
        importlib.import_module(name)
    for line in sys.stdin:
        pid = os.fork()
        if not pid:
            os._exit(obey(json.loads(line)))
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def obey(order: dict[str, Any]) -> int:
    """Be the process of one order."""
    said = os.open(order["said"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream, fd in enumerate((nothing, nothing, said)):
        os.dup2(fd, stream)
    home = Path(order["home"])
    env = environment(home, TMPDIR=str(temporary(home)))
    os.environ.clear()
    os.environ.update(env)
    tempfile.tempdir = None
    os.chdir(order["root"])
    done = watch(tuple(order["folders"]), order["number"])
    code = run(order["words"])
    sys.stdout.flush()
    sys.stderr.flush()
    if order["number"] == 0:
        os.write(2, f"{len(done)}\n".encode())
    return code


def temporary(home: Path) -> Path:
    """Where a command has its temporary folders."""
    folder = home / "tmp"
    folder.mkdir(exist_ok=True)
    return folder


def watch(folders: tuple[str, ...], number: int) -> list[str]:
    """Count what is done to these folders, and kill this process at the `number`-th thing."""
    done: list[str] = []

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event not in EVENTS:
            return
        if event != "fcntl.flock" and not str(arguments[0]).startswith(folders):
            return
        if event == "open" and not int(str(arguments[2])) & (os.O_WRONLY | os.O_RDWR):
            return
        done.append(event)
        if len(done) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    return done


if __name__ == "__main__":
    serve()
