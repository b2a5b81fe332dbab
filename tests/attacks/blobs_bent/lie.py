from __future__ import annotations

import base64
import zlib
from typing import Any

from tests.attacks.kit import Container, Lie, Step, Unreadable
from tests.support.forge import repacked


def last(data: str) -> bytes:
    return base64.b64decode(data)


def bend(blobs: dict[str, Any], variant: str) -> None:
    index = blobs["index"]
    match variant:
        case "size_larger":
            index[-1]["size"] += 1
        case "size_smaller":
            index[-1]["size"] -= 1
        case "size_negative":
            index[-1]["size"] = 0
        case "doubled":
            index.insert(0, dict(index[0]))
        case "disordered":
            index[0], index[1] = index[1], index[0]
        case "bytes_behind":
            blobs["data"] = base64.b64encode(last(blobs["data"]) + b"more").decode()
        case "stream_behind":
            blobs["data"] = base64.b64encode(last(blobs["data"]) * 2).decode()
        case "cut_off":
            blobs["data"] = base64.b64encode(last(blobs["data"])[:-8]).decode()
        case "zlib_header":
            content = zlib.decompress(last(blobs["data"]), wbits=-15)
            blobs["data"] = base64.b64encode(zlib.compress(content)).decode()


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    return repacked(data, lambda blobs: bend(blobs, variant))


REFUSED = Unreadable(Step.container, "blobs")
LIE = Lie(
    rewrite=rewrite,
    edited=REFUSED,
    resigned=REFUSED,
    containers=("json",),
    variants=(
        "size_larger",
        "size_smaller",
        "size_negative",
        "doubled",
        "disordered",
        "bytes_behind",
        "stream_behind",
        "cut_off",
        "zlib_header",
    ),
)
