"""Mutants of a Python source: each differs from it by one small, likely slip. The order is that of the text.

| slip | for |
|---|---|
| another operator | comparisons, arithmetic, `and` `or`, `in` `is` with `not` |
| one more, one less | whole numbers; arguments of `range`; bounds of slices |
| the other constant or function | `True` `False`, `min` `max`, `any` `all`, and the other `PAIRS` |
| a negated condition | `if`, `while`, `assert`, conditional expressions, filters of comprehensions |
| exchanged arguments | calls with two or three positional arguments |
| another name | a local name read in place of another of the same function |
| a part left out | one side of a `+`, `-`, `and`, `or`; `not`; `abs`, `int`, `len` ... around one argument |
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable, Iterator
from typing import NamedTuple

OPERATORS = {
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
    "==": ("!=",),
    "!=": ("==",),
    "+": ("-", "*"),
    "-": ("+",),
    "*": ("//", "+"),
    "//": ("*", "%", "/"),
    "/": ("//", "*"),
    "%": ("//",),
    "+=": ("-=", "="),
    "-=": ("+=",),
    "*=": ("+=",),
    "and": ("or",),
    "or": ("and",),
    "True": ("False",),
    "False": ("True",),
}
PAIRS = (
    ("min", "max"),
    ("any", "all"),
    ("append", "extend"),
    ("startswith", "endswith"),
    ("lstrip", "rstrip"),
    ("find", "rfind"),
    ("split", "rsplit"),
    ("upper", "lower"),
    ("keys", "values"),
    ("floor", "ceil"),
    ("update", "setdefault"),
)
WORDS = {**dict(PAIRS), **{b: a for a, b in PAIRS}}
WRAPPERS = {"abs", "int", "float", "str", "len", "sorted", "reversed", "list", "set", "tuple", "round", "bool"}
MOST_DIGITS = 15
MOST_NAMES = 12
"""Local names of a function that are tried for each other."""


class Edit(NamedTuple):
    """Characters `start` to `end` of the source become `text`."""

    start: int
    end: int
    text: str


def mutants(source: str) -> Iterator[str]:
    """Sources that differ from `source` by one edit and parse, each once; none where `source` does not parse."""
    try:
        tree = ast.parse(source)
        edits = [*_token_edits(source), *_tree_edits(source, tree)]
    except (SyntaxError, ValueError, tokenize.TokenError, RecursionError):
        return
    seen = {source}
    for start, end, text in sorted(edits, key=lambda edit: edit.start):
        mutant = source[:start] + text + source[end:]
        if mutant not in seen and _parses(mutant):
            seen.add(mutant)
            yield mutant


def _parses(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


class _Places:
    """From lines and columns to characters: `tokenize` counts columns in characters, `ast` in bytes of UTF-8."""

    def __init__(self, source: str) -> None:
        self.lines = source.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def of_token(self, place: tuple[int, int]) -> int:
        return self.starts[place[0] - 1] + place[1]

    def span(self, node: ast.AST) -> tuple[int, int]:
        return self._of(node.lineno, node.col_offset), self._of(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def _of(self, line: int, column: int) -> int:
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return self.starts[line - 1] + len(text.encode()[:column].decode(errors="ignore"))


# --- by tokens ---


def _token_edits(source: str) -> Iterator[Edit]:
    places = _Places(source)
    for token in _tokens(source):
        start, end = places.of_token(token.start), places.of_token(token.end)
        for text in _instead(token):
            yield Edit(start, end, text)


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    """Tokens outside of formatted strings: what is inside of them is a token only to newer releases of Python."""
    opens, closes = getattr(tokenize, "FSTRING_START", -1), getattr(tokenize, "FSTRING_END", -1)
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        depth += (token.type == opens) - (token.type == closes)
        if not depth:
            yield token


def _instead(token: tokenize.TokenInfo) -> tuple[str, ...]:
    word = token.string
    if token.type == tokenize.NUMBER and word.isdigit() and len(word) <= MOST_DIGITS:
        return str(int(word) + 1), *([str(int(word) - 1)] if int(word) else [])
    if token.type == tokenize.NAME and word in WORDS:
        return (WORDS[word],)
    return OPERATORS.get(word, ()) if token.type in {tokenize.OP, tokenize.NAME} else ()


# --- by the syntax tree ---


def _tree_edits(source: str, tree: ast.AST) -> Iterator[Edit]:
    places = _Places(source)
    inside = {id(child) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for child in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in inside:
            continue
        for place, text in _node_edits(source, node, places):
            yield Edit(*places.span(place), text)


Change = tuple[ast.AST, str]
"""A node, and the text that takes its place."""
Text = Callable[[ast.AST], str]
"""The source of a node."""


def _node_edits(source: str, node: ast.AST, places: _Places) -> Iterator[Change]:
    def text(part: ast.AST) -> str:
        start, end = places.span(part)
        return source[start:end]

    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert | ast.comprehension):
        conditions = node.ifs if isinstance(node, ast.comprehension) else [node.test]
        yield from ((test, f"not ({text(test)})") for test in conditions)
    elif isinstance(node, ast.Slice):
        yield from _one_more([part for part in (node.lower, node.upper) if part is not None], text)
    elif isinstance(node, ast.Call):
        yield from _call(node, text)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from _names(node)
    elif isinstance(node, ast.expr):
        yield from _parts(node, text)


def _parts(node: ast.expr, text: Text) -> Iterator[Change]:
    """What is left of an expression without its operator, or with the opposite one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node, text(node.operand)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield node, f"({text(node.left)})"
    elif isinstance(node, ast.BoolOp):
        yield from ((node, f"({text(part)})") for part in node.values)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from _opposite(node, text(node.left), text(node.comparators[0]))


def _opposite(node: ast.Compare, left: str, right: str) -> Iterator[Change]:
    words = {ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is"}
    word = words.get(type(node.ops[0]))
    if word is not None:
        yield node, f"{left} {word} {right}"


def _one_more(parts: list[ast.expr], text: Text) -> Iterator[Change]:
    for part in parts:
        if not isinstance(part, ast.Constant):
            yield part, f"{text(part)} + 1"
            yield part, f"{text(part)} - 1"


def _call(node: ast.Call, text: Text) -> Iterator[Change]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name == "range":
        yield from _one_more(list(node.args), text)
    if name in WRAPPERS and len(node.args) == 1 and not node.keywords:
        yield node, f"({text(node.args[0])})"
    if len(node.args) in {2, 3} and not any(isinstance(part, ast.Starred) for part in node.args):
        for at in range(len(node.args) - 1):
            parts = [text(part) for part in (*node.args, *node.keywords)]
            parts[at], parts[at + 1] = parts[at + 1], parts[at]
            yield node, f"{text(node.func)}({', '.join(parts)})"


def _names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Change]:
    """Every local name that is read, replaced by each other one."""
    arguments = function.args
    local = {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)} - {"self", "cls"}
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    local |= {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
    if len(local) > MOST_NAMES:
        return
    for node in nodes:
        if isinstance(node.ctx, ast.Load) and node.id in local:
            yield from ((node, other) for other in sorted(local - {node.id}))
