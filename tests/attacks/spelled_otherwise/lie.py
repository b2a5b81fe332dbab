from __future__ import annotations

from collections.abc import Callable

from tests.attacks.kit import Container, Lie, Step, Unreadable
from tests.support.forge import tar_members, write_members

SPELLINGS: dict[str, Callable[[bytes], bytes]] = {
    "space": lambda data: data.replace(b":", b": ", 1),
    "line_feed": lambda data: data + b"\n",
    "indented": lambda data: data.replace(b"{", b"{\n ", 1),
    "escape": lambda data: data.replace(b'"golden-v1"', b'"golden\\u002dv1"'),
    "escaped_name": lambda data: data.replace(b'"suite_version"', b'"suite\\u005fversion"'),
    "order": lambda data: b'{"agent"' + data[data.index(b'"agent"') + 7 : -1] + b',"_type":"tallystick/bundle/v1"}',
    "second_document": lambda data: data + b"{}",
    "zero_byte": lambda data: data + b"\0",
    "cut_off": lambda data: data[:-100],
    "not_utf8": lambda data: data.replace(b"golden-v1", b"golden-v\xff"),
    "overlong_utf8": lambda data: data.replace(b"golden-v1", b"golden\xc0\xadv1"),
    "surrogate_bytes": lambda data: data.replace(b"golden-v1", b"golden-\xed\xa0\x80"),
    "comment": lambda data: data.replace(b"{", b"{/**/", 1),
}


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    if container == "json":
        return SPELLINGS[variant](data)
    members = tar_members(data)
    return write_members([(members[0][0], SPELLINGS[variant](members[0][1])), *members[1:]])


REFUSED = Unreadable(Step.canonical, "not canonical|not JSON|member name")
LIE = Lie(rewrite=rewrite, edited=REFUSED, resigned=REFUSED, variants=tuple(SPELLINGS))
