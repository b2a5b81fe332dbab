"""What can go wrong at the gateway.

TallyError
└── GatewayError       the gateway cannot do its work, in one line a user can act on
RefusalError           a request that is answered by the gateway itself; never leaves this package
NoAnswerError          nothing came from the provider; never leaves this package
└── BrokenAnswerError  an answer began and did not come to its end
"""

from __future__ import annotations

from typing import Final

from tallystick.core import c1
from tallystick.core.errors import TallyError

__all__ = ["NO_ANSWER", "BrokenAnswerError", "GatewayError", "NoAnswerError", "RefusalError", "error_body"]


class GatewayError(TallyError):
    """The gateway cannot do its work: no door can be made, a helper died, a library is missing."""


class RefusalError(Exception):
    """A request that the gateway answers itself, with an error in JSON that the clients of all providers understand."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind

    def body(self) -> bytes:
        """The JSON that the agent gets."""
        return error_body(self.status, self.kind, str(self))


class NoAnswerError(Exception):
    """No answer came; the text says why, for people, and never reaches the agent."""


class BrokenAnswerError(NoAnswerError):
    """An answer broke off: too large, too slow, shorter than declared, or with a secret in it."""


def error_body(status: int, kind: str, message: str) -> bytes:
    """One JSON object in which OpenAI's, Anthropic's and Google's clients each find their members."""
    return c1.dumps({"type": "error", "error": {"type": kind, "status": kind.upper(), "code": status, "message": message}})


NO_ANSWER: Final = error_body(502, "no_answer", "tally: no whole answer came from the provider")
"""What the agent gets in place of an answer that did not come. It says nothing that a replay could not say again."""
