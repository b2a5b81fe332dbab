"""Which command runs what; targets are looked up by name, so that start-up stays quick."""

import importlib
from typing import Any, Callable

COMMANDS = {
    "net_balance": "ledger.report:balance_lines",
    "export": "ledger.export:export",
    "statement": "ledger.report:statement_lines",
    "sum": "ledger.entries:net_balance",
}


def find(command: str) -> Callable[..., Any]:
    """The function of a command; KeyError for an unknown one."""
    module, _, name = COMMANDS[command].partition(":")
    return getattr(importlib.import_module(module), name)
