from __future__ import annotations

import zlib

from tests.attacks.kit import Container, Lie, Step, Unreadable
from tests.support.forge import pack_json, parse, tar_members, to_bytes, write_members


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    members = tar_members(data)
    bundle = parse(members[0][1])
    match variant:
        case "last":
            return write_members([*members[1:], members[0]])
        case "missing":
            return write_members(members[1:])
        case "blobs":
            bundle["blobs"] = pack_json({})
        case "receipt":
            result = bundle["task_results"][0]
            name = f"receipts/sha256/{result['receipt_hash'][7:]}"
            content = next(zlib.decompress(data, wbits=31) for member, data in members if member == f"{name}.gz")
            result["receipt"] = parse(content)
    return write_members([("bundle.json", to_bytes(bundle)), *members[1:]])


REFUSED = Unreadable(Step.container, "neither a .json bundle|holds neither receipts nor blobs")
LIE = Lie(
    rewrite=rewrite,
    edited=REFUSED,
    resigned=REFUSED,
    containers=("tally",),
    variants=("last", "missing", "blobs", "receipt"),
)
