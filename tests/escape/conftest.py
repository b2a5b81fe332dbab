"""Hostile programs in the real sandbox. A fixture runs one and reads the workspace it left, as the seal would."""

from __future__ import annotations

import os
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tallystick.sandbox import Limits, Mount, Outcome, Spec, open_sandbox, probe
from tallystick.sandbox.workspace import FoundFile, FoundLink, Refused, walk, write_file

MIB = 1 << 20
LIMITS = Limits(
    wall_ms=20_000,
    memory_bytes=256 * MIB,
    processes=64,
    file_bytes=8 * MIB,
    workspace_bytes=16 * MIB,
    workspace_files=500,
    output_bytes=64 * 1024,
)


@dataclass
class Seen:
    """How a hostile program ended, and what the walk found afterwards."""

    outcome: Outcome = field(init=False)
    files: dict[bytes, bytes] = field(default_factory=dict)
    modes: dict[bytes, int] = field(default_factory=dict)
    links: dict[bytes, bytes] = field(default_factory=dict)
    refused: dict[bytes, str] = field(default_factory=dict)

    @property
    def said(self) -> str:
        return self.outcome.stdout.data.decode()

    def collect(self, dirfd: int, limits: Limits) -> None:
        for found in walk(dirfd, limits):
            match found:
                case FoundFile():
                    self.modes[found.path] = found.mode
                    with open(found.fd, "rb", closefd=False) as file:
                        self.files[found.path] = file.read()
                case FoundLink():
                    self.links[found.path] = found.target
                case Refused():
                    self.refused[found.path] = found.reason


Attack = Callable[..., Seen]


@pytest.fixture(scope="session", autouse=True)
def bubblewrap_works() -> None:
    seen = probe()
    if not seen.works:
        pytest.skip(f"bubblewrap cannot start here: {seen.problem}")


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """No control group, no process of ours and no open descriptor survives any test here."""
    before = _traces()
    yield
    assert _traces() == before


def _traces() -> tuple[set[str], int]:
    own = {line.split(":", 2)[2] for line in Path("/proc/self/cgroup").read_text().splitlines()}
    root = Path("/sys/fs/cgroup")
    folders = [root / name / path[1:] for path in own for name in ("memory", "pids", ".")]
    groups = {str(group) for folder in folders for group in folder.glob(f"tallystick-{os.getpid()}-*")}
    return groups, len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture
def attack() -> Attack:
    """`attack(python_source, files={path: bytes}, limits=, mounts=, mask=, env=, argv=)` -> Seen."""

    def run(  # noqa: PLR0913 - each test names the one or two it needs
        source: str = "",
        *,
        files: Mapping[str, bytes] | None = None,
        limits: Limits = LIMITS,
        mounts: tuple[Mount, ...] = (),
        mask: tuple[str, ...] = (),
        env: Mapping[str, str] | None = None,
        argv: tuple[str, ...] = (),
        cancel: threading.Event | None = None,
    ) -> Seen:
        def fill(dirfd: int) -> None:
            for path, data in (files or {}).items():
                write_file(dirfd, path, 0o644, data)

        seen = Seen()
        argv = argv or ("python3", "-c", textwrap.dedent(source))
        spec = Spec(argv, env or {}, limits, mounts=mounts, mask=mask)
        seen.outcome = open_sandbox("bwrap").run(
            spec, fill=fill, collect=lambda dirfd: seen.collect(dirfd, limits), cancel=cancel
        )
        return seen

    return run
