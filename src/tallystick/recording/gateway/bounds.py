"""Bounds of the gateway on everything that an agent or a provider controls, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tallystick.core.limits import C1_VALUES, RECEIPT_BYTES

__all__ = [
    "ANSWER_BYTES",
    "CALLS",
    "CALL_BYTES",
    "CALL_VALUES",
    "CASSETTE_BYTES",
    "CASSETTE_VALUES",
    "CONNECTIONS",
    "DECISIONS",
    "DECISION_BYTES",
    "FIELDS",
    "FIELD_BYTES",
    "HELD_BYTES",
    "IN_FLIGHT",
    "KEPT_CHARS",
    "KEPT_FIELDS",
    "LINE_BYTES",
    "NAMES",
    "PATH_CHARS",
    "PROBLEMS",
    "PROXY_HEAD_BYTES",
    "QUERY_CHARS",
    "REQUEST_BYTES",
    "TUNNELS",
    "Patience",
]

KIB: Final = 1024
MIB: Final = 1024 * KIB

REQUEST_BYTES: Final = 64 * MIB
"""One request body after its encoding is undone: providers take 20 to 50 MiB, most of it images."""

HELD_BYTES: Final = 256 * MIB
"""Request bodies of one attempt that are in memory at one time; the next one has to come later (503)."""

ANSWER_BYTES: Final = 64 * MIB
"""One answer after its encoding is undone: a million tokens of text make 4 MiB, an event for each token twenty times that."""

LINE_BYTES: Final = 8190
"""The request line."""

FIELD_BYTES: Final = 16 * KIB
"""One header field: some agents put their settings in one."""

FIELDS: Final = 100
"""Header fields of a request: real clients send up to thirty."""

KEPT_CHARS: Final = 4096
"""The values of the header fields that are kept, together; real clients send some hundred."""

KEPT_FIELDS: Final = 64
"""Header fields of a request that are kept, as in a cassette."""

PATH_CHARS: Final = 2048
"""The path of a request, as in a cassette."""

QUERY_CHARS: Final = 4096
"""The query of a request, as in a cassette."""

CONNECTIONS: Final = 128
"""Connections of one attempt that are open at one time; one more is closed at once. An agent program uses one to ten."""

IN_FLIGHT: Final = 64
"""Calls of one attempt that are under way at one time (429 for one more)."""

CALLS: Final = 20_000
"""Calls of one attempt, to models or not, whatever bound its run sets: each makes an event and an entry of the cassette."""

CASSETTE_BYTES: Final = RECEIPT_BYTES - 4 * MIB
"""Bytes of the cassette of one attempt; the rest is for what is noted at its end. 1,000 calls make about one MiB."""

CASSETTE_VALUES: Final = C1_VALUES - 100_000
"""Values of it, counted by the separators in its bytes, as a reader counts them."""

CALL_BYTES: Final = 512 * KIB
"""Bytes of one call in a cassette: 44 parameters, each character escaped."""

CALL_VALUES: Final = 200_000
"""Separators in it: each character of a parameter may be one."""

DECISIONS: Final = 1000
"""Decisions that the orchestrator of one attempt reports."""

DECISION_BYTES: Final = 16 * KIB
"""The body of one report of a decision: its text has up to 2,000 characters, each up to six bytes of JSON."""

NAMES: Final = 1000
"""Host names noted for one attempt."""

PROBLEMS: Final = 100
"""Problems noted for one attempt; the first ones tell most."""

TUNNELS: Final = 32
"""Connections of one attempt to allowed hosts that are open at one time."""

PROXY_HEAD_BYTES: Final = 8 * KIB
"""Request line and header fields of a CONNECT request."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How many seconds the gateway waits. The wall clock of an attempt bounds all of them."""

    connect: float = 20.0
    """For a connection to a provider, TLS included."""
    first_byte: float = 900.0
    """For the head of an answer: a call that is not streamed thinks for minutes before it says anything."""
    between: float = 300.0
    """For the next piece of an answer: providers send something at least every fifteen seconds while they think."""
    answer: float = 3600.0
    """For a whole answer."""
    request: float = 60.0
    """For the body of a request, and for an agent that does not read what it asked for."""
    ending: float = 2.0
    """For the end of a stream that an agent no longer reads."""
    idle: float = 3600.0
    """For the next request on a connection: agents run tools meanwhile, and a connection closed at the wrong moment is an error
    that no replay repeats."""
    head: float = 30.0
    """For the first request on a new connection."""
    tunnel: float = 300.0
    """For the next byte either way in a connection to an allowed host."""
    gone: float = 30.0
    """In replay, for an agent to give up a call that it gave up when it was recorded."""
