from __future__ import annotations

from tallystick.records.cohort.reading import EXTENSION
from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    for number in range(2):
        ours = {"receipt_hash": "sha256:" + "b" * 64, "agent_identity": f"sha256:{number:064}", "index": 0}
        made.manifest(0, number)["extensions"][EXTENSION] = ours


LIE = Lie(frozenset({Code.RESULT_COUNTED_TWICE}), tell=tell, real=False)
