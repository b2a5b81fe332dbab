"""The export for the accountant's software."""

import json
from typing import List

from .accounts import group
from .entries import Entry
from .entries import net_balance as sum_of


def export(rows: List[Entry]) -> str:
    """A JSON text; its member names are fixed by the reading software."""
    accounts = [
        {"name": name, "balance": account.balance(), "entries": len(account.entries)}
        for name, account in group(rows).items()
    ]
    return json.dumps({"accounts": accounts, "balance": sum_of(rows)}, sort_keys=True)
