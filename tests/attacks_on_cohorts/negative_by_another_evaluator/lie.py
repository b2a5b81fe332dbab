from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample, keep


def tell(made: Sample) -> None:
    result = keep(made, made.task()["negative_case"]["evidence_path"])
    result["provenance"]["verifier_config_digest"] = "sha256:" + "1" * 64


LIE = Lie(frozenset({Code.NEGATIVE_OF_ANOTHER_TASK}), tell=tell, real=False)
