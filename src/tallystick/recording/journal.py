"""The journal of one attempt while it is being written: events in order, numbered here and nowhere else."""

from __future__ import annotations

from typing import TypeVar

from tallystick.core import limits
from tallystick.core.errors import TallyError
from tallystick.records.journal import Event

__all__ = ["Journal", "JournalFullError"]

E = TypeVar("E", bound=Event)


class JournalFullError(TallyError):
    """More events than a journal holds."""


class Journal:
    """Collects the events of one attempt. Only this class gives out `seq`."""

    def __init__(self) -> None:
        self._events: list[Event] = []

    def add(self, kind: type[E], **members: object) -> E:
        """Append an event of class `kind` with the next `seq`."""
        if len(self._events) >= limits.EVENTS_PER_ATTEMPT:
            raise JournalFullError(f"a journal holds at most {limits.EVENTS_PER_ATTEMPT} events")
        event = kind(seq=len(self._events), **members)  # type: ignore[arg-type]  # checked when the receipt is written
        self._events.append(event)
        return event

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything recorded so far."""
        return tuple(self._events)
