"""What a feed consists of."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """One entry of a feed."""

    title: str
    votes: int


class FeedError(ValueError):
    """A feed that cannot be read; the message says why."""
