from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, stale
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    coordination = forgery.bundle["coordination"]
    match forgery.variant:
        case "turned":
            coordination["identical"] = not coordination["identical"]
        case "other_root":
            coordination["tasks"][0]["root"] = coordination["tasks"][1]["root"]
        case "task_missing":
            del coordination["tasks"][0]


SAYS = "coordination does not follow from the journals"
LIE = Lie(
    tell=tell,
    edited=stale(Step.coordination, says=SAYS),
    resigned=Caught(Status.DIVERGED, (Step.coordination,), says=SAYS),
    variants=("turned", "other_root", "task_missing"),
)
