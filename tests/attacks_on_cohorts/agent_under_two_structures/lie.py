from __future__ import annotations

from tallystick.records.cohort.reading import EXTENSION
from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    for number in range(2):
        ours = {"receipt_hash": f"sha256:{number:064}", "agent_identity": "sha256:" + "a" * 64, "index": number}
        made.manifest(0, number)["extensions"][EXTENSION] = ours


LIE = Lie(frozenset({Code.SIGNATURE_DRIFT}), tell=tell, real=False)
