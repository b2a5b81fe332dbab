"""The inspector: kinds, odd files, wrong checks."""

from __future__ import annotations

import subprocess

import pytest

from tests.unit.inside.protocol import ISOLATED, LIB, inspect

CODE = b'''"""A module."""
import os.path as p
from json import dumps


LIMIT: int = 3
a, (b, *c) = 1, (2, 3)
if LIMIT:
    def hidden(): pass


class Box:
    """A box."""

    size = 1

    def open(self, *, force=False):
        """Open it,
        force or not."""
        inner = 1
        return self.lid

    async def close(self): ...
'''


def outcome(kind: str, source: bytes = CODE, **members: str) -> str:
    return inspect([{"id": "x", "kind": kind, "path": "m.py", **members}], {"m.py": source})["x"]["outcome"]


@pytest.mark.parametrize(
    "symbol", ["p", "dumps", "LIMIT", "a", "b", "c", "hidden", "Box", "Box.size", "Box.open", "Box.close", "Box.open.inner"]
)
def test_symbol_present(symbol: str) -> None:
    assert outcome("symbol_present", symbol=symbol) == "pass"


@pytest.mark.parametrize("symbol", ["os", "json", "open", "Box.hidden", "LIMIT.x", "inner", "Box.open.force", "", "Box."])
def test_symbol_absent(symbol: str) -> None:
    assert outcome("symbol_present", symbol=symbol) == "fail"


@pytest.mark.parametrize(
    "source",
    [
        "old = 1",
        "x = old",
        "x.old",
        "f(old=1)",
        "def old(): pass",
        "class old: pass",
        "def f(old): pass",
        "def f(*old): pass",
        "lambda old: 1",
        "import old",
        "import a.old.b",
        "import a as old",
        "from old import a",
        "from a import old",
        "def f():\n    global old",
        "__all__ = ['old']",
        "__all__ += ('old',)",
        "__all__.extend(['old'])",
        "x: 'old' = 1",
        "def f() -> 'list[old]': ...",
        "try: pass\nexcept E as old: pass",
        "match x:\n    case {'k': old}: pass",
        "match x:\n    case [*old]: pass",
        "match x:\n    case A(old=1): pass",
        "\U0001d428\U0001d425\U0001d41d = 1",
    ],
)
def test_no_symbol_finds_every_use(source: str) -> None:
    assert outcome("no_symbol", source.encode(), symbol="old") == "fail"


@pytest.mark.parametrize(
    "source", ["'old'", "# old", "older = 1", "f'old'", "x = {'old': 1}", "getattr(x, 'old')", "__all__ = ['older']"]
)
def test_no_symbol_leaves_text_alone(source: str) -> None:
    assert outcome("no_symbol", source.encode(), symbol="old") == "pass"


def test_no_symbol_of_a_dotted_name_looks_at_that_scope_only() -> None:
    assert outcome("no_symbol", symbol="Box.open") == "fail"
    assert outcome("no_symbol", symbol="Lid.open") == "pass"


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [("", "pass"), ("Box", "pass"), ("Box.open", "pass"), ("Box.close", "fail"), ("a", "fail"), ("gone", "fail")],
)
def test_has_docstring(symbol: str, expected: str) -> None:
    assert outcome("has_docstring", symbol=symbol) == expected


@pytest.mark.parametrize(
    "source",
    [
        b'def f():\n    """  """',
        b"def f():\n    f'x'",
        b"def f():\n    b'x'",
        b"def f():\n    x = 1\n    'late'",
        b'def f():\n    "doc"\ndef f(): pass',
    ],
)
def test_what_is_no_docstring(source: bytes) -> None:
    assert outcome("has_docstring", source, symbol="f") == "fail"


def test_docstring_contains_is_about_the_cleaned_text() -> None:
    assert outcome("docstring_contains", symbol="Box.open", text="Open it,\nforce") == "pass"
    assert outcome("docstring_contains", symbol="Box.open", text="return") == "fail"


def test_matches_searches_lines() -> None:
    assert outcome("matches", pattern=r"^LIMIT: int = \d$") == "pass"
    assert outcome("matches", pattern=r"^limit") == "fail"
    assert outcome("matches", pattern="(") == "error"
    assert outcome("matches", b"\xff", pattern="x") == "fail"


@pytest.mark.parametrize(
    "source",
    [b"def f(:", b"x = 1\0", b"# coding: klingon\n", b"\xff = 1", b"(" * 5000],
    ids=["syntax", "nul", "codec", "bytes", "brackets"],
)
@pytest.mark.parametrize("kind", ["syntax_valid", "no_symbol", "no_unused_import"])
def test_files_that_do_not_parse_fail(source: bytes, kind: str) -> None:
    assert outcome(kind, source, symbol="q") == "fail"


@pytest.mark.parametrize("source", [b"-" * 100_000 + b"1", b"x" + b".a" * 60_000, b"[" * 90 + b"x" + b"]" * 90])
@pytest.mark.parametrize("kind", ["syntax_valid", "no_symbol", "no_unused_import"])
def test_deep_files_get_an_answer(source: bytes, kind: str) -> None:
    """Whether they parse depends on the interpreter's stack; that it answers does not."""
    assert outcome(kind, source, symbol="q") in {"fail", "pass"}


def test_other_encodings_are_read_as_python_reads_them() -> None:
    assert outcome("symbol_present", b"# coding: latin-1\nna\xefve = 1\n", symbol="naïve") == "pass"
    assert outcome("symbol_present", b"\xef\xbb\xbfx = 1\n", symbol="x") == "pass"


def test_a_missing_file_fails_and_a_wrong_check_errs() -> None:
    checks = [
        {"id": "missing", "kind": "syntax_valid", "path": "other.py"},
        {"id": "kind", "kind": "telepathy", "path": "m.py"},
        {"id": "member", "kind": "no_symbol", "path": "m.py"},
        {"id": "fine", "kind": "syntax_valid", "path": "m.py"},
    ]
    found = inspect(checks, {"m.py": CODE})
    assert {name: result["outcome"] for name, result in found.items()} == {
        "missing": "fail",
        "kind": "error",
        "member": "error",
        "fine": "pass",
    }
    assert found["missing"]["reason"] == "the file is missing"


def test_nothing_of_the_file_is_executed() -> None:
    assert outcome("syntax_valid", b"import sys, os\nos.abort()\n") == "pass"


@pytest.mark.parametrize("document", [b"", b"[]", b'{"checks": []}', b"{", b"\xff"])
def test_what_is_no_document_exits_2(document: bytes) -> None:
    done = subprocess.run([*ISOLATED, str(LIB / "inspector.py")], input=document, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_reasons_are_bounded() -> None:
    check = [{"id": "x", "kind": "symbol_present", "path": "m.py", "symbol": "x" * 5000}]
    assert len(inspect(check, {"m.py": CODE})["x"]["reason"]) <= 300
