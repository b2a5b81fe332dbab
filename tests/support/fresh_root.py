"""A system that has just been installed: Debian's smallest, made by debootstrap, entered as a container is.

Where packages come from is what this machine's own apt and pip are told; nothing of it is written down here. Nothing is mounted
outside the namespace of the process that runs inside, so the folder can be removed as any other.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["FreshRoot", "NoFreshRootError", "make_fresh_root"]

_PROGRAMS: Final = ("debootstrap", "unshare", "mount", "umount", "pivot_root", "chroot")
_PASSED_ON: Final = re.compile(r"(?:PIP_(?!CERT$)\w+|(?i:https?_proxy|no_proxy))")
_PATH: Final = re.compile(r"/[\w.+-]+(?:/[\w.+-]+)+")
_CERTIFICATES: Final = Path("/etc/certificates-of-this-machine.crt")
# pivot_root, since user namespaces, which sandboxes are made of, are refused to whoever is in a chroot.
_ENTER: Final = """
set -e
root=$1; shift
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmp "$root/tmp"
while [ "$1" != -- ]; do
    mkdir -p "$root$1"; mount --bind "$1" "$root$1"; mount -o remount,bind,ro "$root$1"; shift
done
shift
cd "$root"; mkdir -p .before; pivot_root . .before; umount -l /.before
exec "$@"
"""


class NoFreshRootError(Exception):
    """This machine cannot make one; the message is the reason for a skip."""


@dataclass(frozen=True)
class FreshRoot:
    """The folder, folders of this machine that are shown inside, and the environment of programs there."""

    path: Path
    shown: tuple[Path, ...]
    environment: Mapping[str, str]

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run a shell script inside, as root in its empty home."""
        inside = ["bash", "-euc", script]
        return subprocess.run(
            [
                *("unshare", "--mount", "--pid", "--fork", "--ipc", "--uts", "--kill-child", "sh", "-c", _ENTER, "enter"),
                *(str(self.path), *map(str, self.shown), "--", "env", "-C", "/root", "-i"),
                *(f"{name}={value}" for name, value in self.environment.items()),
                *inside,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )


def make_fresh_root(folder: Path) -> FreshRoot:
    """Install the smallest system of this machine's own release into `folder`.

    Raises:
        NoFreshRootError: not root, no debootstrap, or its packages cannot be reached.
    """
    if os.geteuid() != 0:
        raise NoFreshRootError("needs root: only root can install a system into a folder")
    absent = [name for name in _PROGRAMS if shutil.which(name) is None]
    if absent:
        raise NoFreshRootError(f"needs another program: {', '.join(absent)} to install a system into a folder")
    release, source = _source()
    done = subprocess.run(
        ["debootstrap", "--variant=minbase", release, str(folder), source], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NoFreshRootError(f"no network: debootstrap could not install a system: {_last(done.stdout + done.stderr)}")
    _copy_settings(folder)
    return FreshRoot(folder, tuple(_shown()), _environment())


def _last(text: str) -> str:
    return (text.strip().splitlines() or ["it said nothing"])[-1]


def _source() -> tuple[str, str]:
    """The release of this machine and where its own apt gets that from."""
    facts = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    release = facts.get("VERSION_CODENAME", "").strip('"')
    for path in (Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))):
        for place, suites in _entries(path):
            if release in suites:
                return release, place
    raise NoFreshRootError("no network: apt of this machine names no source of its own release")


def _entries(path: Path) -> Iterator[tuple[str, list[str]]]:
    """(place, releases) of an apt source file, in either of its two forms."""
    text = path.read_text() if path.is_file() else ""
    if path.suffix == ".list":
        for line in text.splitlines():
            words = re.sub(r"\[.*?\]", "", line).split()
            if words[:1] == ["deb"]:
                yield words[1], words[2:3]
    elif path.suffix == ".sources":
        for part in text.split("\n\n"):
            members = dict(re.findall(r"^([\w-]+):[ \t]*(.*)$", part, re.MULTILINE))
            for place in members.get("URIs", "").split():
                yield place, members.get("Suites", "").split()


def _copy_settings(folder: Path) -> None:
    """What tells apt, pip and the resolver how to reach packages from here."""
    for path in (Path("/etc/apt/apt.conf.d"), Path("/etc/apt/auth.conf.d"), *_pip_files()):
        if path.is_dir():
            shutil.copytree(path, folder / path.relative_to("/"), dirs_exist_ok=True)
        elif path.is_file():
            (folder / path.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / path.relative_to("/"))
    for name in ("resolv.conf", "hosts"):
        shutil.copy(f"/etc/{name}", folder / "etc" / name)
    trusted = _certificates()
    if trusted is not None:
        shutil.copy(trusted, folder / _CERTIFICATES.relative_to("/"))


def _pip_files() -> list[Path]:
    """The configuration of pip; the tests have another HOME, so the user's is looked for in the real one."""
    home = Path(pwd.getpwuid(os.geteuid()).pw_dir)
    return [Path("/etc/pip.conf"), Path("/etc/xdg/pip"), home / ".config/pip", home / ".pip"]


def _certificates() -> Path | None:
    found = os.environ.get("PIP_CERT") or os.environ.get("SSL_CERT_FILE") or ssl.get_default_verify_paths().cafile
    return Path(found) if found and Path(found).is_file() else None


def _shown() -> Iterator[Path]:
    """Folders that pip's configuration names: packages that lie on this machine's disk."""
    texts = [value for name, value in os.environ.items() if _PASSED_ON.fullmatch(name)]
    for place in _pip_files():
        files = [place] if place.is_file() else list(place.glob("*.conf"))
        texts += [file.read_text() for file in files]
    tops = {Path(*Path(name).parts[:3]) for text in texts for name in _PATH.findall(text)}
    yield from sorted(top for top in tops if top.is_dir() and top.parts[1] not in {"etc", "usr", "root", "home"})


def _environment() -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if _PASSED_ON.fullmatch(name)}
    if _certificates() is not None:
        env |= {"PIP_CERT": str(_CERTIFICATES), "SSL_CERT_FILE": str(_CERTIFICATES)}
    return env | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
