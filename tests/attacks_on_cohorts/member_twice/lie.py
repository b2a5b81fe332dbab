from __future__ import annotations

from tests.attacks_on_cohorts.kit import COHORT_PATH, Code, Lie


def spell(files: dict[str, bytes]) -> None:
    files[COHORT_PATH] = files[COHORT_PATH].replace(b'"outcome":"support"', b'"outcome":"reject","outcome":"support"')


LIE = Lie(frozenset({Code.MEMBER_TWICE}), spell=spell)
