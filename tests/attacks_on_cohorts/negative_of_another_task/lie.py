from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample, keep


def tell(made: Sample) -> None:
    other = made.task(1)["negative_case"]
    case = made.task()["negative_case"]
    keep(made, other["evidence_path"])
    case |= {name: other[name] for name in ("evidence_path", "evidence_digest", "expected_category")}


LIE = Lie(frozenset({Code.NEGATIVE_OF_ANOTHER_TASK, Code.NEGATIVE_COUNTED_TWICE}), tell=tell, real=False)
