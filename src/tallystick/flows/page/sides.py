"""A bundle as it stands on a page: its document, the suite it is judged by, and what was verified when the page was made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from tallystick.records.bundle import Bundle, TaskResult
from tallystick.records.containers import BundleFile
from tallystick.records.report import Level, Report, Row, Status, level_of
from tallystick.suites.loading import LoadedSuite

__all__ = ["Origin", "Side"]

Origin = Literal["derived here", "re-run here", "declared", "claimed"]
"""Where a number comes from: from evidence, when the page was made; from running the tests again; from the submitter, for what
nothing can check (times, cost, names); and from the submitter, for what could be checked and was not, or did not hold."""


@dataclass(frozen=True)
class Side:
    """One of the bundles of a page. `mark` is "" where there is only one, else "A" or "B"."""

    mark: str
    path: Path
    file: BundleFile
    suite: LoadedSuite
    report: Report | None

    @property
    def bundle(self) -> Bundle:
        """The bundle's document."""
        return self.file.bundle

    @cached_property
    def _rows(self) -> Mapping[tuple[str, int], Row]:
        return {} if self.report is None else {(row.task_id, row.attempt): row for row in self.report.rows}

    def row(self, result: TaskResult) -> Row | None:
        """What the verifier found for an attempt."""
        return self._rows.get((result.task_id, result.attempt.index))

    @property
    def derived(self) -> Origin:
        """Where the bundle's own numbers come from."""
        reached = self.report is not None and level_of(self.report.level) >= Level.rederived
        return "derived here" if reached else "claimed"

    def verdict(self, result: TaskResult) -> Origin:
        """Where the verdict of an attempt comes from."""
        return "derived here" if self._reached(result, Level.rederived) else "claimed"

    def executed(self, result: TaskResult) -> Origin:
        """Where the outcomes of its tests come from."""
        return "re-run here" if self._reached(result, Level.regraded) else "claimed"

    def _reached(self, result: TaskResult, level: Level) -> bool:
        row = self.row(result)
        return row is not None and row.status is Status.MATCH and level_of(row.level) >= level
