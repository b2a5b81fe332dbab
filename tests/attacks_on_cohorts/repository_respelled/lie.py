from __future__ import annotations

from copy import deepcopy

from tests.attacks_on_cohorts.kit import PENDING, Code, Lie, Sample


def tell(made: Sample) -> None:
    first, second = made.task(0), made.task(1)
    copied = deepcopy(first) | {"id": second["id"], "family": second["family"]}
    copied["source"]["repository"] = first["source"]["repository"].upper().replace("HTTPS", "https") + ".git/"
    made.cohort["tasks"][1] = copied


LIE = Lie(frozenset({Code.REPOSITORY_SPELLING, Code.DUPLICATE_RESPELLED}), tell=tell, shape=PENDING, real=False)
