"""The functions that a change touches: as they were, changed soundly, and changed with a defect."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import filled

__all__ = ["MODULES", "Block", "Composed", "compose", "draw_blocks"]

MODULES: Final = ("rates", "deals", "store", "report", "intake", "app")

_MARK: Final = "  #!"
_IMPORTED: Final = re.compile(r"(?:from \S+ )?import (\w+)")


@dataclass(frozen=True, slots=True)
class Block:
    """A function or two of a module. `texts` are `old`, `sound` and `fault`; a `site` may go on in another module.

    `rule` is what RULES.md says of it and `note` what CHANGE.md says; either may be empty. Where the fault is not in this
    module, `sound` and `fault` are the same.
    """

    module: str
    site: str
    kind: str
    rule: str
    note: str
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Composed:
    """A module in one state, and the lines (first, last) of its blocks by site."""

    text: str
    lines: Mapping[str, tuple[int, int]]


def draw_blocks(draws: Draws, values: Mapping[str, str]) -> dict[str, tuple[str, list[Block]]]:
    """The head and the blocks of each module; of blocks with the same site in one module, one."""
    found = {}
    for module in MODULES:
        text = filled((Path(__file__).parent / f"sites/{module}.txt").read_text(encoding="utf-8"), values)
        _, head, *rest = re.split(r"^=== (?:always|site .*)\n", text, flags=re.MULTILINE)
        titles = re.findall(r"^=== site (\w+) (\w+)$", text, flags=re.MULTILINE)
        ways: dict[str, list[Block]] = {}
        for (site, kind), body in zip(titles, rest, strict=True):
            ways.setdefault(site, []).append(_block(module, site, kind, body))
        found[module] = (head, [draws.pick(alike) for alike in ways.values()])
    return found


def _block(module: str, site: str, kind: str, body: str) -> Block:
    pieces = dict(re.findall(r"^--- (\w+)\n(.*?)(?=^--- |\Z)", body, flags=re.MULTILINE | re.DOTALL))
    texts = {state: pieces[state] for state in ("old", "sound", "fault")}
    return Block(module, site, kind, pieces["rule"].strip(), pieces["note"].strip(), texts)


def compose(head: str, blocks: Sequence[Block], states: Mapping[str, str]) -> Composed:
    """A module whose blocks are in the state of their site, `old` without one; imports that nothing uses are left out."""
    texts = [block.texts[states.get(block.site, "old")].replace(_MARK, "") for block in blocks]
    made = _without_idle_imports(head, "".join(texts))
    lines = {}
    for block, text in zip(blocks, texts, strict=True):
        first = made.count("\n") + 3
        made += text
        lines[block.site] = (first, made.count("\n"))
    return Composed(made, lines)


def _without_idle_imports(head: str, code: str) -> str:
    kept = []
    for line in head.split("\n"):
        match = _IMPORTED.match(line)
        if match is None or re.search(rf"\b{match[1]}\b", code):
            kept.append(line)
    return re.sub(r"\n{3,}(?=[A-Z])", "\n\n", "\n".join(kept))
