from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery, Jws, jwk_of, thumbprint

HEADERS: dict[str, Callable[[dict[Any, Any]], Any]] = {
    "typ": lambda honest: honest | {"typ": "tallystick-receipt+jws"},
    "kid": lambda honest: honest | {"kid": thumbprint(jwk_of(bytes(32)))},
    "no_typ": lambda honest: {name: honest[name] for name in ("alg", "kid")},
    "no_kid": lambda honest: {name: honest[name] for name in ("alg", "typ")},
    "empty": lambda _: {},
}


def tell(forgery: Forgery) -> None:
    forgery.jws = Jws(header=HEADERS[forgery.variant])


FOUND = Caught(Status.BAD_SIGNATURE, (Step.signature,), says="the signature's header is not the one for tallystick-bundle")
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND, variants=tuple(HEADERS))
