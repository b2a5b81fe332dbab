from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Status, Step, receipt_broken, row_lies
from tests.support.forge import Forgery


def tell(forgery: Forgery) -> None:
    links = {link["role"]: link["digest"] for link in forgery.receipt(LINT, 2)["spine"]}
    match forgery.variant:
        case "grade_for_tree":
            forgery.relink(LINT, 2, workspace=links["grade"])
        case "tree_for_grade":
            forgery.relink(LINT, 2, grade=links["workspace.final"])
        case "agent_for_grade":
            forgery.relink(LINT, 2, grade=links["agent"])
    forgery.keep("blobs")


LIE = Lie(
    tell=tell,
    edited=receipt_broken((LINT, 2)),
    resigned=row_lies(
        Status.MALFORMED_RECEIPT, Step.blobs, (LINT, 2), says="(workspace.final|grade): expected tallystick/(tree|grade)/v1"
    ),
    variants=("grade_for_tree", "tree_for_grade", "agent_for_grade"),
)
