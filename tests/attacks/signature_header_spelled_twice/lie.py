from __future__ import annotations

from collections.abc import Callable

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery, Jws, text

SPELLINGS: dict[str, Callable[[str], str]] = {
    "white_space": lambda text: text.replace(",", ", "),
    "trailing_line": lambda text: text + "\n",
    "order": lambda text: "{" + ",".join(reversed(text[1:-1].split(","))) + "}",
    "escape": lambda text: text.replace('"EdDSA"', '"Ed\\u0044SA"'),
    "alg_twice": lambda text: text.replace('{"alg"', '{"alg":"none","alg"'),
    "kid_twice": lambda text: text.replace(',"typ"', ',"kid":"x","typ"'),
}


def tell(forgery: Forgery) -> None:
    forgery.jws = Jws(header=lambda honest: SPELLINGS[forgery.variant](text(honest)).encode())


FOUND = Caught(Status.BAD_SIGNATURE, (Step.signature,), says="the signature's header is not the one for tallystick-bundle")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND, variants=tuple(SPELLINGS))
