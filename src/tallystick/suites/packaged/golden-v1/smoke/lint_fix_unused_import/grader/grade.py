"""The package works as before, and apart from its imports its code is the same."""

import ast
import json

from code_before import CODE

from tally_grader import subject, test

API = """
import json
import feeds.api
names = {}
exec("from feeds.api import *", names)
print(json.dumps(sorted(name for name in names if name != "__builtins__")))
"""


def feeds(name: str, to: str, text: bytes) -> str:
    """What the program prints for a feed."""
    result = subject.run(["python3", "-m", "feeds", name, to], stdin=text)
    assert result.exit == 0, f"feeds {name} {to} exited with {result.exit}: {result.stderr[-300:]!r}"
    return result.stdout.decode("utf-8", "replace")


def without_imports(source: bytes) -> str:
    """The code of a module as one text, imports taken out. In bytes: the encoding a file declares is part of its meaning."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [part for part in body if not isinstance(part, (ast.Import, ast.ImportFrom))]
    return ast.dump(tree)


with test("lines_to_text"):
    printed = feeds("lines", "text", b"41 Kestrel\n7 Plover\n41 Merlin\n")
    assert printed == "41 votes\n  Kestrel\n  Merlin\n7 votes\n  Plover\n", printed

with test("ini_to_json"):
    printed = feeds("ini", "json", b"[Curlew]\nvotes = 318\n\n[Dunlin]\nvotes = 2\n")
    assert json.loads(printed) == [{"title": "Curlew", "votes": 318}, {"title": "Dunlin", "votes": 2}]

with test("unknown_format"):
    result = subject.run(["python3", "-m", "feeds", "morse", "text"])
    assert result.exit == 1 and result.stderr == b"feeds: unknown format: morse\n", result.stderr

with test("promised_names"):
    result = subject.run(["python3", "-c", API])
    assert result.exit == 0, f"feeds.api cannot be imported: {result.stderr[-300:]!r}"
    expected = ["FeedError", "Item", "as_json", "as_text", "convert", "read", "register"]
    assert json.loads(result.stdout) == expected

with test("code_unchanged"):
    for path, before in CODE.items():
        source = subject.read(path)
        assert source is not None, f"{path} is missing"
        assert without_imports(source) == without_imports(before.encode()), f"{path}: other code was changed"
