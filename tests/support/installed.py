"""Programs that look installed: virtual environments and npm packages of a few files, which nobody starts."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

__all__ = ["ELF", "environment", "npm_package", "npm_program", "put"]

ELF: Final = b"\x7fELF and the rest"
SITE: Final = "lib/python3.11/site-packages"


def put(path: Path, data: bytes | str = b"x", *, run: bool = False) -> Path:
    """A file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    if run:
        path.chmod(0o755)
    return path


def environment(folder: Path, package: str, version: str, command: str) -> Path:
    """A virtual environment with one package and its command; returns the folder of commands."""
    put(folder / "pyvenv.cfg", f"home = {Path(sys.base_prefix) / 'bin'}\nversion = 3.11.7\ncommand = venv {folder}\n")
    put(folder / f"bin/{command}", f"#!{folder}/bin/python3\nimport {package.replace('-', '_')}\n", run=True)
    (folder / "bin/python3").symlink_to(Path(sys.base_prefix) / "bin/python3")
    (folder / "bin/python").symlink_to("python3")
    module = package.replace("-", "_")
    put(folder / SITE / module / "__init__.py", "")
    put(folder / SITE / module / "__pycache__/__init__.cpython-311.pyc", str(folder))
    info = folder / SITE / f"{module}-{version}.dist-info"
    put(info / "METADATA", f"Name: {package}\nVersion: {version}\n")
    for name in ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json"):
        put(info / name, str(folder))
    return folder / "bin"


def npm_package(
    modules: Path, name: str, version: str = "1.0.0", needs: tuple[str, ...] = (), files: Mapping[str, bytes] | None = None
) -> Path:
    """A package in a folder `node_modules`; `needs` are its dependencies."""
    folder = modules / name
    wanted = ", ".join(f'"{each}": "*"' for each in needs)
    put(folder / "package.json", f'{{"name": "{name}", "version": "{version}", "dependencies": {{{wanted}}}, "extra": [1]}}')
    for path, data in (files or {"index.js": b"//"}).items():
        put(folder / path, data, run=True)
    return folder


def npm_program(modules: Path, command: str, target: str) -> Path:
    """The link that npm makes for a command; returns the folder of commands."""
    folder = modules / ".bin"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / command).symlink_to(f"../{target}")
    return folder
