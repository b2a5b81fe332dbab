"""Functions that nobody asked to change: their lines, and their results."""

import ast
import json

from days import KEPT, RESULTS

from tally_grader import subject, test

CALL = """
import json, sys
from @{package} import check, report
from @{package}.bookings import Booking
answers = []
for module, name, slots, more in json.load(sys.stdin):
    bookings = [Booking(*slot) for slot in slots]
    answers.append(getattr({"check": check, "report": report}[module], name)(*(bookings if more is None else [bookings, *more])))
print(json.dumps(answers))
"""


def functions(source):
    """Name and text of each function on top of a module, and of whatever else is given a name there."""
    for node in ast.parse(source).body:
        targets = [*getattr(node, "targets", []), getattr(node, "target", None)]
        names = [each.id for target in targets if target for each in ast.walk(target) if isinstance(each, ast.Name)]
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [each.asname or each.name for each in node.names]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names = [node.name]
        plain = not getattr(node, "decorator_list", [])
        yield from ((name, ast.get_source_segment(source, node) if plain else "decorated") for name in names)


with test("lines"):
    for path, blocks in KEPT.items():
        found = list(functions((subject.read(path) or b"").decode("utf-8", "replace")))
        for block in blocks:
            name = block[len("def ") : block.index("(")]
            there = [text for each, text in found if each == name]
            assert there == [block], f"{path} no longer has {name} once, as it was:\n{block}"

with test("results"):
    result = subject.run(["python3", "-c", CALL], stdin=json.dumps([question for question, _ in RESULTS]).encode())
    assert result.exit == 0, f"the package cannot be used: {result.stderr[-300:]!r}"
    answers = json.loads(result.stdout.splitlines()[-1])
    for (question, wanted), got in zip(RESULTS, answers, strict=True):
        assert got == wanted, f"{question[1]} gives {got}, not {wanted}"
