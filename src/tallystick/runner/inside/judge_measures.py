"""What the static judge counts in a parsed file: unused imports and names, branches, test functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import inspector_names as names  # type: ignore[import-not-found]

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Each of these is one more way through a function. Comprehensions count their `for` and each `if`.
BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.comprehension)


def summed(sources: list[Any]) -> dict[str, int]:
    """The counts over one side of all changed files; a file that this side lacks is None."""
    there = [one for one in sources if one is not None]
    trees = [one.tree for one in there]
    parsed = [tree for tree in trees if tree is not None]
    numbers = [number for tree in parsed for number in complexities(tree)]
    return {
        "files": len(there),
        "unparsed": trees.count(None),
        "unused_imports": sum(len(names.unused_imports(tree)) for tree in parsed),
        "unused_names": sum(unused_names(tree) for tree in parsed),
        "functions": len(numbers),
        "complexity": sum(numbers),
        "worst": max(numbers, default=0),
    }


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a function's body that belong to no function or class inside it."""
    pending: list[ast.AST] = list(getattr(function, "body", []))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, names.BLOCKS):
            pending.extend(ast.iter_child_nodes(node))


def functions(tree: ast.AST) -> list[Any]:
    return [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]


def complexities(tree: ast.AST) -> list[int]:
    """McCabe's number of every function: 1, and 1 for each branch."""
    return [1 + sum(map(branches, own_nodes(function))) for function in functions(tree)]


def branches(node: ast.AST) -> int:
    """More ways through a function because of this node."""
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.Match):
        return len(node.cases)
    extra = len(node.ifs) if isinstance(node, ast.comprehension) else 0
    return extra + (1 if isinstance(node, BRANCHES) else 0)


def unused_names(tree: ast.AST) -> int:
    """Local names of functions that are assigned by a plain statement and read nowhere below the function.

    Names that begin with `_`, that a `global` or `nonlocal` shares, or that stand in a function which calls
    `locals`, `eval` or `exec` are left alone; so are targets of unpacking, loops, `with` and `except`.
    """
    return sum(len(assigned(function) - read_below(function)) for function in functions(tree))


def assigned(function: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in own_nodes(function):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        found.update(target.id for target in targets if isinstance(target, ast.Name) and not target.id.startswith("_"))
    return found


def read_below(function: ast.AST) -> set[str]:
    """Names that something below the function reads, deletes, shares or adds to; those assigned too where all may be read."""
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found | assigned(function) if found & {"locals", "eval", "exec", "vars"} else found


def is_test_file(path: str) -> bool:
    """Whether a path names a file of tests, as unittest and pytest find them, or helpers in a folder of tests."""
    folders, _, name = path.rpartition("/")
    named = name.startswith("test_") or name.endswith("_test.py")
    return named or bool({"test", "tests"} & set(folders.split("/")))


def test_names(source: Any) -> set[str]:
    """Dotted names of the test functions of a file: `test*` at the top, and in classes at the top."""
    if source is None or source.tree is None:
        return set()
    found = set()
    for node in names.statements(source.tree.body):
        if isinstance(node, FUNCTIONS) and node.name.startswith("test"):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            inside = (one for one in names.statements(node.body) if isinstance(one, FUNCTIONS))
            found.update(f"{node.name}.{one.name}" for one in inside if one.name.startswith("test"))
    return found
