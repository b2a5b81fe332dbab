"""What a library offers: before and after its new version, and a caller of either."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import filled

__all__ = ["CHANGED", "MODULES", "Feature", "draw_features"]

CHANGED: Final[Mapping[str, int]] = {"renamed": 2, "defaults": 2, "results": 2, "errors": 1, "state": 1}
"""Groups of features, and how many of each the new version changes."""
MODULES: Final = ("intake", "plan", "money", "lists")

_NAMES: Final = {
    "read": ("rows", "read_rows", "table"),
    "read_new": ("parse", "rows_of", "load_rows"),
    "clamp": ("clamp", "limit", "bound"),
    "clamp_new": ("between", "within", "confine"),
    "group": ("group", "collect", "gather"),
    "group_new": ("grouped", "by_key", "buckets"),
    "cells": ("cells", "fields", "columns"),
    "rounded": ("rounded", "nearest", "units"),
    "joined": ("joined", "format_row", "glue"),
    "elapsed": ("elapsed", "time_between", "lasted"),
    "steps": ("steps", "count_up", "progression"),
    "place": ("place", "position", "spot"),
    "number": ("number", "whole", "as_number"),
    "fetch": ("fetch", "lookup", "entry"),
    "order": ("order", "arrange", "tidy"),
    "extended": ("extended", "combine", "overlay"),
}


@dataclass(frozen=True, slots=True)
class Feature:
    """A function of the library. `library` is its code by version (`old`, `new`), `callers` the program's by `caller`, `fixed`.

    What has not changed is the same in both. `visible` is a line of a visible test, `probes` the grader's questions.
    """

    group: str
    module: str
    changed: bool
    library: Mapping[str, str]
    callers: Mapping[str, str]
    changelog: str
    visible: str
    probes: str


def draw_features(draws: Draws, library: str) -> list[Feature]:
    """All features, in the order of their groups, as many of each changed as `CHANGED` says."""
    names = {"lib": library} | {role: draws.pick(found) for role, found in _NAMES.items()}
    features = []
    for group, count in CHANGED.items():
        text = (Path(__file__).parent / f"features/{group}.txt").read_text(encoding="utf-8")
        blocks = re.split(r"^=== ", text, flags=re.MULTILINE)[1:]
        changed = draws.sample(range(len(blocks)), count)
        for at, block in enumerate(blocks):
            numbers = dict(zip(("n1", "n2", "n3"), map(str, draws.sample(range(11, 60), 3)), strict=True))
            made = filled(block, names | numbers | {"d1": str(draws.between(1, 9))})
            features.append(_feature(group, made, changed=at in changed))
    return features


def _feature(group: str, block: str, *, changed: bool) -> Feature:
    title, _, rest = block.partition("\n")
    pieces = dict(re.findall(r"^--- (\w+)\n(.*?)(?=^--- |\Z)", rest, flags=re.MULTILINE | re.DOTALL))
    return Feature(
        group=group,
        module=title.split()[1],
        changed=changed,
        library={"old": pieces["old"], "new": pieces["new" if changed else "old"]},
        callers={"caller": pieces["caller"], "fixed": pieces["fixed" if changed else "caller"]},
        changelog=pieces["changelog"].strip() if changed else "",
        visible=pieces["visible"].strip(),
        probes=pieces["probes"].strip().replace("null", "None"),
    )
