"""A unified diff of two texts in bounded time: what others wrote may not hold up whoever looks at it.

The shortest edit script by E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986, greedy form, given up after
`EDITS` edits: then the middle, between what both texts begin and end with, is shown as replaced. `difflib` takes quadratic time
and more for texts that repeat themselves; only its layout of hunks is used.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

__all__ = ["unified"]

EDITS: Final = 600
"""Lines added and removed up to which the shortest script is looked for: 0.2 s at most."""
CONTEXT: Final = 3
Tag = Literal["replace", "delete", "insert", "equal"]
Opcode = tuple[Tag, int, int, int, int]
"""As `difflib`: `equal`, `replace`, `delete` or `insert`, and the ranges in both texts."""
Block = tuple[int, int, int]
"""Equal lines: where they begin in both texts, and how many."""


class _Script(difflib.SequenceMatcher[str]):
    """An edit script that is given, not searched for."""

    def __init__(self, script: list[Opcode]) -> None:
        super().__init__(None, (), ())
        self._script = script

    def get_opcodes(self) -> list[Opcode]:
        """The script."""
        return self._script


def unified(before: Sequence[str], after: Sequence[str], context: int = CONTEXT) -> Iterator[str]:
    """The lines of a unified diff, without the two lines of file names; nothing where the texts are equal."""
    for group in _Script(opcodes(before, after)).get_grouped_opcodes(context):
        if all(tag == "equal" for tag, *_ in group):
            return
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
        for tag, a, b, c, d in group:
            if tag == "equal":
                yield from (f" {line}" for line in before[a:b])
                continue
            yield from (f"-{line}" for line in before[a:b])
            yield from (f"+{line}" for line in after[c:d])


def _range(start: int, stop: int) -> str:
    """A range as `diff -u` writes it: from 1, the length left out where it is 1."""
    length = stop - start
    first = start + 1 if length else start
    return str(first) if length == 1 else f"{first},{length}"


def opcodes(before: Sequence[str], after: Sequence[str]) -> list[Opcode]:
    """How `before` becomes `after`."""
    shortest = min(len(before), len(after))
    head = next((i for i in range(shortest) if before[i] != after[i]), shortest)
    left = shortest - head
    tail = next((i for i in range(left) if before[-1 - i] != after[-1 - i]), left)
    n, m = len(before), len(after)
    middle = _matches(before[head : n - tail], after[head : m - tail])
    blocks = [(x + head, y + head, size) for x, y, size in _blocks(middle)]
    return list(_between([(0, 0, head), *blocks, (n - tail, m - tail, tail), (n, m, 0)]))


def _between(blocks: Iterable[Block]) -> Iterator[Opcode]:
    x = y = 0
    for i, j, size in blocks:
        if i > x or j > y:
            yield ("replace" if i > x and j > y else "delete" if i > x else "insert"), x, i, y, j
        if size:
            yield "equal", i, i + size, j, j + size
        x, y = i + size, j + size


def _blocks(pairs: Iterable[tuple[int, int]]) -> Iterator[Block]:
    """Runs of pairs that follow each other."""
    start, size = (0, 0), 0
    for x, y in pairs:
        if (x, y) != (start[0] + size, start[1] + size):
            if size:
                yield *start, size
            start, size = (x, y), 0
        size += 1
    if size:
        yield *start, size


def _matches(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs of equal lines of a shortest edit script, ascending; none when it takes more than `EDITS` edits."""
    numbers: dict[str, int] = {}
    old = [numbers.setdefault(line, len(numbers)) for line in a]
    new = [numbers.setdefault(line, len(numbers)) for line in b]
    if not set(old) & set(new):
        return []
    n, m = len(a), len(b)
    furthest = {1: 0}
    trail: list[dict[int, int]] = []
    for edits in range(min(EDITS, n + m) + 1):
        trail.append(dict(furthest))
        for k in range(-edits, edits + 1, 2):
            x = furthest[k + 1] if _is_down(furthest, k, edits) else furthest[k - 1] + 1
            while x < n and x - k < m and old[x] == new[x - k]:
                x += 1
            furthest[k] = x
            if x >= n and x - k >= m:
                return _walk_back(trail, n, m)
    return []


def _is_down(furthest: Mapping[int, int], k: int, edits: int) -> bool:
    """Whether the path to diagonal `k` comes from the one above it: an added line."""
    return k == -edits or (k != edits and furthest[k - 1] < furthest[k + 1])


def _walk_back(trail: Sequence[Mapping[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    """The equal lines along the path that ends at (x, y)."""
    pairs = []
    for edits in range(len(trail) - 1, -1, -1):
        seen, k = trail[edits], x - y
        down = _is_down(seen, k, edits)
        origin = k + 1 if down else k - 1
        before = seen[origin] if edits else 0
        start = before + (not down) if edits else 0
        while x > start:
            x, y = x - 1, y - 1
            pairs.append((x, y))
        x, y = before, before - origin
    return pairs[::-1]
