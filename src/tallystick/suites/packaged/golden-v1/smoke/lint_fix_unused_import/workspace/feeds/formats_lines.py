"""One item a line: `votes title`."""

from feeds.model import FeedError, Item
from feeds.registry import register


@register("lines")
def parse(text):
    """Items in the order of the lines."""
    items = []
    for line in text.splitlines():
        votes, _, title = line.partition(" ")
        if not votes.isdigit():
            raise FeedError(f"no number of votes: {line!r}")
        items.append(Item(title, int(votes)))
    return items
