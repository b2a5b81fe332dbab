"""What a figure was measured on."""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path


def describe() -> str:
    """Processor, cores, kernel, Python, bubblewrap, and how long the disk takes to make 4 KiB durable."""
    return (
        f"{_model()}, {len(os.sched_getaffinity(0))} cores; Linux {platform.release()}; {_python()}; {_bubblewrap()}; "
        f"fsync {_fsync() * 1000:.1f} ms; load {os.getloadavg()[0]:.1f} at the start"
    )


def _model() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _python() -> str:
    return f"{platform.python_implementation()} {platform.python_version()}"


def _bubblewrap() -> str:
    program = shutil.which("bwrap")
    return "no bubblewrap" if program is None else subprocess.check_output([program, "--version"], text=True).strip()


def _fsync(rounds: int = 11) -> float:
    """Median seconds to write a new file of 4 KiB and flush it to disk, where temporary files are."""
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            with (Path(folder) / str(number)).open("wb") as file:
                file.write(bytes(4096))
                file.flush()
                begin = time.perf_counter()
                os.fsync(file.fileno())
                taken.append(time.perf_counter() - begin)
    return statistics.median(taken)
