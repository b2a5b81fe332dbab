"""The three modules before the task, without their imports."""

CODE = {
    "feeds/api.py": '''"""What other programs import."""


__all__ = ["FeedError", "Item", "as_json", "as_text", "convert", "read", "register"]


def convert(format_name, text, to="text"):
    """A feed as `text` or `json`."""
    items = read(format_name, text)
    return as_json(items) if to == "json" else as_text(items)
''',
    "feeds/reader.py": '''"""Reading a feed in any known format."""


def read(format_name: str, text: str, limit: Optional[int] = None) -> List[Item]:
    """Items of a feed, at most `limit`; FeedError for an unknown format."""
    try:
        parse = feeds.registry.find(format_name)
    except KeyError:
        raise FeedError(f"unknown format: {format_name}") from None
    return parse(text)[:limit]


def read_stream(format_name: str) -> List[Item]:
    """Items of the feed on standard input."""
    return read(format_name, sys.stdin.read())
''',
    "feeds/render.py": '''"""Printing items."""


if TYPE_CHECKING:
    import typing


def as_text(items: "Iterable[Item]") -> str:
    """Items with equal votes together, most votes first."""
    by_votes = defaultdict(list)
    for item in items:
        by_votes[item.votes].append(item.title)
    lines = []
    for votes in sorted(by_votes, reverse=True):
        lines.append(f"{votes} votes")
        lines.extend(textwrap.indent(title, "  ") for title in by_votes[votes])
    return "\\n".join(lines)


def as_json(items: "Iterable[Item]") -> str:
    """A JSON list of objects."""
    return json.dumps([{"title": item.title, "votes": item.votes} for item in items])
''',
}
