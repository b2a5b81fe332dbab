from __future__ import annotations

from collections.abc import Callable

from tallystick.trust import base64url
from tests.attacks.kit import Caught, Lie, Status, Step
from tests.support.forge import Forgery, Jws

ORDER = 2**252 + 27742317777372353535851937790883648493
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def malleable(signature: str) -> str:
    """S + L: the same point, a second number."""
    raw = base64url.decode(signature)
    return base64url.encode(raw[:32] + (int.from_bytes(raw[32:], "little") + ORDER).to_bytes(32, "little"))


SPELLINGS: dict[str, Callable[[str, str], str]] = {
    "padded": lambda head, signature: f"{head}..{signature}==",
    "spare_bits": lambda head, signature: f"{head}..{signature[:-1]}{ALPHABET[ALPHABET.index(signature[-1]) + 1]}",
    "attached": lambda head, signature: f"{head}.{base64url.encode(b'sha256:')}.{signature}",
    "four_parts": lambda head, signature: f"{head}..{signature}.{signature}",
    "line_feed": lambda head, signature: f"{head}..{signature}\n",
    "standard_alphabet": lambda head, signature: f"{head}..+/{signature[2:]}",
    "cut_short": lambda head, signature: f"{head}..{signature[:-2]}",
    "malleable": lambda head, signature: f"{head}..{malleable(signature)}",
}


def tell(forgery: Forgery) -> None:
    forgery.jws = Jws(spell=SPELLINGS[forgery.variant])


FOUND = Caught(Status.BAD_SIGNATURE, (Step.signature,))
LIE = Lie(tell=tell, edited=FOUND, resigned=FOUND, variants=tuple(SPELLINGS))
