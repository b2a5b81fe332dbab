from __future__ import annotations

from tests.attacks.kit import Container, Lie, Step, Unreadable
from tests.support.forge import tar_members, write_members


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    members = tar_members(data)
    section, size = {
        "receipt": ("receipts", 0xFFFFFFFF),
        "blob": ("blobs", 0xFFFFFFFF),
        "ratio": ("blobs", 200 << 20),
    }[variant]
    place = next(i for i, (name, _) in enumerate(members) if name.startswith(section) and name.endswith(".gz"))
    name, content = members[place]
    members[place] = (name, content[:-4] + size.to_bytes(4, "little"))
    return write_members(members)


REFUSED = Unreadable(Step.container, "are read|beyond a ratio")
LIE = Lie(rewrite=rewrite, edited=REFUSED, resigned=REFUSED, containers=("tally",), variants=("receipt", "blob", "ratio"))
