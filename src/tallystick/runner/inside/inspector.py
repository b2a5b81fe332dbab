"""Inspected assertions: what Python's own parser says about submitted files.

`python3 -I -B inspector.py` reads one JSON document on
stdin, `{"checks": [{id, kind, path, symbol?, text?, pattern?}], "files": {path: base64}}`,
and writes one on stdout, `{"results": [{id, outcome, reason?}]}`. It parses and
never imports. A file that is missing, does not parse or is nested too deeply
fails its checks; a check that is itself wrong is an `error`. Reasons name no
tool version, so that two interpreters give the same text where they agree.
"""

from __future__ import annotations

import ast
import base64
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable
from typing import Any

# `python3 -I` leaves the script's folder out of the path.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import inspector_names as names  # type: ignore[import-not-found]

MAX_INPUT_BYTES = 256 << 20
MAX_REASON_CHARS = 300
# The visitors use about three frames per level of nesting.
RECURSION_LIMIT = 3000

Check = dict[str, str]


class Fail(Exception):  # noqa: N818 - an outcome, not an error
    """The submitted file does not satisfy the check; the message says why."""


class BadCheckError(Exception):
    """The check itself is wrong: unknown kind, missing member, bad pattern."""


class Files:
    """Submitted files by path, each parsed once."""

    def __init__(self, encoded: dict[str, str]) -> None:
        self._encoded = encoded
        self._trees: dict[str, ast.Module | str] = {}

    def content(self, path: str) -> bytes:
        """Raw bytes of a file that must be there."""
        if path not in self._encoded:
            raise Fail("the file is missing")
        return base64.b64decode(self._encoded[path])

    def tree(self, path: str) -> ast.Module:
        """Syntax tree of a file that must parse."""
        if path not in self._trees:
            self._trees[path] = parse(self.content(path))
        tree = self._trees[path]
        if isinstance(tree, str):
            raise Fail(tree)
        return tree


def parse(source: bytes) -> ast.Module | str:
    """The tree, or why there is none."""
    try:
        return ast.parse(source)
    except SyntaxError as error:
        return "does not parse as Python, line %s" % (error.lineno or 1)
    except (RecursionError, MemoryError):
        return "is nested too deeply to parse"
    except (ValueError, LookupError):
        return "does not parse as Python: NUL byte or bad encoding"


def member(check: Check, name: str) -> str:
    value = check.get(name)
    if not isinstance(value, str):
        raise BadCheckError(f"the check has no member {name!r}")
    return value


def symbol_of(check: Check) -> str:
    """The dotted name in the form the parser gives identifiers (NFKC)."""
    return unicodedata.normalize("NFKC", member(check, "symbol"))


def syntax_valid(check: Check, files: Files) -> None:
    files.tree(member(check, "path"))


def symbol_present(check: Check, files: Files) -> None:
    symbol = symbol_of(check)
    if not names.definitions(files.tree(member(check, "path")), symbol):
        raise Fail(f"{symbol} is not defined")


def no_symbol(check: Check, files: Files) -> None:
    """A plain name occurs nowhere; a dotted one is not defined in its scope."""
    tree, symbol = files.tree(member(check, "path")), symbol_of(check)
    if "." in symbol:
        if names.definitions(tree, symbol):
            raise Fail(f"{symbol} is still defined")
        return
    lines = sorted({line for name, line in names.occurrences(tree) if name == symbol})
    if lines:
        where = lines[0] or "of __all__"
        raise Fail(f"{symbol} still occurs, line {where}")


def docstring(check: Check, files: Files) -> str:
    """Docstring of `symbol`, of the module where there is none given."""
    tree = files.tree(member(check, "path"))
    symbol = symbol_of(check) if check.get("symbol") else ""
    nodes: list[Any] = list(names.definitions(tree, symbol)) if symbol else [tree]
    kinds = (*names.BLOCKS, ast.Module)
    texts = [ast.get_docstring(node) for node in nodes if isinstance(node, kinds)]
    what = symbol or "the module"
    if not texts:
        raise Fail(f"{what} is not defined as a function or class")
    # The last definition is the one that stays bound.
    if not (texts[-1] or "").strip():
        raise Fail(f"{what} has no docstring")
    return str(texts[-1])


def has_docstring(check: Check, files: Files) -> None:
    docstring(check, files)


def docstring_contains(check: Check, files: Files) -> None:
    text = member(check, "text")
    if text not in docstring(check, files):
        raise Fail(f"the docstring does not contain {text!r}")


def no_unused_import(check: Check, files: Files) -> None:
    unused = names.unused_imports(files.tree(member(check, "path")))
    if unused:
        line, name = unused[0]
        raise Fail(f"{name} is imported and never used, line {line}")


def matches(check: Check, files: Files) -> None:
    try:
        pattern = re.compile(member(check, "pattern"), re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadCheckError("the pattern is not a regular expression") from error
    try:
        text = files.content(member(check, "path")).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fail("the file is not UTF-8 text") from error
    if pattern.search(text) is None:
        raise Fail("nothing matches the pattern")


def unknown_kind(check: Check, _files: Files) -> None:
    kind = check.get("kind")
    raise BadCheckError(f"unknown kind {kind!r}")


KINDS: dict[str, Callable[[Check, Files], None]] = {
    kind.__name__: kind
    for kind in (
        syntax_valid,
        symbol_present,
        no_symbol,
        has_docstring,
        docstring_contains,
        no_unused_import,
        matches,
    )
}


def judge(check: Check, files: Files) -> dict[str, str]:
    """One result; every way a submitted file can be odd ends in `fail`."""
    result = {"id": str(check.get("id", ""))}
    try:
        KINDS.get(str(check.get("kind")), unknown_kind)(check, files)
    except Fail as error:
        return {**result, "outcome": "fail", "reason": str(error)[:MAX_REASON_CHARS]}
    except (RecursionError, MemoryError):
        return {**result, "outcome": "fail", "reason": "is nested too deeply to inspect"}
    except (BadCheckError, ValueError) as error:
        return {**result, "outcome": "error", "reason": str(error)[:MAX_REASON_CHARS]}
    return {**result, "outcome": "pass"}


def main() -> int:
    """Exit 0 with results for every check, 2 when the document cannot be read."""
    sys.setrecursionlimit(RECURSION_LIMIT)
    data = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    if len(data) > MAX_INPUT_BYTES:
        print(f"inspector: the document is over {MAX_INPUT_BYTES} bytes", file=sys.stderr)
        return 2
    try:
        document = json.loads(data)
        checks, files = document["checks"], Files(document["files"])
    except (ValueError, KeyError, TypeError) as error:
        print(f"inspector: not a document of checks and files: {error}", file=sys.stderr)
        return 2
    json.dump({"results": [judge(check, files) for check in checks]}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
