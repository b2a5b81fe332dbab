from __future__ import annotations

from tests.attacks_on_cohorts.kit import COHORT_PATH, Code, Lie, Sample


def tell(made: Sample) -> None:
    made.cohort["extensions"] = {"budget": 12345.5}


def spell(files: dict[str, bytes]) -> None:
    files[COHORT_PATH] = files[COHORT_PATH].replace(b"12345.5", b"1e999")


LIE = Lie(frozenset({Code.NUMBER_NOT_FINITE}), tell=tell, spell=spell)
