from __future__ import annotations

import base64
import zlib
from typing import Any

from tests.attacks.kit import Container, Lie, Stands
from tests.support.forge import repacked


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    def store(blobs: dict[str, Any]) -> None:
        content = zlib.decompress(base64.b64decode(blobs["data"]), wbits=-15)
        engine = zlib.compressobj(0, wbits=-15)
        blobs["data"] = base64.b64encode(engine.compress(content) + engine.flush()).decode()

    return repacked(data, store)


LIE = Lie(rewrite=rewrite, edited=Stands(passed=6), resigned=Stands(passed=6), containers=("json",))
