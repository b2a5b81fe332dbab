"""Mutants: one small change each to a changed line of a Python file, which a good test notices.

A mutant is a replacement of bytes at a position of the syntax tree, so it is the
same under every interpreter. Nothing inside f-strings, annotations, patterns and
decorators is touched: their columns or their meaning differ, or nothing runs them.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[bytes, bytes]] = {
    ast.Lt: (rb"<(?!=)", b"<="),
    ast.LtE: (rb"<=", b"<"),
    ast.Gt: (rb">(?!=)", b">="),
    ast.GtE: (rb">=", b">"),
    ast.Eq: (rb"==", b"!="),
    ast.NotEq: (rb"!=", b"=="),
    ast.In: (rb"\bin\b", b"not in"),
    ast.NotIn: (rb"\bnot\s+in\b", b"in"),
    ast.Is: (rb"\bis\b", b"is not"),
    ast.IsNot: (rb"\bis\s+not\b", b"is"),
}
ARITHMETIC: dict[type[ast.operator], tuple[bytes, bytes]] = {
    ast.Add: (rb"\+", b"-"),
    ast.Sub: (rb"-", b"+"),
    ast.Mult: (rb"\*", b"//"),
    ast.FloorDiv: (rb"//", b"*"),
    ast.Div: (rb"/", b"*"),
    ast.Mod: (rb"%", b"*"),
}
LOGIC: dict[type[ast.boolop], tuple[bytes, bytes]] = {ast.And: (rb"\band\b", b"or"), ast.Or: (rb"\bor\b", b"and")}
# Fields whose contents are not mutated, and nodes that are not entered.
PASSED_OVER = {"annotation", "returns", "decorator_list", "pattern", "type_params"}
CLOSED = {"JoinedStr", "TemplateStr"}
DIGITS = re.compile(rb"[0-9]{1,18}").fullmatch


class Place(NamedTuple):
    """Bytes `start` to `end` of a file, and what stands there instead."""

    start: int
    end: int
    text: bytes


def places(before: Any, after: Any) -> list[Place]:
    """Every mutation of a changed line, in the order of the file."""
    if after is None or after.tree is None:
        return []
    lines = changed_lines([] if before is None else before.lines, after.lines)
    found = set()
    for node in open_nodes(after.tree):
        for place in of_node(node, after):
            first = after.text.count(b"\n", 0, place.start)
            if first in lines:
                found.add(place)
    return sorted(found)


def apply(source: Any, place: Place) -> bytes:
    """The file with one mutation."""
    mutant: bytes = source.text[: place.start] + place.text + source.text[place.end :]
    return mutant


def changed_lines(old: list[bytes], new: list[bytes]) -> set[int]:
    """Numbers, from 0, of the new lines that take no equal old one: ends that agree first, then from the top.

    A line that only moved has not changed; nor has an empty one.
    """
    old, texts = [line.strip() for line in old], [line.strip() for line in new]
    start = 0
    while start < min(len(old), len(texts)) and old[start] == texts[start]:
        start += 1
    end = 0
    while end < min(len(old), len(texts)) - start and old[-1 - end] == texts[-1 - end]:
        end += 1
    left = Counter(old[start : len(old) - end])
    changed = set()
    for number in range(start, len(texts) - end):
        if left[texts[number]] > 0:
            left[texts[number]] -= 1
        elif texts[number]:
            changed.add(number)
    return changed


def open_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes that may be mutated."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        for field, value in ast.iter_fields(node):
            if field in PASSED_OVER:
                continue
            children = value if isinstance(value, list) else [value]
            pending.extend(child for child in children if isinstance(child, ast.AST) and type(child).__name__ not in CLOSED)


def of_node(node: ast.AST, source: Any) -> Iterator[Place]:
    """The mutations of one node."""
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        for operator, left, right in zip(node.ops, operands, operands[1:], strict=False):
            yield from swapped(source, left, right, COMPARISONS.get(type(operator)))
    elif isinstance(node, ast.BoolOp):
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from swapped(source, left, right, LOGIC[type(node.op)])
    elif isinstance(node, ast.BinOp):
        yield from swapped(source, node.left, node.right, ARITHMETIC.get(type(node.op)))
    elif isinstance(node, ast.Return) and node.value is not None:
        yield from nothing_returned(source, node.value)
    elif isinstance(node, ast.Constant):
        yield from other_constant(source, node)


def swapped(source: Any, left: ast.expr, right: ast.expr, change: tuple[bytes, bytes] | None) -> Iterator[Place]:
    """Another operator between two operands; none where a comment between them could be mistaken for it."""
    if change is None or isinstance(left, ast.JoinedStr) or isinstance(right, ast.JoinedStr):
        return
    start, end = source.span(left)[1], source.span(right)[0]
    between = source.text[start:end]
    found = re.search(change[0], between)
    if found and b"#" not in between:
        yield Place(start + found.start(), start + found.end(), change[1])


def nothing_returned(source: Any, value: ast.expr) -> Iterator[Place]:
    start, end = source.span(value)
    if type(value).__name__ not in CLOSED and source.text[start:end] != b"None":
        yield Place(start, end, b"None")


def other_constant(source: Any, node: ast.Constant) -> Iterator[Place]:
    start, end = source.span(node)
    text = source.text[start:end]
    if text in (b"True", b"False"):
        yield Place(start, end, b"False" if text == b"True" else b"True")
    elif isinstance(node.value, int) and DIGITS(text):
        yield Place(start, end, b"(" + text + b" + 1)")
