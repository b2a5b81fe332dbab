from __future__ import annotations

from collections.abc import Callable

from tests.attacks.kit import Container, Lie, Step, Unreadable
from tests.support.forge import tar_members


def in_the_padding(data: bytes) -> bytes:
    """A byte behind the content of the first member, which does not fill its last block."""
    at = 512 + len(tar_members(data)[0][1])
    assert at % 512
    return data[:at] + b"x" + data[at + 1 :]


FILLINGS: dict[str, Callable[[bytes], bytes]] = {
    "padding": in_the_padding,
    "behind": lambda data: data + b"hidden",
    "second_archive": lambda data: data + data,
    "third_zero_block": lambda data: data + bytes(512),
    "one_zero_block": lambda data: data[:-512],
    "no_zero_block": lambda data: data[:-1024],
    "record_of_ten_kib": lambda data: data + bytes(10_240 - len(data) % 10_240),
    "cut_off": lambda data: data[: len(data) // 2],
}


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    return FILLINGS[variant](data)


REFUSED = Unreadable(Step.container, "not zero|two zero blocks|cut off|ends inside|the tar header")
LIE = Lie(
    rewrite=rewrite,
    edited=REFUSED,
    resigned=REFUSED,
    containers=("tally",),
    variants=tuple(FILLINGS),
)
