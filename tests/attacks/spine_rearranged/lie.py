from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.attacks.kit import LINT, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery

TURNS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "left_out": lambda spine: spine[:-1],
    "doubled": lambda spine: [*spine, spine[-1]],
    "swapped": lambda spine: [spine[1], spine[0], *spine[2:]],
    "other_base": lambda spine: [*spine[:2], {"digest": spine[0]["digest"], "role": "workspace.base"}, *spine[3:]],
}


def tell(forgery: Forgery) -> None:
    receipt = forgery.receipt(LINT, 2)
    receipt["spine"] = TURNS[forgery.variant](receipt["spine"])
    forgery.keep("blobs")


LIE = Lie(
    tell=tell,
    edited=receipt_broken((LINT, 2)),
    resigned=row_lies(Status.DIVERGED, Step.spines, (LINT, 2), says="the spine"),
    variants=("doubled", "swapped", "other_base"),
)
