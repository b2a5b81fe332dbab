from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample, hide, show


def tell(made: Sample) -> None:
    made.artifacts.pop(show(made, hide(made).to_bytes()))


LIE = Lie(frozenset({Code.FILE_MISSING}), tell=tell)
