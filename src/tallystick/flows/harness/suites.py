"""Which suite an attempt or a telemetry file speaks of: the reader's own, a packaged one, or an operator's tier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.records.task import TIERS, Task, Tier
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import UnknownSuiteError, load_suite, packaged_names
from tallystick.suites.tiers import load_tier

__all__ = ["KnownSuites"]


@dataclass
class KnownSuites:
    """The suites of one evaluation. `overrides` is `.tally/eval/golden`, `given` what the reader names with --suite."""

    overrides: Path
    given: LoadedSuite | None = None
    _tiers: dict[Tier, LoadedSuite | None] = field(default_factory=dict)

    def tier(self, tier: Tier) -> LoadedSuite | None:
        """The suite of a tier, or None where this tally has none and the operator neither.

        Raises:
            InputError: an operator's task that cannot be read as meant.
        """
        if tier not in self._tiers:
            try:
                self._tiers[tier] = load_tier(tier, self.overrides)
            except UnknownSuiteError:
                self._tiers[tier] = None
        return self._tiers[tier]

    def of_bundle(self, version: str, suite_hash: Digest) -> LoadedSuite:
        """The suite that a bundle or run is about.

        Raises:
            InputError: nothing of that name and hash is here.
        """
        if self.given is not None and self.given.suite_hash == suite_hash:
            return self.given
        if version in packaged_names():
            return load_suite(version)
        for tier in TIERS:
            suite = self.tier(tier)
            if suite is not None and suite.suite_hash == suite_hash:
                return suite
        raise InputError(f"it is about the suite {version[:80]}, which is not here as it was then; give it with --suite")

    def find_task(self, task_id: str, tiers: frozenset[Tier]) -> tuple[LoadedSuite, Task] | None:
        """The task that telemetry names: of the given suite, else of one of the tiers."""
        for suite in self._with_tasks(tiers):
            for task in suite.tasks:
                if task.id == task_id:
                    return suite, task
        return None

    def _with_tasks(self, tiers: frozenset[Tier]) -> Iterator[LoadedSuite]:
        if self.given is not None:
            yield self.given
        for tier in TIERS:
            suite = self.tier(tier) if tier in tiers else None
            if suite is not None:
                yield suite
