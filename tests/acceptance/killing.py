"""A run of forty cheap attempts that can be killed at any moment, and what must hold of its folder afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tallystick.sandbox import cgroup
from tests.acceptance.support import CLI
from tests.support.waiting import wait_until

__all__ = [
    "SCRIPT",
    "Work",
    "leftover_groups",
    "leftover_processes",
    "leftover_scratch",
    "wait_for_attempt",
    "write_suite",
]

TASKS = ("alpha", "beta", "gamma", "delta", "omega")
SCRIPT = "printf 'two\\n' > out.txt; mkdir -p deep && head -c 5000 /dev/zero > deep/zeros\n"


def write_suite(folder: Path) -> Path:
    """Five tasks; the last one runs a command in the grade pass, the others are checked from bytes."""
    for task in TASKS:
        place = folder / "smoke" / task
        (place / "workspace").mkdir(parents=True)
        (place / "workspace" / "in.txt").write_text(f"{task}\n")
        (place / "solution").mkdir()
        (place / "solution" / "out.txt").write_text("two\n")
        executed = "- {kind: command, id: runs, argv: [test, -s, out.txt]}\n" if task == TASKS[-1] else ""
        text = (
            f"---\ntitle: {task}\nassertions:\n- {{kind: contains, path: out.txt, text: two}}\n{executed}---\nWrite out.txt.\n"
        )
        (place / "task.md").write_text(text)
    (folder / "suite.yaml").write_text(f"version: forty-v1\norder: [{', '.join(TASKS)}]\n")
    return folder


@dataclass
class Work:
    """One folder in which the same command is started again and again. `seen` holds every finished attempt ever seen."""

    folder: Path
    env: Mapping[str, str]
    suite: Path
    seen: dict[str, tuple[int, int, bytes]] = field(default_factory=dict)
    pids: set[int] = field(default_factory=set)

    @property
    def command(self) -> list[str]:
        agent = f"scripted:{self.folder.parent / 'agent.sh'}"
        line = ["run", str(self.suite), "--agent", agent, "-k", "8", "--out", "b.json", "--quiet", "--workers", "2"]
        return [sys.executable, "-P", "-c", CLI, *line]

    def start(self) -> subprocess.Popen[bytes]:
        """Start the command in a session of its own."""
        self.folder.mkdir(exist_ok=True)
        with (self.folder / "said").open("wb") as said:
            return subprocess.Popen(self.command, cwd=self.folder, env=dict(self.env), stdout=said, stderr=said)

    def kill_after(self, seconds: float) -> bool:
        """Start and kill the command; False when it had ended before."""
        process = self.start()
        self.pids.add(process.pid)
        time.sleep(seconds)
        early = process.poll() is None
        process.send_signal(signal.SIGKILL)
        code = process.wait()
        assert early or code == 0, (self.folder / "said").read_text()
        return early

    def finish(self) -> float:
        """Run the command to its end; returns the seconds it took."""
        begin = time.monotonic()
        assert self.start().wait(300) == 0, (self.folder / "said").read_text()
        return time.monotonic() - begin

    def check_finished(self) -> None:
        """No finished attempt is gone, changed or written anew since it was first seen."""
        now = {}
        for path in (self.folder / ".tally/runs").glob("*/attempts/*.json"):
            stat = path.stat()
            now[f"{path.parent.parent.name}/{path.name}"] = (stat.st_ino, stat.st_mtime_ns, path.read_bytes())
        for name, known in self.seen.items():
            assert now.get(name) == known, f"{name} was finished and is not as it was"
        self.seen = now


def wait_for_attempt(folder: Path, task: str = "") -> None:
    """Wait until an attempt, at a task whose name begins with `task`, is under way in a run somewhere below `folder`."""

    def begun() -> bool:
        # os.walk passes over what goes away under it: the folder of a run gets its name once it is whole
        places = (names for place, _, names in os.walk(folder) if Path(place).name == "begun")
        return any(name.startswith(task) for names in places for name in names)

    wait_until(begun)


def leftover_processes(mark: str) -> list[str]:
    """Command lines of processes that name `mark` or work below it; the agents of these tests name their folder."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        if int(folder.name) == os.getpid():
            continue
        try:
            told = (folder / "cmdline").read_bytes()
            if mark.encode() in told + (folder / "environ").read_bytes() or mark in str((folder / "cwd").readlink()):
                found.append(told.replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            continue
    return found


def leftover_groups(pids: set[int]) -> list[Path]:
    """Control groups that these processes made."""
    host = cgroup.detect()
    parents = {parent for parent in (host.memory, host.processes) if parent} if host else set()
    groups = [group for parent in parents for group in parent.glob("tallystick-*-*")]
    return [group for group in groups if int(group.name.split("-")[1]) in pids]


def leftover_scratch(folder: Path) -> list[Path]:
    """Half-written files."""
    return [path for path in folder.rglob(".*") if path.name not in {".tally", ".config"}]
