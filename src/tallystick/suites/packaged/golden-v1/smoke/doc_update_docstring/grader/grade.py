"""Only docstrings changed: the code, its comments and what it computes are the same."""

import ast
import io
import tokenize

from code_before import CODE, COMMENTS

from tally_grader import subject, test

WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def source(path: str) -> bytes:
    """Bytes, since the encoding that a file declares is part of what its code means."""
    content = subject.read(path)
    assert content is not None, f"{path} is missing"
    return content


def without_docstrings(module: bytes) -> str:
    """The code of a module as one text, docstrings taken out."""
    tree = ast.parse(module)
    for node in ast.walk(tree):
        if isinstance(node, WITH_DOCSTRING) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def comments(module: bytes) -> list:
    tokens = tokenize.tokenize(io.BytesIO(module).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


with test("code_unchanged"):
    for path, before in CODE.items():
        assert without_docstrings(source(path)) == without_docstrings(before.encode()), f"{path}: code was changed"

with test("comments_kept"):
    for path, before in COMMENTS.items():
        missing = [comment for comment in before if comment not in comments(source(path))]
        assert not missing, f"{path}: comments are gone: {missing}"

with test("still_runs"):
    result = subject.run(["python3", "-m", "trails", "10.4", "845", "230"])
    assert result.stdout == b"4 h 35 min\n", result.stdout or result.stderr[-300:]
