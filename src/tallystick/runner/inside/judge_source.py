"""Python source as every interpreter from 3.11 on reads it alike, or not at all.

What differs between interpreters is taken out here, so that a judgement does
not depend on which one made it. A file counts as unparsed unless it is Python
3.11 in UTF-8:

* grammar of later versions is refused by `feature_version`;
* what 3.12 allows inside f-strings (the quotes of the string itself, backslashes,
  comments, line breaks) is refused by a look at the source, since no feature
  version covers it;
* a tree deeper than MAX_DEPTH is refused, far below where any parser gives up.

Columns inside f-strings differ too: nobody may use them (judge_mutants does not).
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from functools import cached_property

GRAMMAR = (3, 11)
MAX_DEPTH = 120
# The prefix and opening quotes of a string literal, and a name or number in code.
_OPENING = re.compile(rb"(?i)(|[bfru]|[bf]r|r[bf])('''|\"\"\"|'|\")")
_WORD = re.compile(rb"[0-9A-Za-z_\x80-\xff]+")


class Source:
    """A file: its lines as the parser counts them, and its tree where there is one."""

    def __init__(self, data: bytes) -> None:
        self.text = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    @cached_property
    def lines(self) -> list[bytes]:
        """Lines without their ends; the first is line 1 of the parser."""
        return self.text.split(b"\n")

    @cached_property
    def starts(self) -> list[int]:
        """Offset of each line in `text`."""
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line) + 1)
        return starts

    @cached_property
    def tree(self) -> ast.Module | None:
        """The tree, or None for what is not Python 3.11."""
        tree = parse(self.text)
        if tree is None or too_deep(tree):
            return None
        return None if any(newer(self, node) for node in outer_strings(tree)) else tree

    def place(self, line: int, column: int) -> int:
        """Offset in `text` of a position of the tree."""
        return self.starts[line - 1] + column

    def span(self, node: ast.expr) -> tuple[int, int]:
        """Start and end of a node in `text`; of no use inside an f-string."""
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self.place(node.lineno, node.col_offset), self.place(end_line, end_column)


def parse(text: bytes) -> ast.Module | None:
    """The tree of UTF-8 source, without a word about its warnings."""
    try:
        decoded = text.decode("utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(decoded, feature_version=GRAMMAR)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def too_deep(tree: ast.AST) -> bool:
    """Whether the tree has more than MAX_DEPTH levels; asked without recursion."""
    level = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True


def outer_strings(tree: ast.AST) -> Iterator[ast.JoinedStr]:
    """Every f-string that is not inside another one."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.JoinedStr):
            yield node
        else:
            pending.extend(ast.iter_child_nodes(node))


def newer(source: Source, node: ast.JoinedStr) -> bool:
    """Whether an f-string needs Python 3.12; 3.11 has refused such a file already.

    Adjacent literals are one node, so every literal in its span is looked at.
    """
    start, end = source.span(node)
    text, at = source.text[start:end], 0
    while at < len(text):
        opening = _OPENING.match(text, at)
        if opening is None:
            at = skip_blank(text, at)
            continue
        at = literal_end(text, opening)
        if at < 0:
            return True
    return False


def skip_blank(text: bytes, at: int) -> int:
    """The offset after what stands between adjacent literals: a comment to its end, or one byte."""
    if text[at : at + 1] == b"#":
        end = text.find(b"\n", at)
        return len(text) if end < 0 else end
    return at + 1


def literal_end(text: bytes, opening: re.Match[bytes]) -> int:
    """The offset after a string literal, as Python 3.11 finds it; -1 where what is inside is not of Python 3.11."""
    prefix = opening[1].lower()
    return Literal(text, opening[2], formatted=b"f" in prefix, raw=b"r" in prefix).end(opening.end())


class Literal:
    """One string literal, read as Python 3.11 does.

    It ends at the first unescaped quote, whatever stands in braces, and code in braces has no backslash and no
    comment, and in single quotes no line break: not in the strings inside it either.
    """

    def __init__(self, text: bytes, quote: bytes, *, formatted: bool, raw: bool) -> None:
        self.text, self.quote, self.formatted, self.raw = text, quote, formatted, raw
        # For every open replacement field: brackets open in its code, -1 in its format specification.
        self.fields: list[int] = []

    def end(self, at: int) -> int:
        while 0 <= at < len(self.text):
            if self.text.startswith(self.quote, at):
                return -1 if self.fields else at + len(self.quote)
            if self.text.startswith(b"\n", at) and len(self.quote) == 1:
                return -1
            at = self.code(at) if self.fields and self.fields[-1] >= 0 else self.literal(at)
        return -1

    def literal(self, at: int) -> int:
        """One step through text outside code; returns the next offset."""
        here = self.text[at : at + 1]
        if here == b"\\":
            return at + (named_escape(self.text, at) if self.formatted and not self.raw else 2)
        if not self.formatted or here not in (b"{", b"}"):
            return at + 1
        if not self.fields and self.text[at + 1 : at + 2] == here:
            return at + 2
        if here == b"{":
            self.fields.append(0)
        elif self.fields:
            self.fields.pop()
        return at + 1

    def code(self, at: int) -> int:
        """One step through the code of a field; -1 where Python 3.11 stops."""
        here = self.text[at : at + 1]
        opening = _OPENING.match(self.text, at)
        if opening:
            return self.inner(opening)
        if here in (b"\\", b"#"):
            return -1
        word = _WORD.match(self.text, at)
        if word:
            return word.end()
        if here in (b"(", b"[", b"{"):
            self.fields[-1] += 1
        elif here in (b")", b"]", b"}") and self.fields[-1]:
            self.fields[-1] -= 1
        elif here == b"}":
            self.fields.pop()
        elif here == b":" and not self.fields[-1]:
            self.fields[-1] = -1
        return at + 1

    def inner(self, opening: re.Match[bytes]) -> int:
        """The offset after a string literal inside code."""
        end = literal_end(self.text, opening)
        inside = self.text[opening.start() : end]
        broken = end < 0 or self.quote in inside or b"\\" in inside or (len(self.quote) == 1 and b"\n" in inside)
        return -1 if broken else end


def named_escape(text: bytes, at: int) -> int:
    r"""Bytes of the escape at `at`: braces of `\N{NAME}` are no replacement field."""
    if text.startswith(b"\\N{", at):
        end = text.find(b"}", at)
        return max(2, end + 1 - at)
    return 2
