"""A plain-text cash book."""

from ledger.accounts import Account, group
from ledger.entries import Entry, net_balance, parse_line, read_entries

__all__ = ["Account", "Entry", "group", "net_balance", "parse_line", "read_entries"]
