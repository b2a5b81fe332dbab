"""Entries of the book and the arithmetic on them. Amounts are integer cents."""

from typing import Iterable, List, NamedTuple


class Entry(NamedTuple):
    """One line of the book."""

    day: str
    account: str
    cents: int
    memo: str


def parse_line(line: str) -> Entry:
    """Parse `day account amount memo`; ValueError names the bad line."""
    parts = line.split(None, 3)
    if len(parts) < 3:
        raise ValueError(f"not an entry: {line.strip()!r}")
    whole, _, fraction = parts[2].partition(".")
    sign = -1 if whole.startswith("-") else 1
    cents = abs(int(whole)) * 100 + int((fraction + "00")[:2])
    return Entry(parts[0], parts[1], sign * cents, parts[3].strip() if len(parts) > 3 else "")


def read_entries(lines: Iterable[str]) -> List[Entry]:
    """All entries, in the order of the book."""
    kept = (line for line in lines if line.strip() and not line.lstrip().startswith("#"))
    return [parse_line(line) for line in kept]


def net_balance(entries: Iterable[Entry]) -> int
