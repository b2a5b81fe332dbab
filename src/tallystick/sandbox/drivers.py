"""Opening a sandbox by name, and finding out what stands in the way."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, assert_never

from tallystick.sandbox import cgroup
from tallystick.sandbox.bwrap import BwrapSandbox
from tallystick.sandbox.direct import DirectSandbox
from tallystick.sandbox.spec import Limits, Sandbox, SandboxError, SandboxUnavailableError, Spec
from tallystick.sandbox.strays import end_strays

__all__ = ["Probe", "SandboxName", "forbidding_switch", "install_command", "open_sandbox", "probe"]

SandboxName = Literal["bwrap", "none"]

OLDEST: Final = (0, 8)
"""The first bubblewrap that can size a tmpfs and forbid user namespaces inside."""

_PROBE_LIMITS: Final = Limits(10_000, 256 << 20, 32, 1 << 20, 1 << 20, 100, 1 << 16)
_INSTALL: Final[Mapping[str, str]] = {
    "apt-get": "sudo apt-get install -y",
    "dnf": "sudo dnf install -y",
    "apk": "sudo apk add",
    "pacman": "sudo pacman -S --noconfirm",
    "zypper": "sudo zypper install -y",
}
_SYSTEM_PATH: Final = "/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin"
_SWITCHES: Final = (
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
    ("kernel/unprivileged_userns_clone", "0", "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
    ("user/max_user_namespaces", "0", "sudo sysctl -w user.max_user_namespaces=15000"),
)
_OLD_WSL: Final = 'run: wsl.exe --set-version "$WSL_DISTRO_NAME" 2'
_CONTAINER: Final = (
    "run: docker run --cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt apparmor=unconfined "
    "--security-opt systempaths=unconfined ... (outside, in place of what started this container)"
)


@dataclass(frozen=True, slots=True)
class Probe:
    """Whether the bwrap sandbox works here, and what it can hold."""

    works: bool
    program: str | None
    version: str | None
    problem: str | None
    """One line: what is missing and the command that mends it; None when it works."""
    enforced: tuple[tuple[str, str], ...]
    """(bound, means) of a real run; empty when there was none."""
    mend: str | None = None
    """The end of `problem`: the command that mends it, after "run: " where it can be typed here as it stands."""


def open_sandbox(name: SandboxName) -> Sandbox:
    """A sandbox, ready to run.

    Raises:
        SandboxUnavailableError: the program is missing or too old, or the kernel does not let it work. The line is the one
            that `probe` has, so that every command says the same.
    """
    match name:
        case "bwrap":
            program, version = _find()
            found = _try(program, version)
            if found.problem is not None:
                raise SandboxUnavailableError(found.problem)
            host = cgroup.detect()
            end_strays()
            cgroup.sweep(host)
            return BwrapSandbox(program, host)
        case "none":
            return DirectSandbox()
        case _:
            assert_never(name)


def probe() -> Probe:
    """Start a real sandbox that runs /bin/true, and say how it went. Never raises for what it is looking for."""
    try:
        program, version = _find()
    except SandboxUnavailableError as error:
        mend = f"run: {str(error).partition('; run: ')[2]}" if "; run: " in str(error) else None
        return Probe(works=False, program=None, version=None, problem=str(error), enforced=(), mend=mend)
    return _try(program, version)


@functools.cache
def _try(program: str, version: str) -> Probe:
    """What a real sandbox does here. Once per process: what the kernel permits does not change meanwhile."""
    try:
        outcome = BwrapSandbox(program, cgroup.detect()).run(Spec(("/bin/true",), {}, _PROBE_LIMITS), fill=lambda _: None)
    except (SandboxError, OSError) as error:
        return _broken(program, version, str(error))
    if outcome.exit != 0:
        said = outcome.stderr.data.decode(errors="replace").strip()
        return _broken(program, version, f"/bin/true ended with {outcome.exit} in the sandbox: {said}")
    return Probe(works=True, program=program, version=version, problem=None, enforced=outcome.enforced)


def _broken(program: str, version: str, why: str) -> Probe:
    mend = _mend()
    return Probe(works=False, program=program, version=version, problem=f"{why}; {mend}", enforced=(), mend=mend)


@functools.cache
def _find() -> tuple[str, str]:
    """The path of bubblewrap and its version, when it is new enough."""
    if sys.platform != "linux":
        raise SandboxUnavailableError("the sandbox needs Linux; here tally verifies files, and runs nothing but --sandbox none")
    program = shutil.which("bwrap")
    if program is None:
        raise SandboxUnavailableError(f"bubblewrap is not installed; run: {install_command('bubblewrap')}")
    try:
        asked = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
        found = re.search(r"(\d+)\.(\d+)(\.\d+)*", asked.stdout)
    except (OSError, subprocess.TimeoutExpired):
        found = None
    if found is None:
        raise SandboxUnavailableError(f"{program} does not tell its version; run: {install_command('bubblewrap')}")
    if (int(found[1]), int(found[2])) < OLDEST:
        raise SandboxUnavailableError(
            f"bubblewrap {found[0]} is too old, 0.8 or newer is needed; run: {install_command('bubblewrap')}"
        )
    return program, found[0]


def install_command(package: str) -> str:
    """The command that installs a system package; its tool is looked for where systems have it, whatever PATH says."""
    found = (f"{command} {package}" for tool, command in _INSTALL.items() if shutil.which(tool, path=_SYSTEM_PATH))
    return next(found, f"your package manager, for {package}")


def forbidding_switch(system: Path = Path("/proc/sys")) -> str | None:
    """The command that turns the kernel's switch against user namespaces, where one is set."""
    for name, bad, command in _SWITCHES:
        file = system / name
        if file.exists() and file.read_text().strip() == bad:
            return command
    return None


def _mend(system: Path = Path("/proc/sys")) -> str:
    """The command that most likely helps when bubblewrap is there and the kernel says no."""
    command = forbidding_switch(system)
    if command is not None:
        return f"run: {command}"
    release = system / "kernel/osrelease"
    if release.exists() and "Microsoft" in release.read_text():  # WSL 2 writes it in lower case
        return _OLD_WSL
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return _CONTAINER
    return "run: bwrap --unshare-all --ro-bind / / true (it shows the same refusal; look for it in the kernel log)"
