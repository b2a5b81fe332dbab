"""Both containers for forgers: any members, under any names, of any bytes."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from tallystick.records.containers import ustar
from tallystick.records.containers.deflate import gzip, within_ratio
from tests.support.forge_json import parse, to_bytes

__all__ = ["content_member", "pack_json", "repacked", "stripped", "tar_members", "unpack_json", "write_members"]


def stripped(bundle: Mapping[Any, Any]) -> dict[Any, Any]:
    """A bundle's document without receipts."""
    bare = dict(bundle)
    if isinstance(bundle.get("task_results"), list):
        bare["task_results"] = [_without_receipt(result) for result in bundle["task_results"]]
    return bare


def _without_receipt(result: Any) -> Any:
    if not isinstance(result, dict):
        return result
    bare = {name: value for name, value in result.items() if name != "receipt"}
    if "tries" in bare:
        bare["tries"] = [_without_receipt(earlier) for earlier in bare["tries"]]
    return bare


def pack_json(blobs: Mapping[str, bytes], level: int = 6) -> dict[str, Any]:
    """The member `blobs`."""
    engine = zlib.compressobj(level, wbits=-15)
    data = b"".join([*(engine.compress(blobs[digest]) for digest in sorted(blobs)), engine.flush()])
    index = [{"digest": digest, "size": len(blobs[digest])} for digest in sorted(blobs)]
    return {"data": base64.b64encode(data).decode(), "index": index}


def repacked(data: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    """A `.json` bundle whose member `blobs`, which no hash covers, is changed."""
    bundle = parse(data)
    change(bundle["blobs"])
    return to_bytes(bundle)


@cache
def content_member(section: str, digest: str, content: bytes) -> tuple[str, bytes]:
    packed = gzip(content)
    pays = -(-len(packed) // 512) < -(-len(content) // 512) and within_ratio(len(content), len(packed))
    return f"{section}/sha256/{digest[7:]}" + ".gz" * pays, packed if pays else content


def write_members(members: Sequence[tuple[str, bytes]]) -> bytes:
    """A tar as the product's writer makes it, of any names and contents."""
    parts = []
    for name, content in members:
        parts += [ustar.header(name, len(content)), content, bytes(-len(content) % 512)]
    return b"".join(parts) + bytes(1024)


def tar_members(data: bytes) -> list[tuple[str, bytes]]:
    """Names and contents of a tar that `write_members` made."""
    members, at = [], 0
    while any(data[at : at + 512]):
        name = data[at : at + 100].rstrip(b"\0").decode()
        size = int(data[at + 124 : at + 135], 8)
        members.append((name, data[at + 512 : at + 512 + size]))
        at += 512 + size + -size % 512
    return members


def unpack_json(packed: Mapping[str, Any]) -> dict[str, bytes]:
    """The blobs of a member `blobs`."""
    content = zlib.decompress(base64.b64decode(packed["data"]), wbits=-15)
    blobs, at = {}, 0
    for entry in packed["index"]:
        blobs[entry["digest"]] = content[at : at + entry["size"]]
        at += entry["size"]
    return blobs
