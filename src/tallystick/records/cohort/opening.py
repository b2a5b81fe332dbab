"""The opening of a hidden evaluator: its plan, and the salt without which a plan that can be guessed could be confirmed.

What the cohort holds of it until then is the commitment: the digest of `{"plan": ..., "salt": ...}` by the rule of the foreign
documents. Specification: docs/spec/cohort-history.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tallystick.core import limits
from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.core.pyjson import Json, digest, pretty, read
from tallystick.records.cohort.reading import Node

__all__ = ["GuessableError", "Opening", "OpeningError", "parse_opening"]

_SALT: Final = re.compile(r"[0-9a-f]{64}").fullmatch
_FEWEST_DIGITS: Final = 8
"""Different digits in a salt. A random one has fewer in one case of 10^19; one that somebody typed mostly has."""


class OpeningError(InputError):
    """Bytes that are not a plan with its salt."""


class GuessableError(OpeningError):
    """A plan without a salt, or with one that others could guess."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A plan and its salt, 64 lower-case hex digits. Nothing is said of the plan but that it is an object."""

    plan: Node
    salt: str

    def __post_init__(self) -> None:
        """A salt keeps others from trying plans.

        Raises:
            GuessableError: this one does not.
        """
        if _SALT(self.salt) is None:
            raise GuessableError("its salt is not 64 lower-case hex digits")
        if len(set(self.salt)) < _FEWEST_DIGITS:
            raise GuessableError("its salt is no random one: it has too few different digits")

    @property
    def commitment(self) -> Digest:
        """What the cohort holds of it.

        Raises:
            PyJsonError: the plan has no canonical bytes.
        """
        return digest(self._value())

    def to_bytes(self) -> bytes:
        """As a file; equal openings make equal files."""
        return f"{pretty(self._value())}\n".encode()

    def _value(self) -> Json:
        return {"plan": self.plan, "salt": self.salt}


def parse_opening(data: bytes) -> Opening:
    """Read an opening.

    Raises:
        GuessableError: it has no salt, or a poor one.
        OpeningError: it is none.
    """
    if len(data) > limits.COHORT_OPENING_BYTES:
        raise OpeningError(f"it has more than {limits.COHORT_OPENING_BYTES} bytes")
    try:
        value = read(data, strict=True)
    except InputError as error:
        raise OpeningError(str(error)) from None
    if not isinstance(value, dict):
        raise OpeningError("expected a JSON object with the members plan and salt")
    salt = value.get("salt")
    if not isinstance(salt, str):
        raise GuessableError("it has no salt: whoever guesses the plan can tell by the digest that it is right")
    plan = value.get("plan")
    if not isinstance(plan, dict) or len(value) > len(("plan", "salt")):
        raise OpeningError("expected a JSON object with the members plan and salt, and no others")
    return Opening(plan, salt)
