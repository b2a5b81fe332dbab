from __future__ import annotations

from tests.attacks.kit import Container, Lie, Step, Unreadable
from tests.support.forge import parse, tar_members, to_bytes, write_members


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    if container == "tally":
        members = tar_members(data)
        bundle = parse(members[0][1])
        bundle["_type"] = f"tallystick/{variant}/v1"
        return write_members([(members[0][0], to_bytes(bundle)), *members[1:]])
    return to_bytes(parse(data)["task_results"][0]["receipt"] | {"_type": f"tallystick/{variant}/v1"})


REFUSED = Unreadable(Step.schema, "expected tallystick/bundle/v1, found")
LIE = Lie(rewrite=rewrite, edited=REFUSED, resigned=REFUSED, variants=("receipt", "grade", "tree"))
