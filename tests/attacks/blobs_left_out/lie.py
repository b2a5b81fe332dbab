from __future__ import annotations

from tests.attacks.kit import ALL, Container, Lie, Status, Step, row_lies
from tests.support.forge import parse, to_bytes


def rewrite(data: bytes, container: Container, variant: str) -> bytes:
    bundle = parse(data)
    del bundle["blobs"]
    return to_bytes(bundle)


FOUND = row_lies(Status.MISSING_RECEIPT, Step.blobs, *ALL, says="is neither in the file nor listed as withheld")
LIE = Lie(rewrite=rewrite, edited=FOUND, resigned=FOUND, containers=("json",))
