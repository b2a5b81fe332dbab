"""Text reports."""

from typing import Iterable, List

from ledger import entries as book
from ledger.accounts import group


def money(cents: int) -> str:
    """`-12.50` for -1250."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def balance_lines(rows: List[book.Entry]) -> List[str]:
    """One line per account, then the sum."""
    lines = [f"{name}: {money(account.balance())}" for name, account in group(rows).items()]
    return [*lines, f"balance: {money(book.net_balance(rows))}"]


def statement_lines(rows: Iterable[book.Entry]) -> List[str]:
    """Every entry with the running balance after it."""
    balance = 0
    lines = ["day account amount balance"]
    for row in rows:
        balance += row.cents
        lines.append(f"{row.day} {row.account} {money(row.cents)} {money(balance)}")
    return lines
