"""What a sandbox looks like from inside: the options for bubblewrap, from a Spec and what this machine has."""

from __future__ import annotations

import functools
import os
import pwd
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.sandbox.spec import FIXED_ENV, HOME, USER_ID, WORKSPACE, Spec

__all__ = ["READY", "SCRATCH", "SHELL", "TURNS_FD", "Numbers", "command", "files", "options"]

FILES: Final[Mapping[str, bytes]] = {
    "/etc/passwd": b"root:x:0:0:root:/root:/usr/sbin/nologin\nagent:x:1000:1000:agent:/home/agent:/bin/sh\n",
    "/etc/group": b"root:x:0:\nagent:x:1000:\n",
    "/etc/hosts": b"127.0.0.1 localhost tally\n::1 localhost\n",
}
"""Files that stand in for the host's: user and host names of the host are nobody's business."""

SHELL: Final = "/tally/sh"
"""Process 1: the host's shell as a file that the sandbox's user may start and not read. The kernel then keeps everybody of that
user out of the process (execve(2), prctl(2) PR_SET_DUMPABLE): its descriptors, its memory, ptrace."""


PIN: Final = "/tally/bin/pin"
"""The launcher of `Spec.pinned`, closed to programs in the same way."""
TURNS_FD: Final = 60
"""Where the launcher finds its file of turns. It is passed as a descriptor that the launcher closes: a program that could open
the file would read the real time in it."""
_UNREADABLE: Final = (SHELL, PIN)

PROC_FILES: Final[Mapping[str, bytes]] = {
    "/proc/version": b"Linux version 6.1.0-tally (tally@tally) #1 SMP\n",
    "/proc/sys/kernel/osrelease": b"6.1.0-tally\n",
    "/proc/sys/kernel/version": b"#1 SMP\n",
    "/proc/sys/kernel/random/boot_id": b"74616c6c-7973-4469-836b-000000000001\n",
    "/proc/loadavg": b"0.00 0.00 0.00 1/1 1\n",
}
"""What stands in for files of proc(5) below a launcher: they tell what it pins."""


@functools.cache
def _shell() -> bytes:
    return Path("/bin/sh").read_bytes()


def files(spec: Spec | None = None) -> Mapping[str, bytes]:
    """Every file that is written into the new root, by its path there."""
    always = {**FILES, SHELL: _shell()}
    if spec is None or spec.pinned is None:
        return always
    return {**always, PIN: spec.pinned.launcher.read_bytes(), **PROC_FILES}


def command(spec: Spec) -> tuple[str, ...]:
    """The words that process 1 starts."""
    if spec.pinned is None:
        return spec.argv
    turns = ("--turns-fd", str(TURNS_FD)) if spec.pinned.turns else ()
    return (PIN, *turns, "--", *spec.argv)


READY: Final = "tally/ready"
"""A folder below the new root that is made last."""
SCRATCH: Final = ("/dev/shm", "/tmp", HOME)  # noqa: S108 - paths inside the sandbox, each a tmpfs of its own
"""What is writable besides the workspace."""

_SYSTEM_LINKS: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM_FILES: Final = ("/etc/ld.so.cache", "/etc/alternatives")
_SITES: Final = (
    *(
        "lib*/python3*/site-packages",
        "lib*/python3*/dist-packages",
        "*/lib*/python3*/site-packages",
        "*/lib*/python3*/dist-packages",
    ),
    *("envs/*/lib/python3*/site-packages", "pkgs/*/lib/python3*/site-packages", "pkgs/*/site-packages"),
)
"""Where packages lie below a prefix: its own, those of environments in it (conda and pyenv: `envs/`), conda's unpacked ones."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """File descriptors that bubblewrap inherits; `files` by the path they become. `seccomp` None without a filter."""

    info: int
    block: int
    seccomp: int | None
    files: Mapping[str, int]


def options(spec: Spec, numbers: Numbers) -> list[str]:
    """The options, in the order in which bubblewrap carries them out. /tally/ready exists when the root is complete."""
    binds = dict(_binds(spec))
    words = ["--unshare-all", "--unshare-user", "--disable-userns", "--uid", str(USER_ID), "--gid", str(USER_ID)]
    words += ["--hostname", "tally", "--die-with-parent", "--new-session", "--as-pid-1", "--clearenv", "--cap-drop", "ALL"]
    for key, value in {**FIXED_ENV, **spec.env}.items():
        words += ["--setenv", key, value]
    words += _system(numbers)
    words += _writable(spec.limits.workspace_bytes)
    for target, source in binds.items():
        words += _bind(source, target)
    words += _python() if spec.python else []
    words += _masks(spec, binds)
    words += ["--dir", f"/{READY}", "--remount-ro", "/", "--chdir", WORKSPACE]
    words += ["--info-fd", str(numbers.info), "--block-fd", str(numbers.block)]
    return words if numbers.seccomp is None else [*words, "--seccomp", str(numbers.seccomp)]


def _system(numbers: Numbers) -> list[str]:
    words = ["--ro-bind", "/usr", "/usr", *_links()]
    words += [word for folder in ("/etc", "/tally", "/tally/bin") for word in ("--perms", "0755", "--dir", folder)]
    for path in _SYSTEM_FILES:
        words += ["--ro-bind-try", path, path]
    for path, fd in numbers.files.items():
        if path not in PROC_FILES:
            words += ["--perms", "0111" if path in _UNREADABLE else "0444", "--file", str(fd), path]
    # A sysctl file lets the host's root write, whatever the namespace: with tally run by root that is the program's user.
    words += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"]
    for path, fd in numbers.files.items():
        if path in PROC_FILES:
            words += ["--perms", "0444", "--ro-bind-data", str(fd), path]
    return words


def _writable(size: int) -> list[str]:
    words = []
    for path in (*SCRATCH, WORKSPACE):
        perms = "0755" if path in (HOME, WORKSPACE) else "1777"
        words += ["--perms", perms, "--size", str(max(size, 4096)), "--tmpfs", path]
    return [*words, "--remount-ro", "/dev"]


@functools.cache
def _links() -> tuple[str, ...]:
    """/bin and its kin as this machine has them: links into /usr, or folders of their own."""
    words: list[str] = []
    for name in _SYSTEM_LINKS:
        path = Path(name)
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), name]
        elif path.is_dir():
            words += ["--ro-bind", name, name]
    return tuple(words)


@functools.cache
def _interpreter() -> tuple[str, str | None]:
    """The running interpreter's real path, and the folder to mount for it (None when /usr has it)."""
    prefix = os.path.realpath(sys.base_prefix)
    program = os.path.realpath(sys.executable)
    if not _below(program, prefix):  # a virtual environment made of copies
        program = f"{prefix}/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    return program, None if _below(prefix, "/usr") else prefix


def _python() -> list[str]:
    program, _ = _interpreter()
    return ["--symlink", program, "/tally/bin/python3", "--symlink", program, "/tally/bin/python"]


def _binds(spec: Spec) -> Iterator[tuple[str, str]]:
    """(target, source) of everything mounted besides the system."""
    _, prefix = _interpreter()
    if spec.python and prefix:
        yield from ((folder, folder) for folder in installation(prefix, account_home()))
    for mount in spec.mounts:
        yield os.path.normpath(mount.target), str(mount.source)


def account_home() -> str:
    """The user's home folder in the machine's list of accounts, whatever HOME says; without an account a name of nothing."""
    try:
        return os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return "/nonexistent"


def installation(prefix: str, home: str) -> list[str]:
    """The folders of a Python. Installed into `~` or `~/.local`, it shares its prefix with everything else of the user's."""
    if Path(prefix).name != ".local" and not _below(home, prefix):
        return [prefix]
    return [folder for name in ("bin", "include", "lib", "lib64") if Path(folder := f"{prefix.rstrip('/')}/{name}").is_dir()]


def _bind(source: str, target: str) -> list[str]:
    """Show `source` at `target`. A link mounted at its own place stays a link: Python looks for its library where it leads."""
    if source == target and Path(source).is_symlink():
        return ["--symlink", str(Path(source).readlink()), target]
    return ["--ro-bind", source, target]


def _masks(spec: Spec, binds: Mapping[str, str]) -> list[str]:
    """Cover tallystick's own files and `spec.mask`, as far as they are visible at all."""
    words = []
    wanted = dict.fromkeys((*_own_copies(), *map(os.path.normpath, spec.mask)))
    for path in wanted:
        if any(path != other and _below(path, other) for other in wanted):
            continue  # the mask above covers it, and has no place to put this one
        source = _source(path, {"/usr": "/usr", **binds})
        if source is None:
            continue
        if Path(source).is_dir():
            words += ["--perms", "0555", "--size", "4096", "--tmpfs", path, "--remount-ro", path]
        elif Path(source).exists():
            words += ["--ro-bind", "/dev/null", path]  # on a mount without devices: opening it is not permitted
    return words


def _source(path: str, binds: Mapping[str, str]) -> str | None:
    """The host's path of what is visible at `path`, None when nothing of the host is."""
    targets = [target for target in binds if _below(path, target)]
    if not targets:
        return None
    target = max(targets, key=len)
    return binds[target] + path[len(target) :]


@functools.cache
def _own_copies() -> tuple[str, ...]:
    """Installed copies of this package, with their metadata: graders and solutions are in there."""
    here = Path(__file__).resolve().parents[2]
    prefixes = {Path("/usr"), Path("/usr/local"), Path(_interpreter()[0]).parent.parent}
    return tuple(sorted({*_copies_in(here), *(copy for prefix in prefixes for copy in copies_below(prefix))}))


def copies_below(prefix: Path) -> Iterator[str]:
    """Copies in the folders of packages that belong to a Python's `prefix`."""
    for pattern in _SITES:
        for site in prefix.glob(pattern):
            yield from _copies_in(site)


def _copies_in(site: Path) -> Iterator[str]:
    yield from map(str, (site / "tallystick", *site.glob("tallystick-*.dist-info")))


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
