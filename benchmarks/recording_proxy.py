"""A yardstick for the gateway: mitmproxy as a recording reverse proxy, where its `mitmdump` is on PATH."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.measure import environment

__all__ = ["PROGRAM", "recording_proxy"]

PROGRAM: Final = shutil.which("mitmdump")
START_S: Final = 30


@contextlib.contextmanager
def recording_proxy(folder: Path, url: str) -> Iterator[str]:
    """The address of a proxy that passes everything on to `url` and writes it to a file."""
    assert PROGRAM is not None  # callers look
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    # Where --mode reverse points is the provider; -w writes every flow.
    argv = [
        PROGRAM,
        "--mode",
        f"reverse:{url}",
        "--listen-host",
        "127.0.0.1",
        "-p",
        str(port),
        "-q",
        "-w",
        str(folder / "flows"),
    ]
    env = {name: value for name, value in environment(folder).items() if name != "PYTHONPATH"}  # it has modules of its own
    with subprocess.Popen(argv, env=env) as process:
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + START_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return
