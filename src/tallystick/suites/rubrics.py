"""Rubrics for model judges that came with tally, by name and by digest."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.records.base import digest_of
from tallystick.records.opinion import ModelRubric, parse_rubric

__all__ = ["known_rubrics", "load_rubric", "rubric_names"]

_PACKAGED: Final = Path(__file__).parent / "packaged_rubrics"


def rubric_names() -> tuple[str, ...]:
    """Names of the rubrics, sorted."""
    return tuple(sorted(path.stem for path in _PACKAGED.glob("*.json")))


def load_rubric(name: str) -> ModelRubric:
    """The rubric of a name; raises `InputError` with the names there are."""
    if name not in rubric_names():
        raise InputError(f"no rubric {name[:40]!r}; there are {', '.join(rubric_names())}")
    return parse_rubric((_PACKAGED / f"{name}.json").read_bytes())


def known_rubrics() -> dict[Digest, ModelRubric]:
    """All of them by their digest, by which tasks name them."""
    return {digest_of(rubric): rubric for rubric in map(load_rubric, rubric_names())}
