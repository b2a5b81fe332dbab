"""A plain-text cash book."""

from ledger.accounts import Account, group
from ledger.entries import Entry, balance, parse_line, read_entries

__all__ = ["Account", "Entry", "balance", "group", "parse_line", "read_entries"]
