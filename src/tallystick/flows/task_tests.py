"""Which files of a repository are tests, and which of these can run without pytest: read from the text, nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

__all__ = ["STAND_IN", "is_test_file", "is_test_part", "parse", "unrunnable"]

STAND_IN: Final = frozenset({"raises", "fail", "skip"})
"""What the runner of hidden tests offers under the name `pytest`."""

_FOLDERS: Final = frozenset({"test", "tests"})
_XUNIT: Final = frozenset(
    {f"{when}_{what}" for when in ("setup", "teardown") for what in ("module", "function", "class", "method")}
    | {"setup", "teardown"}
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_test_part(path: str) -> bool:
    """Whether a path belongs to the tests: below `test/` or `tests/`, or a file that test tools read by its name."""
    *folders, name = path.split("/")
    return any(folder.lower() in _FOLDERS for folder in folders) or name == "conftest.py" or is_test_file(path)


def is_test_file(path: str) -> bool:
    """Whether a path is a Python file in which tests are collected: `test_*.py` or `*_test.py`."""
    name = path.rpartition("/")[2]
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def parse(source: bytes) -> ast.Module | None:
    """The syntax tree of a Python file, None where it does not parse."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None


def unrunnable(path: str, source: bytes) -> list[str]:
    """Why the tests of a file cannot run as plain unittest classes and functions: `path:line: reason` for each."""
    tree = parse(source)
    if tree is None:
        return [f"{path}: does not parse as Python"]
    found = [*_imports(tree), *_uses(tree), *_tests(tree.body, in_class=False)]
    return [f"{path}:{line}: {reason}" for line, reason in sorted(set(found))]


def _imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Names taken from pytest, or plugins of it, that the stand-in lacks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in {"pytest", "_pytest"}:
            for alias in node.names:
                if alias.name not in STAND_IN:
                    yield node.lineno, f"uses pytest.{alias.name}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith(("_pytest", "pytest.", "pytest_")):
                    yield node.lineno, f"imports {alias.name}"


def _uses(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """`pytest.x` for an x that the stand-in lacks."""
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "pytest"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
            if node.attr == "mark":
                yield node.lineno, "uses pytest.mark"
            elif node.attr not in STAND_IN:
                yield node.lineno, f"uses pytest.{node.attr}"


def _tests(body: list[ast.stmt], *, in_class: bool) -> Iterator[tuple[int, str]]:
    """Functions among these statements that pytest would call with fixtures, or around tests."""
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test") and not node.bases:
            yield from _tests(node.body, in_class=True)
        elif isinstance(node, _Function):
            yield from _function(node, in_class=in_class)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, *, in_class: bool) -> Iterator[tuple[int, str]]:
    if node.name in _XUNIT:
        yield node.lineno, f"{node.name}() is called by pytest only"
        return
    if not node.name.startswith("test"):
        return
    if isinstance(node, ast.AsyncFunctionDef):
        yield node.lineno, f"{node.name} is async and needs a plugin"
    arguments = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    static = any(isinstance(each, ast.Name) and each.id in {"staticmethod", "classmethod"} for each in node.decorator_list)
    wanted = arguments[1 if in_class and not static else 0 :] + [each.arg for each in node.args.kwonlyargs]
    if wanted:
        yield node.lineno, f"{node.name} takes the fixtures {', '.join(wanted)}"
