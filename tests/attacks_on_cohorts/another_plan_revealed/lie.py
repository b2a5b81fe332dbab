from __future__ import annotations

from tallystick.records.cohort.opening import Opening
from tests.attacks_on_cohorts.kit import Code, Lie, Sample, hide, show


def tell(made: Sample) -> None:
    opening = hide(made)
    show(
        made, Opening({**opening.plan, "verifier": {**opening.plan["verifier"], "id": "a-kinder-one"}}, opening.salt).to_bytes()
    )


LIE = Lie(frozenset({Code.REVEAL_MISMATCH}), tell=tell)
