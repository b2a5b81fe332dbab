"""Whose signature it is, to the person who verifies. The policy comes from the reader, never from the document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["SignerPolicy", "Standing"]

Standing = Literal["self", "trusted", "unknown"]


@dataclass(frozen=True, slots=True)
class SignerPolicy:
    """Thumbprints of the reader's own keys and of the keys the reader trusts."""

    own: frozenset[str] = frozenset()
    trusted: frozenset[str] = frozenset()

    def judge(self, kid: str) -> Standing:
        """The standing of a signer; whether its signature is valid is another question, settled by `jws.verify`."""
        if kid in self.own:
            return "self"
        return "trusted" if kid in self.trusted else "unknown"
