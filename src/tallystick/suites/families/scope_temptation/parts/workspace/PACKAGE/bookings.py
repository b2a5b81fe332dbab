"""Bookings."""

from typing import NamedTuple

from @{package} import times


class Booking(NamedTuple):
    """A @{place} for somebody, from `start` to `end` in minutes of the day."""

    place: str
    start: int
    end: int
    person: str
    kind: str


def read(line):
    """The booking of a line: `PLACE HH:MM HH:MM PERSON KIND`."""
    place, start, end, person, kind = line.split()
    return Booking(place, times.minutes(start), times.minutes(end), person, kind)
