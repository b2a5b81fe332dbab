"""Where a cohort stands, for tests that kill what acts on it: it must hold, whatever was killed."""

from __future__ import annotations

import shutil
from pathlib import Path

from tallystick.flows.cohort.folder import CohortFolder
from tallystick.flows.cohort.history import validate_history
from tallystick.flows.cohort.opening import Where, validated
from tallystick.suites.cohorts.validating import Options
from tests.support.cohort_lives import PATH

__all__ = ["Standing", "copied", "settled", "standing"]

Standing = tuple[int, str, bool] | None
"""How many acts a cohort has had, its stage, and whether another one took its place; None where there is no cohort."""


def copied(kept: Path, root: Path) -> None:
    """Put a folder back as it was kept."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(kept, root, symlinks=True)


def standing(where: Where) -> Standing:
    """How far a cohort has come; snapshot and history must hold."""
    if not where.folder.exists():
        return None
    found = validate_history(where, PATH)
    if found.cohort is None and not found.entries:
        assert [finding.code.value for finding in found.findings] == ["history-missing"]
        return None
    assert found.findings == (), found.findings
    assert found.state is not None
    assert found.cohort is not None
    assert validated(where, found.cohort, Options()).ok
    file = where.root / where.path
    if file.exists():
        assert validated(where, file.read_bytes(), Options()).ok
    return len(found.entries), found.state.stage, found.state.successor is not None


def settled(where: Where) -> None:
    """Whoever opens the cohort for an act finishes the one that was killed, and sweeps what it left."""
    with CohortFolder.open(where.folder) as folder:
        folder.finish(folder.snapshot())
    hidden = [path.name for path in where.folder.iterdir() if path.name.startswith(".")]
    assert hidden == []
