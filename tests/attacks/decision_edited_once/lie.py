from __future__ import annotations

from tests.attacks.kit import Caught, Lie, Status, Step, receipt_broken
from tests.support.forge import Forgery, copied
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    receipt = forgery.receipt(WRITE, 2)
    place = next(at for at, event in enumerate(receipt["events"]) if event["kind"] == "orchestrator.decision")
    match forgery.variant:
        case "edited":
            receipt["events"][place]["text"] = "two models, no shell"
        case "dropped":
            del receipt["events"][place]
        case "added":
            receipt["events"].insert(place, copied(receipt["events"][place]))
    receipt["events"] = [event | {"seq": seq} for seq, event in enumerate(receipt["events"])]


LIE = Lie(
    tell=tell,
    edited=receipt_broken((WRITE, 2)),
    resigned=Caught(Status.DIVERGED, (Step.coordination,), says="coordination does not follow from the journals"),
    variants=("edited", "dropped", "added"),
    base="recorded",
)
