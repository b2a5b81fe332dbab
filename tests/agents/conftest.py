"""Which replays are made, and after them how often each agent came out the same, as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from tests.agents.kit import ONLY

REPLAYS: Final = Path(__file__).parent / "test_replays.py"
COLUMNS: Final = {"agent": 16, "version": 12, "script": 26, "calls": 6, "recorded": 9, "equal": 7, "raw": 5, "seconds": 8}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out replays that nobody asked for, where somebody asked for some."""
    out = [item for item in items if ONLY and isinstance(item, pytest.Function) and _is_left_out(item)]
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in out]


def _is_left_out(item: pytest.Function) -> bool:
    return item.path == REPLAYS and item.callspec.id not in ONLY


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the tests noted; `recorded` and `seconds` are seconds of an attempt, `raw` are replays that needed no rule."""
    reports = [each for reports in terminalreporter.stats.values() for each in reports if isinstance(each, pytest.TestReport)]
    rows: list[dict[str, Any]] = [dict(each.user_properties) for each in reports if each.when == "call"]
    rows = [row for row in rows if "agent" in row]
    if not rows:
        return
    terminalreporter.section("agents run again")
    terminalreporter.line("".join(f"{name:<{width}}" for name, width in COLUMNS.items()))
    for row in sorted(rows, key=lambda row: (row["agent"], row["script"])):
        shown = {**row, "equal": f"{row.get('equal', '-')}/{row.get('replays', '-')}"}
        terminalreporter.line("".join(f"{shown.get(name, '-')!s:<{width}}" for name, width in COLUMNS.items()))
