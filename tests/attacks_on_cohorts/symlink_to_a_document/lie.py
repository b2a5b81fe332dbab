from __future__ import annotations

from pathlib import Path

from tests.attacks_on_cohorts.kit import Code, Lie


def move(root: Path) -> None:
    plan = root / "cohort/0000/plan.json"
    plan.rename(root / "elsewhere.json")
    plan.symlink_to("../../elsewhere.json")


LIE = Lie(frozenset({Code.SYMLINK}), move=move, real=False)
