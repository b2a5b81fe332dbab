"""Reading a feed in any known format."""

import sys
from typing import List, Optional

import feeds.formats_ini
import feeds.formats_lines
import feeds.registry
from feeds.model import FeedError, Item


def read(format_name: str, text: str, limit: Optional[int] = None) -> List[Item]:
    """Items of a feed, at most `limit`; FeedError for an unknown format."""
    try:
        parse = feeds.registry.find(format_name)
    except KeyError:
        raise FeedError(f"unknown format: {format_name}") from None
    return parse(text)[:limit]


def read_stream(format_name: str) -> List[Item]:
    """Items of the feed on standard input."""
    return read(format_name, sys.stdin.read()
