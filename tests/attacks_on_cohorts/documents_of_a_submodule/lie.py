from __future__ import annotations

from pathlib import Path

from tests.attacks_on_cohorts.kit import Code, Lie


def move(root: Path) -> None:
    (root / "cohort/0000/.git").write_text("gitdir: elsewhere\n")


LIE = Lie(frozenset({Code.NESTED_REPOSITORY}), move=move, real=False)
