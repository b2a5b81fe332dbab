from __future__ import annotations

from tests.attacks.kit import LINT, Lie, Step, Unreadable
from tests.support.forge import Forgery

NAMES = {
    "bidi": "lint\u202efix",
    "composed": "caf\u00e9",
    "decomposed": "cafe\u0301",
    "cyrillic": "lint_fix_unused_import".replace("i", "\u0456"),
    "zero_width": "lint_fix\u200b",
    "line_feed": "lint_fix_unused_import\n",
    "path": "../lint_fix",
    "markup": "<b>lint</b>",
    "empty": "",
    "long": "a" * 129,
}


def tell(forgery: Forgery) -> None:
    forgery.result(LINT, 1)["task_id"] = NAMES[forgery.variant]


REFUSED = Unreadable(Step.schema, "task_id")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, variants=tuple(NAMES))
