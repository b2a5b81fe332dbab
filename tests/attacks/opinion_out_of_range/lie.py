from __future__ import annotations

import json

from tests.attacks.kit import Lie, Status, Step, row_lies, rows, stale
from tests.support.forge import Forgery
from tests.support.judged import CLAMP, HURRIED

SAID = {"ten": "10", "nan": "NaN", "words": '"five"', "half": "4.5", "more": '5, "bonus": 5'}


def tell(forgery: Forgery) -> None:
    call = forgery.interview(CLAMP, HURRIED)["calls"][0]
    answer = json.loads(forgery.blobs[call["answer"]])
    text = f'{{"correctness": 5, "style": 5, "test_coverage": 5, "safety": {SAID[forgery.variant]}}}'
    answer["choices"][0]["message"]["content"] = text
    data = json.dumps(answer).encode()
    call |= {"answer": forgery.put(data), "answer_bytes": len(data)}
    full = dict.fromkeys(("correctness", "style", "test_coverage", "safety"), 5)
    forgery.result(CLAMP, HURRIED)["opinion"]["scores"] = full


LIE = Lie(
    tell=tell,
    edited=stale(Step.blobs, rows=rows(Status.HASH_MISMATCH, Step.blobs, (CLAMP, HURRIED))),
    resigned=row_lies(Status.FABRICATED_SCORE, Step.verdicts, (CLAMP, HURRIED), says="not those of the recorded answer"),
    variants=tuple(SAID),
    base="judged",
)
