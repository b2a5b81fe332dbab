from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    events = forgery.receipt(WRITE, 1)["events"]
    place = next(at for at, event in enumerate(events) if event["kind"] == "agent.end")
    events.insert(place, {"host": "example.org", "kind": "network.host", "port": 443, "seq": 0})
    for seq, event in enumerate(events):
        event["seq"] = seq


LIE = Lie(
    tell=tell,
    edited=receipt_broken((WRITE, 1)),
    resigned=row_lies(
        Status.DIVERGED, Step.journals, (WRITE, 1), says="example.org:443 is none of the hosts that the run allows"
    ),
    base="recorded",
)
