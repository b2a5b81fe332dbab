"""A plain-text cash book."""

from ledger.accounts import Account, group
from ledger.entries import Entry, balance, net_balance, parse_line, read_entries

__all__ = ["Account", "Entry", "balance", "group", "net_balance", "parse_line", "read_entries"]
