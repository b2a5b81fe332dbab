"""The launcher that pins what a program sees of the machine: built from the C source in `pin/` on first use.

`launcher` gives it or says why not, `TurnFile` is the clock that it shows. What it pins, and how, stands in `pin/pin.h`.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import platform
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.core.digest import Digest, Hasher
from tallystick.core.errors import os_reason
from tallystick.sandbox.drivers import install_command
from tallystick.sandbox.spec import Pinning

__all__ = ["PINS", "Launcher", "Pinning", "TurnFile", "find_built", "find_compiler", "launcher", "source_digest"]

PINS: Final = ("addresses", "clock", "kernel", "random")
"""What the launcher pins, in the order of the alphabet."""

_SOURCE: Final = Path(__file__).parent / "pin"
_MACHINES: Final = ("aarch64", "x86_64")
_COMPILERS: Final = ("cc", "gcc", "clang")
_SYSTEM_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_FLAGS: Final = ("-std=gnu11", "-O2", "-s")
_COMPILE_S: Final = 120
_TEST_S: Final = 20
_PROBE: Final = re.compile(
    r"clock 1700000000 1700000000\nstat 1700000000\nkernel 6\.1\.0-tally #1 SMP\n"
    r"random [0-9a-f]{16} [0-9a-f]{4}\naddresses 1\n"
)
"""What `pin --probe` says below the launcher."""
_PACKAGES: Final = {"apt-get": "gcc libc6-dev", "dnf": "gcc glibc-devel", "apk": "gcc musl-dev linux-headers"}

_TURNS_BYTES: Final = 65_536
_MOST_INSTANTS: Final = _TURNS_BYTES // 8 - 2
_STAMPS: Final = 5
"""CLOCK_REALTIME_COARSE of linux/time.h: what the kernel writes into a file's times. It moves with the kernel's tick."""
_TICK_S: Final = 0.0005
_LONGEST_TICK_S: Final = 0.1
"""The slowest kernels tick every 10 ms."""


@dataclass(frozen=True, slots=True)
class Launcher:
    """A launcher that has shown that it works here. `digest` is that of its source."""

    path: Path
    digest: Digest
    arch: str


class TurnFile:
    """The clock that the launcher shows: it moves by ten seconds with every answer of a model.

    A file of 64-bit numbers: [0] answers delivered, [1] when the attempt began, [2..] when each was delivered, in nanoseconds
    of the clock that files are stamped with. Times of files are told by these instants. The attempt begins when this is made,
    which has to be before its workspace is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            os.ftruncate(fd, _TURNS_BYTES)
            self._map = mmap.mmap(fd, _TURNS_BYTES)
        finally:
            os.close(fd)
        self._numbers = memoryview(self._map).cast("q")  # each number is written whole, in the machine's order: little-endian
        self.start()

    @property
    def count(self) -> int:
        """Answers delivered."""
        return self._numbers[0]

    def start(self) -> None:
        """The attempt begins. The first call counts; the file's maker has made it."""
        with self._lock:
            if self._numbers[1] == 0:
                self._numbers[1] = time.clock_gettime_ns(_STAMPS)

    def tick(self) -> None:
        """An answer is about to be delivered. Returns after up to two ticks of the kernel (mostly of 4 ms, at most of 10).

        Files are stamped with the time of the last tick. What was written before this call has to be older than the answer, and
        what is written after it returned must not be, so it waits for the next.
        """
        with self._lock:
            instant = _next_stamp()
            count = self._numbers[0]
            if count < _MOST_INSTANTS:
                self._numbers[2 + count] = instant
            self._numbers[0] = count + 1

    def close(self) -> None:
        """Let go of the file; it stays where it is."""
        with self._lock:
            self._numbers.release()
            self._map.close()


def _next_stamp() -> int:
    """The first stamp that is younger than every file of this moment; some kernels stamp a file that is watched to the ns."""
    begin = time.time_ns()
    deadline = time.monotonic() + _LONGEST_TICK_S
    while (now := time.clock_gettime_ns(_STAMPS)) <= begin and time.monotonic() < deadline:
        time.sleep(_TICK_S)
    return now


def launcher(cache: Path) -> Launcher | str:
    """The launcher in the user's folder `cache`, built and tried out when it is not there; else why not, with the mend.

    A launcher is known by its source, so one that is there was built from these bytes and has passed its test.
    """
    arch = platform.machine()
    if platform.system() != "Linux" or arch not in _MACHINES:
        return f"the clock is pinned on Linux for {' and '.join(_MACHINES)} only, and this is {platform.system()} on {arch}"
    found = _place(cache)
    if _is_there(found):
        return found
    compiler = find_compiler()
    if compiler is None:
        return f"the clock is pinned by a small program in C, and there is no compiler; run: {_install()}"
    return _build(compiler, found.path) or found


def find_built(cache: Path) -> Launcher | None:
    """The launcher that was built in `cache` before."""
    found = _place(cache)
    return found if _is_there(found) else None


def _place(cache: Path) -> Launcher:
    arch, digest = platform.machine(), source_digest()
    return Launcher(cache / "pin" / f"pin-{digest.removeprefix('sha256:')[:32]}-{arch}", digest, arch)


def _is_there(found: Launcher) -> bool:
    return found.path.is_file() and os.access(found.path, os.X_OK)


def find_compiler(search_path: str | None = None) -> str | None:
    """The first C compiler on `search_path`, or on the PATH of this process."""
    return next((found for name in _COMPILERS if (found := shutil.which(name, path=search_path))), None)


def source_digest() -> Digest:
    """Digest over names and bytes of the launcher's source, in the order of names."""
    hasher = Hasher()
    for path in _sources():
        data = path.read_bytes()
        hasher.update(f"{path.name} {len(data)}\n".encode())
        hasher.update(data)
    return hasher.digest()


def _sources() -> Iterator[Path]:
    yield from sorted((path for path in _SOURCE.iterdir() if path.suffix in {".c", ".h"}), key=lambda path: path.name)


def _install() -> str:
    """The command that installs a compiler with the headers it needs."""
    command = install_command("gcc")
    tool = next((name for name in _PACKAGES if f" {name} " in f" {command} "), None)
    return command if tool is None else install_command(_PACKAGES[tool])


def _build(compiler: str, path: Path) -> str | None:
    """Compile, try out, put into place by one rename; returns what went wrong."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="build-", dir=path.parent) as folder:
            made = Path(folder) / "pin"
            problem = _compile(compiler, made) or _problem_of(made)
            if problem is None:
                made.chmod(0o755)
                made.replace(path)
            return problem
    except OSError as error:
        return f"cannot build the launcher that pins the clock in {path.parent}: {os_reason(error)}; set XDG_CACHE_HOME"


def _compile(compiler: str, made: Path) -> str | None:
    """A static program where the system has the libraries for one, else a dynamic one."""
    files = [str(source) for source in _sources() if source.suffix == ".c"]
    said = ""
    for static in (("-static",), ()):
        said = _run([compiler, *_FLAGS, *static, "-o", str(made), *files], _COMPILE_S, made.parent)[1]
        if made.exists():
            return None
    lines = [line for line in said.splitlines() if "error" in line] or said.splitlines() or ["it says nothing"]
    return f"{compiler} cannot build the launcher that pins the clock: {lines[0].strip()[:200]}; run: {_install()}"


def _problem_of(made: Path) -> str | None:
    """Run the launcher twice on its own probe: both must say what is pinned."""
    seen = set()
    for _ in range(2):
        code, said = _run([str(made), "--", str(made), "--probe"], _TEST_S, made.parent)
        if code != 0 or not _PROBE.fullmatch(said):
            first = next(iter(said.splitlines()), "it says nothing")
            return f"the launcher that pins the clock does not work here: {first[:200]}; {_mend()}"
        seen.add(said)
    return None if len(seen) == 1 else f"the launcher that pins the clock does not pin random numbers here; {_mend()}"


def _mend(system: Path = Path("/proc/sys/kernel/yama/ptrace_scope")) -> str:
    """What most likely helps when the kernel says no."""
    with contextlib.suppress(OSError):
        if system.read_text().strip() in {"2", "3"}:
            return "run: sudo sysctl -w kernel.yama.ptrace_scope=1"
    return "run: strace true (it needs the same leave to trace; a container has to be started with --cap-add SYS_PTRACE)"


def _run(argv: list[str], seconds: int, folder: Path) -> tuple[int, str]:
    """(exit code, everything said) of a program that gets nothing of the caller's environment.

    Compilers look for their assembler and linker on PATH: beside themselves, and where systems have them.
    """
    env = {"PATH": f"{Path(argv[0]).parent}:{_SYSTEM_PATH}", "LC_ALL": "C", "TMPDIR": str(folder)}
    try:
        done = subprocess.run(  # noqa: S603 - a compiler on the user's search path, and what it made
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=folder,
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return -1, str(error)
    return done.returncode, done.stdout.decode(errors="replace")
