from __future__ import annotations

from collections.abc import Callable

from tests.attacks.kit import Container, Lie, Step, Unreadable
from tests.support.forge import tar_members, write_members

MARKS: dict[str, Callable[[bytes], bytes]] = {
    "utf8": lambda data: b"\xef\xbb\xbf" + data,
    "utf16": lambda data: data.decode().encode("utf-16"),
}


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    if container == "json":
        return MARKS[variant](data)
    members = tar_members(data)
    return write_members([(members[0][0], MARKS[variant](members[0][1])), *members[1:]])


REFUSED = Unreadable(Step.container, "neither a .json bundle")
IN_TAR = Unreadable(Step.canonical, "not JSON")
LIE = Lie(
    rewrite=rewrite,
    edited=REFUSED,
    resigned=REFUSED,
    tally={"edited": IN_TAR, "resigned": IN_TAR},
    variants=tuple(MARKS),
)
