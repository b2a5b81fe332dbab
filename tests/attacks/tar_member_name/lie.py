from __future__ import annotations

from tests.attacks.kit import Container, Lie, Step, Unreadable
from tests.support.forge import tar_members, write_members

HEX = "0" * 64
NAMES = {
    "climbing": "../../home/evil",
    "absolute": "/etc/cron.d/evil",
    "climbing_inside": "blobs/sha256/../../evil",
    "dot": f"./blobs/sha256/{HEX}",
    "capitals": f"BLOBS/sha256/{HEX}",
    "capital_digest": "blobs/sha256/" + "A" * 64,
    "short_digest": "blobs/sha256/" + "0" * 63,
    "long_digest": "blobs/sha256/" + "0" * 65,
    "other_digest": "blobs/md5/" + "0" * 32,
    "folder": f"blobs/sha256/{HEX}/",
    "space": f"blobs/sha256/{HEX} ",
    "line_feed": f"blobs/sha256/{HEX}\n",
    "backslash": f"blobs\\sha256\\{HEX}",
    "other_section": f"graders/sha256/{HEX}",
    "second_bundle": "bundle.json",
    "zst": f"blobs/sha256/{HEX}.zst",
    "twice_gz": f"blobs/sha256/{HEX}.gz.gz",
    "empty": "",
}


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    return write_members([*tar_members(data), (NAMES[variant], b"evil")])


REFUSED = Unreadable(Step.container, "has no member named")
LIE = Lie(rewrite=rewrite, edited=REFUSED, resigned=REFUSED, containers=("tally",), variants=tuple(NAMES))
