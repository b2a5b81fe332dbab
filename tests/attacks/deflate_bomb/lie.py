from __future__ import annotations

import base64
import zlib
from typing import Any

from tests.attacks.kit import Container, Lie, Step, Unreadable
from tests.support.forge import repacked


def bomb(size: int) -> str:
    engine = zlib.compressobj(9, wbits=-15)
    pieces = [engine.compress(bytes(1 << 20)) for _ in range(size >> 20)]
    return base64.b64encode(b"".join(pieces) + engine.flush()).decode()


def arm(blobs: dict[str, Any], variant: str) -> None:
    match variant:
        case "undeclared":
            blobs["data"] = bomb(64 << 20)
        case "beyond_the_ratio":
            blobs["data"] = bomb(64 << 20)
            blobs["index"][-1]["size"] += (64 << 20) - sum(entry["size"] for entry in blobs["index"])
        case "beyond_memory":
            blobs["index"][-1]["size"] = 1 << 40
        case "beyond_integers":
            blobs["index"][0]["size"] = blobs["index"][1]["size"] = 2**53 - 1


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    return repacked(data, lambda blobs: arm(blobs, variant))


REFUSED = Unreadable(Step.container, "inflates to more than|beyond a ratio|holds at most")
LIE = Lie(
    rewrite=rewrite,
    edited=REFUSED,
    resigned=REFUSED,
    containers=("json",),
    variants=("undeclared", "beyond_the_ratio", "beyond_memory", "beyond_integers"),
)
