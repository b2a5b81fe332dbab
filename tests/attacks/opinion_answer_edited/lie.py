from __future__ import annotations

import json

from tests.attacks.kit import Lie, Status, Step, judged, rows, stale
from tests.support.forge import Forgery
from tests.support.judged import CLAMP, HURRIED


def tell(forgery: Forgery) -> None:
    call = forgery.interview(CLAMP, HURRIED)["calls"][0]
    answer = json.loads(forgery.blobs[call["answer"]])
    said = dict.fromkeys(("correctness", "style", "test_coverage", "safety"), 5)
    answer["choices"][0]["message"]["content"] = json.dumps(said)
    data = json.dumps(answer).encode()
    call |= {"answer": forgery.put(data), "answer_bytes": len(data)}
    forgery.result(CLAMP, HURRIED)["opinion"]["scores"] = said


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (CLAMP, HURRIED))),
    resigned=judged(),
    base="judged",
)
