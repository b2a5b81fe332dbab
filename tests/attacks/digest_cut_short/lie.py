from __future__ import annotations

from collections.abc import Callable

from tests.attacks.kit import LINT, Lie, Step, Unreadable
from tests.support.forge import Forgery

SPELLINGS: dict[str, Callable[[str], str]] = {
    "short": lambda digest: digest[:15],
    "one_less": lambda digest: digest[:-1],
    "capitals": lambda digest: "sha256:" + digest[7:].upper(),
    "sha512": lambda digest: "sha512:" + digest[7:] * 2,
    "md5": lambda digest: "md5:" + digest[7:39],
    "bare": lambda digest: digest[7:],
    "line_feed": lambda digest: digest + "\n",
}


def tell(forgery: Forgery) -> None:
    result = forgery.result(LINT, 1)
    result["task_hash"] = SPELLINGS[forgery.variant](result["task_hash"])


REFUSED = Unreadable(Step.schema, "task_hash")
LIE = Lie(tell=tell, edited=REFUSED, resigned=REFUSED, variants=tuple(SPELLINGS))
