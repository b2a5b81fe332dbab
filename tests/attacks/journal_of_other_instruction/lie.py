from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery, hashed


def tell(forgery: Forgery) -> None:
    kind, member = {"instruction": ("agent.start", "instruction"), "base": ("attempt.begin", "workspace")}[forgery.variant]
    forgery.event(LINT, 1, kind)[member] = hashed({})


LIE = Lie(
    tell=tell,
    edited=receipt_broken((LINT, 1)),
    resigned=row_lies(
        Status.DIVERGED, Step.journals, (LINT, 1), says="the instruction is not the task's|another task or base workspace"
    ),
    variants=("instruction", "base"),
)
