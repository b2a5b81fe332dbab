from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample, hide, show


def tell(made: Sample) -> None:
    path = show(made, hide(made).to_bytes())
    made.artifacts[path] += b"\n"


LIE = Lie(frozenset({Code.REVEAL_MISMATCH}), tell=tell)
