"""Byte code of an agent in Python, made once from its sources, in a sandbox, by its own Python.

Byte code that lies beside installed sources belongs to no identity and is never used (`derived`). Without any, a large agent
compiles itself for ten seconds in every attempt. So all of it is compiled once per identity and kept in the cache folder; it is
mounted where Python is told to look. While it is made no code of the agent runs: Python starts isolated and without `site`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

from tallystick.core.digest import sha256
from tallystick.runner.adapters import Adapter
from tallystick.runner.derived import BYTE_CODE
from tallystick.runner.presets import PresetAdapter
from tallystick.runner.programs import Found
from tallystick.sandbox.spec import Limits, Mount, Sandbox, Spec
from tallystick.sandbox.walk import FoundFile, walk

__all__ = ["compiled", "is_compiled", "with_byte_code"]

_FOLDER: Final = "byte-code"
_OUT: Final = "made"
_MAKING: Final = ".making-"
_LEFT_S: Final = 24 * 3600
_MIB: Final = 1024 * 1024
_LIMITS: Final = Limits(
    wall_ms=900_000,
    memory_bytes=4096 * _MIB,
    processes=64,
    file_bytes=256 * _MIB,
    workspace_bytes=2048 * _MIB,
    workspace_files=200_000,
    output_bytes=16 * 1024,
)
"""The largest agent known has 11,000 modules; their byte code is 170 MB and takes a minute of processor time."""
_SCRIPT: Final = """\
import compileall, py_compile, re, sys, sysconfig
packages, workers = sys.argv[1], int(sys.argv[2])
library = sysconfig.get_path("stdlib")
mode = py_compile.PycInvalidationMode
skipped = re.compile(r"/(?:test|tests|idlelib|lib2to3|turtledemo|ensurepip|site-packages|dist-packages)/")
compileall.compile_dir(packages, quiet=2, workers=workers, invalidation_mode=mode.UNCHECKED_HASH)
compileall.compile_dir(library, quiet=2, workers=workers, rx=skipped, invalidation_mode=mode.TIMESTAMP)
"""
"""What does not compile is no module that anybody could import. The identity fixes packages and not the library: byte code of
the latter names time and size of its sources."""


def is_compiled(adapter: Adapter, cache: Path) -> bool:
    """Whether the agent's byte code is there, or none is needed: else the first start takes a minute."""
    if not isinstance(adapter, PresetAdapter) or not _wanted(adapter.found):
        return True
    return (cache / _FOLDER / _key(adapter.found)).is_dir()


def compiled(adapter: Adapter, sandbox: Sandbox, cache: Path) -> Adapter:
    """The same adapter, with the byte code of its agent; see `with_byte_code`."""
    if not isinstance(adapter, PresetAdapter):
        return adapter
    return replace(adapter, found=with_byte_code(adapter.found, sandbox, cache))


def _wanted(found: Found) -> bool:
    return BYTE_CODE in dict(found.env).values()


def with_byte_code(found: Found, sandbox: Sandbox, cache: Path) -> Found:
    """The program with its byte code mounted, which is made now if this machine has not made it yet.

    A program that is not Python, or whose sources cannot be compiled here, stays as it is: slower, and the same.

    Raises:
        SandboxError: no sandbox starts here.
    """
    if not _wanted(found):
        return found
    folder = cache / _FOLDER / _key(found)
    if not folder.is_dir() and not _make(found, sandbox, folder):
        return found
    program = replace(found.program, mounts=(*found.program.mounts, Mount(folder, BYTE_CODE)))
    return replace(found, program=program)


def _key(found: Found) -> str:
    """Byte code follows from the sources, from where the library is seen, and from how it is made."""
    targets = sorted(mount.target for mount in found.program.mounts)
    return sha256("\n".join([found.program.digest, _SCRIPT, *targets]).encode()).removeprefix("sha256:")


def _make(found: Found, sandbox: Sandbox, folder: Path) -> bool:
    """Compile in a sandbox and keep what it made in `folder`; whether that worked."""
    python = found.program.argv[0]
    packages = f"{python.removesuffix('/bin/python3')}/lib"
    options = ("-I", "-S", "-X", f"pycache_prefix=/workspace/{_OUT}")
    spec = Spec(
        argv=(python, *options, "-c", _SCRIPT, packages, str(os.cpu_count() or 1)),
        env={},
        limits=_LIMITS,
        mounts=found.program.mounts,
        mask=found.program.mask,
    )
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _sweep(folder.parent)
        made = Path(tempfile.mkdtemp(prefix=_MAKING, dir=folder.parent))
    except OSError:
        return False  # a cache that cannot be written to
    try:
        outcome = sandbox.run(spec, fill=lambda _: None, collect=lambda dirfd: _keep(dirfd, made))
        out = made / _OUT
        if outcome.exit != 0 or not out.is_dir():
            return False
        if not folder.is_dir():
            out.rename(folder)
    except OSError:
        pass  # no room, or another process was quicker: then its folder is there
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return folder.is_dir()


def _sweep(cache: Path) -> None:
    """Remove what processes that were killed have left: nothing is made for as long as that."""
    for left in cache.glob(f"{_MAKING}*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _LEFT_S:
                shutil.rmtree(left, ignore_errors=True)


def _keep(dirfd: int, made: Path) -> None:
    """Copy the byte code below `dirfd`; whatever else is there stays behind."""
    for found in walk(dirfd, _LIMITS):
        if isinstance(found, FoundFile) and found.path.endswith(b".pyc"):
            target = made / os.fsdecode(found.path)
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as stream, open(found.fd, "rb", closefd=False) as source:
                shutil.copyfileobj(source, stream)
