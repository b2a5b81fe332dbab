from __future__ import annotations

from tallystick.records.cohort.reading import EXTENSION
from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    index = made.task()["evidence"]["attempts"]
    index[1]["structural_signature"] = index[0]["structural_signature"]
    for number in range(2):
        manifest = made.manifest(0, number)
        manifest["extensions"] = {
            "tallystick.structural_signature": index[0]["structural_signature"],
            EXTENSION: {"receipt_hash": f"sha256:{number:064}", "agent_identity": "sha256:" + "a" * 64, "index": 0},
        }


LIE = Lie(frozenset({Code.RESULT_COUNTED_TWICE}), tell=tell, real=False)
