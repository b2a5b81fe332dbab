from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery, copied, hashed
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    result = forgery.result(WRITE, 2)
    failed = copied(result["receipt"])
    kinds = [event["kind"] for event in failed["events"]]
    failed["events"] = failed["events"][: kinds.index("grade.done")]
    end = {"cause": "provider_failed", "kind": "attempt.end", "outcome": "infra_error", "seq": len(failed["events"])}
    failed["events"].append(end)
    failed["spine"] = [link for link in failed["spine"] if link["role"] != "grade"]
    result["tries"] = [{"receipt": failed, "receipt_hash": hashed(failed)}]


LIE = Lie(
    tell=tell,
    edited=stale(rows=rows(Status.HASH_MISMATCH, Step.journals, (WRITE, 2))),
    resigned=row_lies(
        Status.MALFORMED_RECEIPT, Step.journals, (WRITE, 2), says="its last call to a model did not fail by the provider"
    ),
    base="recorded",
)
