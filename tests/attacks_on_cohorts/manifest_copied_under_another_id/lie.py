from __future__ import annotations

from copy import deepcopy

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    first = made.attempt()
    copied: dict[str, object] = {**first, "attempt_id": "copy"}
    for member in ("result_manifest", "verification_result"):
        path = f"{first[member]['path']}.copy.json"
        document = deepcopy(made.documents[first[member]["path"]])
        document |= {"id": f"{document['id'][:100]}/copy", "attempt": 17}
        made.documents[path] = document
        copied[member] = {"path": path, "id": document["id"], "digest": first[member]["digest"]}
    made.task()["evidence"]["attempts"][1:] = [copied]


LIE = Lie(frozenset({Code.RESULT_COUNTED_TWICE}), tell=tell)
