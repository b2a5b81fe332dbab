from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    ours, other = made.task(0)["work_unit"], made.task(1)["work_unit"]
    path = ours["path"].upper()
    made.documents[path] = made.documents.pop(other["path"])
    other["path"] = path


LIE = Lie(frozenset({Code.PATH_CONFUSABLE}), tell=tell)
