from __future__ import annotations

from tests.attacks.kit import Container, Lie, Step, Unreadable
from tests.support.forge import tar_members, write_members


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    members = tar_members(data)
    match variant:
        case "doubled":
            members.append(members[-1])
        case "swapped":
            members[-1], members[-2] = members[-2], members[-1]
        case "raw_and_packed":
            name, content = members[-1]
            other = name.removesuffix(".gz") if name.endswith(".gz") else f"{name}.gz"
            members.append((other, content.ljust(64, b"\0")))
        case "blobs_first":
            members[1:] = sorted(members[1:], key=lambda member: not member[0].startswith("blobs"))
        case "receipt_unnamed":
            receipts = [member for member in members if member[0].startswith("receipts")]
            members.insert(len(receipts) + 1, ("receipts/sha256/" + "f" * 64, b"{}"))
    return write_members(members)


REFUSED = Unreadable(Step.container, "is out of order or stands twice|is named by no result")
LIE = Lie(
    rewrite=rewrite,
    edited=REFUSED,
    resigned=REFUSED,
    containers=("tally",),
    variants=("doubled", "swapped", "raw_and_packed", "blobs_first", "receipt_unnamed"),
)
