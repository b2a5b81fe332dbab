"""When two addresses name the same repository."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote, urlsplit

__all__ = ["same_repository"]

_SCP: Final = re.compile(r"(?:[^@/:]+@)?([^/:]+):(?!//)(?!\d+/)(.+)").fullmatch
_PORTS: Final = {"http": 80, "https": 443, "ssh": 22, "git": 9418}


def same_repository(address: str) -> str:
    """A text that is equal for addresses of one repository: host and path, no scheme, user, usual port, `.git` or last `/`.

    An address that cannot be taken apart stands for itself.
    """
    scp = _SCP(address) if "://" not in address else None
    try:
        parts = urlsplit(f"ssh://{scp[1]}/{scp[2]}" if scp else address)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return address
    if not host:
        return address
    path = re.sub("/+", "/", unquote(parts.path)).rstrip("/").removesuffix(".git").rstrip("/")
    where = host.rstrip(".") if port in {None, _PORTS.get(parts.scheme)} else f"{host}:{port}"
    return f"{where}{path}".casefold()
