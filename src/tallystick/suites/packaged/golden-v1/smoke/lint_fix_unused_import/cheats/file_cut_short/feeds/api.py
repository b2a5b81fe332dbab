"""What other programs import."""

from feeds.model import FeedError, Item
from feeds.reader import read
from feeds.render import as_json, as_text
from feeds.registry import register

__all__ = ["FeedError", "Item", "as_json", "as_text", "convert", "read", "register"]


def convert(format_name, text, to="text"):
    """A feed as `text` or `json`."""
    items = read(format_name, text)
    return as_json(items) if to == "json" else as_text(items)
