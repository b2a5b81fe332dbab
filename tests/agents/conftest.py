"""After the tests: how often each agent came out the same, in a table."""

from __future__ import annotations

from typing import Any, Final

import pytest

COLUMNS: Final = {"agent": 16, "version": 12, "script": 26, "calls": 6, "recorded": 9, "equal": 7, "raw": 5, "seconds": 8}


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
