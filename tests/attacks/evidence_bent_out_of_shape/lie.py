from __future__ import annotations

from typing import Any

from tests.attacks.kit import REFACTOR, Caught, Lie, Status, Step, row_lies, rows
from tests.support.forge import Forgery, Twin


def tell(forgery: Forgery) -> None:
    bend_grade(forgery.grade(REFACTOR, 2), forgery.variant)
    bend_tree(forgery.workspace(REFACTOR, 2)["records"], forgery.variant)


def bend_grade(grade: dict[Any, Any], variant: str) -> None:
    match variant:
        case "grade_unknown_member":
            grade["verified"] = True
        case "grade_without_type":
            del grade["_type"]
        case "grade_member_twice":
            grade[Twin("mode")] = "none"


def bend_tree(records: list[dict[str, Any]], variant: str) -> None:
    match variant:
        case "tree_disordered":
            records.reverse()
        case "tree_file_and_folder":
            records.append(records[-1] | {"path": records[-1]["path"] + "/x"})
        case _ if variant in RECORDS:
            records[0] |= RECORDS[variant]


RECORDS = {
    "tree_climbs": {"path": "../.bashrc"},
    "tree_absolute": {"path": "/etc/passwd"},
    "tree_of_git": {"path": ".git/config"},
    "tree_device": {"mode": "device"},
    "tree_setuid": {"mode": "4755"},
}


LIE = Lie(
    tell=tell,
    edited=Caught(Status.DIVERGED, (Step.blobs,), rows(Status.HASH_MISMATCH, Step.blobs, (REFACTOR, 2))),
    resigned=row_lies(Status.MALFORMED_RECEIPT, Step.blobs, (REFACTOR, 2), says="workspace.final: |grade: "),
    variants=(
        "grade_unknown_member",
        "grade_without_type",
        "grade_member_twice",
        "tree_disordered",
        "tree_file_and_folder",
        *RECORDS,
    ),
)
