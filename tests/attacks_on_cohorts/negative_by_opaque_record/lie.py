from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample, keep


def tell(made: Sample) -> None:
    made.negative().clear()
    keep(made, made.task()["negative_case"]["evidence_path"])["anything"] = "at all"
    made.task()["negative_case"]["evidence_type"] = "other"


LIE = Lie(frozenset({Code.NEGATIVE_TYPE}), tell=tell, real=False)
