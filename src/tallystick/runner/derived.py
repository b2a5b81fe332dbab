"""Which bytes of a virtual environment follow from the place where it was made, and so belong to no agent's identity.

The same packages in two folders must have one digest, and nothing that is left out may hold code that runs:

- `__pycache__` folders: made from the sources beside them. `PYTHONPYCACHEPREFIX` keeps Python, and what it starts, from looking
  there.
- `bin/python`, `bin/python3` and `bin/python3.N` where they are links: they lead to where Python is installed, which is mounted
  by itself.
- `pyvenv.cfg` counts as its version and whether it takes in packages from outside; other lines have no effect on Python.
- The environment's own path, in files of `bin`, counts as the path inside: nothing is there inside.
- `direct_url.json`, `INSTALLER`, `REQUESTED`, `RECORD` and `uv_cache.json` of an installed package: how it was installed, in
  lists that nothing executes.

Byte code anywhere else than in `__pycache__` is code that Python would run, and counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["BYTE_CODE", "REWRITTEN_BYTES", "Environment", "sees_other_packages"]

BYTE_CODE: Final = "/agent/byte-code"
"""Where Python is told to look for byte code: what `byte_code` made from the sources is there, or nothing. It is read-only."""

REWRITTEN_BYTES: Final = 1024 * 1024
"""Bytes of a file that is read otherwise; scripts have hundreds."""

_PYTHON: Final = re.compile(r"bin/python(?:3(?:\.\d{1,3})?)?").fullmatch
_INSTALL_NOTE: Final = re.compile(
    r"lib(?:64)?/python3\.\d{1,3}/site-packages/[^/]+\.dist-info/(?:direct_url\.json|INSTALLER|REQUESTED|RECORD|uv_cache\.json)"
).fullmatch
_SETTING: Final = re.compile(rb"^\s*([a-z_-]+)\s*=\s*(.*?)\s*$", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment made at `place`, seen at `inside`; paths are relative to it."""

    place: str
    inside: str

    def leaves_out(self, path: str, *, link: bool) -> bool:
        """Whether a file or link belongs to no identity."""
        return (link and _PYTHON(path) is not None) or _INSTALL_NOTE(path) is not None

    def rewrites(self, path: str, size: int) -> bool:
        """Whether a file counts as other bytes than it has."""
        return size <= REWRITTEN_BYTES and (path == "pyvenv.cfg" or (path.startswith("bin/") and path.count("/") == 1))

    def rewritten(self, path: str, data: bytes) -> bytes:
        """The bytes as which such a file counts."""
        if path != "pyvenv.cfg":
            return data.replace(self.place.encode(), self.inside.encode())
        settings = _settings(data)
        version = settings.get(b"version", settings.get(b"version_info", b""))
        others = settings.get(b"include-system-site-packages", b"false").lower()
        return b"include-system-site-packages = %s\nversion = %s\n" % (others, version)


def _settings(data: bytes) -> dict[bytes, bytes]:
    return {name.lower(): value for name, value in _SETTING.findall(data)}


def sees_other_packages(configuration: bytes) -> bool:
    """Whether a pyvenv.cfg lets an environment import packages from outside of it."""
    return _settings(configuration).get(b"include-system-site-packages", b"false").lower() == b"true"
