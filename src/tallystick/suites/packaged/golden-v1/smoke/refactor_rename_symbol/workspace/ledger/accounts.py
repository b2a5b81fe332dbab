"""Entries grouped by account."""

from typing import Dict, Iterable, List

from ledger.entries import Entry, balance


class Account:
    """One account with its entries."""

    def __init__(self, name: str, entries: List[Entry]) -> None:
        self.name = name
        self.entries = entries

    def balance(self) -> int:
        """What the account holds, in cents."""
        return balance(self.entries)

    def overdrawn(self) -> bool:
        """Whether the account is below zero."""
        return self.balance() < 0


def group(entries: Iterable[Entry]) -> Dict[str, Account]:
    """Accounts by name, in the order in which they first occur."""
    accounts: Dict[str, Account] = {}
    for entry in entries:
        accounts.setdefault(entry.account, Account(entry.account, [])).entries.append(entry)
    return accounts
