"""Where answers come from: a provider, or a recording. The gateway serves both in the same way."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from tallystick.recording.gateway.asked import Asked
from tallystick.records.traffic.leaks import Renamed
from tallystick.records.traffic.normal import Normal
from tallystick.records.traffic.usage import CACHE_HEADERS

__all__ = ["GIVEN_UP", "KEPT_HEADERS", "Answer", "Delivered", "DivergedError", "EndedBy", "Source"]

KEPT_HEADERS: Final = (
    *("content-type", "request-id", "retry-after", "retry-after-ms", "x-request-id", "x-should-retry"),
    *CACHE_HEADERS,
)
"""Header fields of an answer that the agent gets and the cassette keeps. Rates, dates and names of accounts are none of them:
what is not delivered cannot differ. What a response cache says of itself is: its answers are no second attempt."""

GIVEN_UP: Final = 499
"""Status of a call whose agent did not wait for an answer, which is no failure of the provider; 0 where that gave none."""

EndedBy = Literal["provider", "agent"]
"""Who broke off an answer that is not complete."""


class DivergedError(Exception):
    """A request that was not recorded; the text names the call and the first difference."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer whose body is still to come. `streamed`: it is handed on piece by piece.

    `pieces` raises NoAnswerError where the rest does not come.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    pieces: AsyncGenerator[bytes]
    streamed: bool

    @property
    def content_type(self) -> str:
        """The media type as declared, in lower case; "" where none is."""
        return next((value.lower() for name, value in self.headers if name == "content-type"), "")


@dataclass(frozen=True, slots=True)
class Delivered:
    """How a call ended: what the provider said, as far as the agent got it."""

    status: int
    headers: tuple[tuple[str, str], ...]
    data: bytes
    streamed: bool
    ended_by: EndedBy | None = None
    """None where the answer is complete."""
    why: str = ""
    """Why it is not, for people."""

    @property
    def content_type(self) -> str:
        """The media type as declared; "" where none is."""
        return next((value for name, value in self.headers if name == "content-type"), "")


class Source(Protocol):
    """A provider or a recording, for one attempt."""

    async def number(self, asked: Asked) -> tuple[int, Normal | None]:
        """The number of the call in its cassette, and the normalised request where it had to be made for that.

        Raises:
            DivergedError: the cassette has no such call left.
        """
        ...

    async def answer(self, number: int, asked: Asked) -> Answer:
        """Ask; raises NoAnswerError where not even the head of an answer comes."""
        ...

    def delivered(self, number: int, seen: Delivered) -> Delivered:
        """How the call ended, given how it looked from here."""
        ...

    def renamed(self, number: int) -> Renamed | None:
        """What the rules renamed in the recorded request that the call is; None where nothing is replayed."""
        ...

    def changed(self) -> frozenset[str] | None:
        """The recorded values that are others now; None where nothing is replayed."""
        ...

    def missing(self) -> str | None:
        """What was to be asked and was not, in one line."""
        ...
