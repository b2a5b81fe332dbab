from __future__ import annotations

from tests.attacks.kit import Lie, Status, Step, recorded, rows, stale
from tests.support.forge import Forgery, copied, hashed
from tests.support.forge_traffic import Tape
from tests.support.recorded import WRITE


def tell(forgery: Forgery) -> None:
    result = forgery.result(WRITE, 2)
    failed = copied(result["receipt"])
    calls = [event for event in failed["events"] if event["kind"] == "model.call"]
    calls[-1]["status"] = 503
    kinds = [event["kind"] for event in failed["events"]]
    failed["events"] = failed["events"][: kinds.index("grade.done")]
    end = {"cause": "provider_failed", "kind": "attempt.end", "outcome": "infra_error", "seq": len(failed["events"])}
    failed["events"].append(end)
    failed["spine"] = [link for link in failed["spine"] if link["role"] != "grade"]
    better = forgery.result(WRITE, 1)
    receipt = copied(better["receipt"]) | {"attempt": result["attempt"]}
    result.update({name: value for name, value in copied(better).items() if name not in {"attempt", "receipt_hash"}})
    result["receipt"] = receipt
    result["tries"] = [{"receipt": failed, "receipt_hash": hashed(failed)}]
    tape = Tape(forgery, WRITE, 2)
    tape.copy_from(Tape(forgery, WRITE, 1))
    for number, call in enumerate(tape.calls):
        tape.put_answer(number, forgery.blobs[call["answer"]] + b" ")
    tape.follow()


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (WRITE, 2))),
    resigned=recorded(passed=4),
    base="recorded",
)
