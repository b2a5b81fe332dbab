from __future__ import annotations

from pathlib import Path

from tests.attacks_on_cohorts.kit import Code, Lie


def move(root: Path) -> None:
    folder = root / "cohort/0000"
    folder.rename(root / "elsewhere")
    folder.symlink_to("../elsewhere")


LIE = Lie(frozenset({Code.SYMLINK}), move=move, real=False)
