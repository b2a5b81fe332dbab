"""The golden tiers: a packaged suite each, and the operator's own tasks in its place where there are any.

| tier | packaged suite |
|---|---|
| smoke | `golden-smoke-v1`: made by hand, for the first hour |
| standard, stretch, adversarial | `golden-<tier>-v1`: drawn from task families with a fixed seed |

An operator's tasks lie in `.tally/eval/golden/<tier>/`; a tier that has one there has no packaged ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tallystick.core.errors import InputError
from tallystick.records.task import TIERS, Tier
from tallystick.suites.integrity import check_suite
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import load_suite, looks_authored

__all__ = ["TIER_SUITES", "load_tier", "tier_of"]

TIER_SUITES: Final[dict[Tier, str]] = {tier: f"golden-{tier}-v1" for tier in TIERS}
"""The packaged suite of each tier."""


def load_tier(tier: Tier, overrides: Path | None) -> LoadedSuite:
    """The suite of a tier, from `overrides` (`.tally/eval/golden`) where it has a task of that tier. For running only.

    Raises:
        InputError: an operator's task that cannot be read as meant.
    """
    if overrides is not None and looks_authored(overrides) and _has_tasks(overrides / tier):
        own = _own(tier, overrides)
        if own is not None:
            return own
    return load_suite(TIER_SUITES[tier])


def _has_tasks(folder: Path) -> bool:
    return folder.is_dir() and any(not path.name.startswith(".") for path in folder.iterdir())


def _own(tier: Tier, overrides: Path) -> LoadedSuite | None:
    from tallystick.suites import authoring  # noqa: PLC0415  # YAML takes 15 ms

    suite = authoring.compile_suite(overrides)
    tasks = [task for task in suite.tasks if task.tier == tier]
    if not tasks:
        return None
    name = f"golden-{tier}-own"
    document = authoring.assemble(name, tasks, suite.trees, suite.proofs.of({task.id for task in tasks}))
    return LoadedSuite(document, suite.blobs, "reader", check_suite(document))


def tier_of(name: str) -> Tier:
    """The tier of a name; raises `InputError` with the names there are."""
    for tier in TIERS:
        if tier == name:
            return tier
    raise InputError(f"no tier {name[:40]!r}; there are {', '.join(TIERS)}")
