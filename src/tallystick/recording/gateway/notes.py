"""What is noted of one attempt beside its calls; all of it bounded, since an agent decides how much there is."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tallystick.core.visible import written_out
from tallystick.recording.gateway import bounds
from tallystick.recording.gateway.errors import RefusalError
from tallystick.records.base import Record, Slug

__all__ = ["Notes", "read_decision"]


class Notes:
    """Host names, allowed hosts that were used, decisions of an orchestrator, and problems."""

    def __init__(self) -> None:
        self._hosts: dict[str, None] = {}
        self._used: set[tuple[str, int]] = set()
        self._decisions: list[tuple[str, str]] = []
        self._problems: dict[str, None] = {}

    def host(self, name: str) -> None:
        """A name that was asked for, or a host that was refused."""
        if len(self._hosts) < bounds.NAMES:
            self._hosts[name] = None

    def use(self, host: str, port: int) -> None:
        """An allowed host that was reached."""
        self._used.add((host, port))

    def decide(self, name: str, text: str) -> None:
        """A decision; raises RefusalError where there are too many."""
        if len(self._decisions) >= bounds.DECISIONS:
            raise RefusalError(429, "too_many_decisions", f"tally: an attempt reports at most {bounds.DECISIONS} decisions")
        self._decisions.append((name, text))

    def problem(self, text: str) -> None:
        """Something that a person should know, in one line; what is said twice stands once."""
        if len(self._problems) < bounds.PROBLEMS:
            self._problems[written_out(text)] = None

    @property
    def hosts(self) -> tuple[str, ...]:
        """In the order in which they first came up."""
        return tuple(self._hosts)

    @property
    def used(self) -> tuple[tuple[str, int], ...]:
        """Sorted."""
        return tuple(sorted(self._used))

    @property
    def decisions(self) -> tuple[tuple[str, str], ...]:
        """In the order of their arrival."""
        return tuple(self._decisions)

    @property
    def problems(self) -> tuple[str, ...]:
        """In the order in which they first came up."""
        return tuple(self._problems)


def read_decision(body: bytes) -> tuple[str, str]:
    """A decision as it is posted: `{"name": slug, "text": up to 2,000 characters}`, text optional.

    Raises:
        RefusalError: 400, naming what is wrong.
    """
    try:
        posted = msgspec.json.decode(body, type=_Posted)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RefusalError(400, "invalid_request_error", f"tally: not a decision: {str(error)[:200]}") from None
    return posted.name, posted.text


class _Posted(Record):
    name: Slug
    text: Annotated[str, msgspec.Meta(max_length=2000)] = ""
