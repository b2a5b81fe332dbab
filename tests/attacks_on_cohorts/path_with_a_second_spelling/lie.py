from __future__ import annotations

from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    task = made.task()["work_unit"]
    path = task["path"].replace("/", "/./", 1)
    made.documents[path] = made.documents.pop(task["path"])
    task["path"] = path


LIE = Lie(frozenset({Code.PATH_SPELLING}), tell=tell)
