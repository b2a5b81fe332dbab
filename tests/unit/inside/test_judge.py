"""The static judge's look at source: what it counts, which files it takes for Python 3.11, which mutants it makes."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.unit.inside.protocol import LIB

INTERPRETERS = sorted({sys.executable, *filter(None, (shutil.which(f"python3.{minor}") for minor in range(11, 15)))})
"""This one, and whatever others are at hand: their answers have to be the same."""


Side = str | bytes | None


def document(files: dict[str, tuple[Side, Side]], most: int = 8) -> bytes:
    """The question about files given as (before, after)."""
    rows = []
    for path, sides in files.items():
        row = {"path": path}
        for name, text in zip(("before", "after"), sides, strict=True):
            if text is not None:
                row[name] = base64.b64encode(text.encode() if isinstance(text, str) else text).decode()
        rows.append(row)
    return json.dumps({"files": rows, "mutants": most}).encode()


def ask(python: str, question: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([python, "-I", "-B", str(LIB / "judge.py")], input=question, capture_output=True, check=False)


def look(files: dict[str, tuple[Side, Side]], most: int = 8) -> dict[str, Any]:
    """What the judge says of files given as (before, after)."""
    done = ask(sys.executable, document(files, most))
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def after(source: str | bytes) -> dict[str, int]:
    counts: dict[str, int] = look({"m.py": (None, source)})["after"]
    return counts


TEST = "def test_it():\n    pass\n"


def mutants(old: str | None, new: str, most: int = 100) -> list[str]:
    """Sources of the mutants of a file, given that a test came with it."""
    found = look({"m.py": (old, new), "test_m.py": (None, TEST)}, most)["mutants"]
    assert all(one["path"] == "m.py" for one in found)
    return [base64.b64decode(one["source"]).decode() for one in found]


def test_a_file_that_is_not_there_counts_on_neither_side() -> None:
    said = look({"m.py": (None, "x = 1\n"), "gone.py": ("import os\n", None)})
    assert (said["before"]["files"], said["after"]["files"]) == (1, 1)
    assert (said["before"]["unused_imports"], said["after"]["unused_imports"]) == (1, 0)


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("def f():\n    pass\n", 1),
        ("def f(x):\n    if x:\n        return 1\n    elif x is None:\n        return 2\n", 3),
        ("def f(x):\n    return [y for y in x if y if y > 1]\n", 4),
        ("def f(x, y, z):\n    return x and y and z or x\n", 4),
        ("def f(x):\n    try:\n        pass\n    except OSError:\n        pass\n    except ValueError:\n        pass\n", 3),
        ("def f(x):\n    match x:\n        case 1:\n            pass\n        case _:\n            pass\n", 3),
        ("async def f(x):\n    while x:\n        async for y in x:\n            z = 1 if y else 2\n            print(z)\n", 4),
        ("class C:\n    def f(self):\n        def g(x):\n            if x:\n                pass\n        return g\n", 3),
        ("if x:\n    pass\n", 0),
    ],
)
def test_complexity_is_a_way_through_each_function(source: str, count: int) -> None:
    assert after(source)["complexity"] == count


def test_the_most_complex_function_is_told_apart() -> None:
    said = after("def f():\n    pass\ndef g(x):\n    return x or 1\n")
    assert (said["functions"], said["complexity"], said["worst"]) == (2, 3, 2)


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("x = 1", 1),
        ("x: int = 1", 1),
        ("x = 1; return x", 0),
        ("_x = 1", 0),
        ("x = 1; return lambda: x", 0),
        ("global x; x = 1", 0),
        ("x = 1; return locals()", 0),
        ("x = y = 1; return y", 1),
        ("x, y = 1, 2", 0),
        ("x = 1; x += 1", 0),
        ("for x in (): pass", 0),
        ("x: int", 0),
    ],
)
def test_names_that_nothing_reads(body: str, count: int) -> None:
    assert after(f"def f():\n    {body}\n")["unused_names"] == count


NO_PYTHON: tuple[Side, ...] = (
    b"def f(:\n",
    b"\xff\xfe",
    b"x = 1\0",
    b"type X = int\n",
    b"def f[T](x: T) -> T: return x\n",
    b"try:\n    pass\nexcept A, B:\n    pass\n",
    b"print t'x'\n",
    b'f"{d["a"]}"\n',
    b'f"{x!r:{"w"}}"\n',
    b"f'{\"\\n\".join(x)}'\n",
    b'f"{f"{x}"}"\n',
    b"f\"{f'{d['a']}'}\"\n",
    b"f'''{\nx  # why\n}'''\n",
    b"f'{\nx}'\n",
    b"x = " + b"not " * 300 + b"y\n",
    b"x = " + b"(" * 300 + b"y" + b")" * 300 + b"\n",
    b"x = " + b"1 + " * 5000 + b"1\n",
)
PYTHON: tuple[Side, ...] = (
    "",
    "\ufeffx = 1\r\ny = 2\r",
    "f'{x:#x}'",
    "f'{x:{w}.{p}}'",
    'f"""{d["a"]} {d[\'b\']}"""',
    "f'{{' '}}' f\"{x!r}\"",
    "f'{(lambda x: x)(1)}' # f'{'",
    "rf'\\d{x}\\{y}'",
    r"f'\N{BULLET} {x} \{y}'",
    "f'{x=}' 'plain' r'\\n'",
    "f'{a[1:2]}' f'{ {1: 2}[1] }'",
    "f'{x:\\n}'",
    "def f(\n    x,  # f'{'\n):\n    return f'{x}' \\\n        f'{f\"{x}\"}'\n",
    "except_star = 1\ntry:\n    pass\nexcept* OSError:\n    pass\n",
    "x = '\\d'\n",
)


@pytest.mark.parametrize("source", NO_PYTHON)
def test_what_is_no_python_3_11(source: str | bytes) -> None:
    assert after(source)["unparsed"] == 1


@pytest.mark.parametrize("source", PYTHON)
def test_what_is_python_3_11(source: str | bytes) -> None:
    assert after(source)["unparsed"] == 0


def test_every_interpreter_answers_alike() -> None:
    own = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    files = {f"{at}.py": (None, side) for at, side in enumerate((*NO_PYTHON, *PYTHON, *own))}
    question = document({**files, "test_m.py": (None, TEST)})
    answers = [ask(python, question) for python in INTERPRETERS]
    said = {done.stdout for done in answers if done.returncode not in {126, 127}}  # a name with no interpreter behind it
    assert len(said) == 1
    assert json.loads(said.pop())["after"]["unparsed"] == len(NO_PYTHON)


def test_tests_that_came_and_went() -> None:
    old = "class A:\n    def test_one(self): pass\n    def helper(self): pass\ndef test_two(): pass\n"
    new = "class A:\n    def test_one(self): pass\n    async def test_new(self): pass\nif 1:\n    def test_three(): pass\n"
    said = look({"tests/a.py": (old, new), "m.py": (None, "def test_none(): pass\n"), "x/b_test.py": (None, TEST)})
    assert said["tests"] == {"added": 3, "removed": 1, "files": ["tests/a.py", "x/b_test.py"]}


def test_no_mutant_without_an_added_test() -> None:
    assert look({"m.py": (None, "x = 1 < 2\n")})["mutants"] == []


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("x = a < b", "x = a <= b"),
        ("x = a <= b", "x = a < b"),
        ("x = (a) >= (b)", "x = (a) > (b)"),
        ("x = a == b", "x = a != b"),
        ("x = a not  in b", "x = a in b"),
        ("x = a is not b", "x = a is b"),
        ("x = a in b", "x = a not in b"),
        ("x = a and b", "x = a or b"),
        ("x = a + b", "x = a - b"),
        ("x = a * b", "x = a // b"),
        ("x = a % b", "x = a * b"),
        ("x = 7", "x = (7 + 1)"),
        ("x = True", "x = False"),
        ("x = 'ä' + b", "x = 'ä' - b"),
    ],
)
def test_a_mutation(line: str, changed: str) -> None:
    assert mutants(None, line + "\n") == [changed + "\n"]


@pytest.mark.parametrize(
    "source",
    [
        "x: Literal[1]\n",
        "@f(1)\nclass C: pass\n",
        "match x:\n    case 1: pass\n",
        "x = f'{a + 1}'\n",
        "x = f'{a}' + f'{b}'\n",
        "def f(): return\n",
        "def f(): return None\n",
        "x = (a  # +\n     + b)\n",
        "x = 0xff\n",
        "x = a @ b\n",
        "'text'\n",
    ],
)
def test_what_is_left_alone(source: str) -> None:
    assert mutants(None, source) == []


def test_only_changed_lines_are_mutated() -> None:
    old = "a = 1\nb = 2\nc = 3\n"
    assert mutants(old, "a = 1\nb = 5\nc = 3\n") == ["a = 1\nb = (5 + 1)\nc = 3\n"]
    assert mutants(old, "c = 3\n\na = 1\nb = 2\n") == []  # what only moved has not changed
    assert mutants(old, "a = 1\r\nb = 2\r\nc = 3\r\n") == []
    assert mutants(old, "if a:\n    b = 2\n") == []


def test_mutants_are_bounded_and_spread() -> None:
    source = "".join(f"x{number} = {number}\n" for number in range(100))
    found = mutants(None, source, most=4)
    assert [next(at for at in range(100) if f"({at} + 1)" in text) for text in found] == [0, 25, 50, 75]


def test_a_mutant_is_the_file_with_one_difference() -> None:
    source = "def f(x):\n    if x > 1 and x < 9:\n        return x + 1\n    return 0\n"
    found = mutants(None, source)
    assert len(set(found)) == len(found) == 10
    for text in found:
        compile(text, "m.py", "exec")


def test_a_document_that_is_too_long_is_refused() -> None:
    done = ask(sys.executable, b" " * (17 << 20))
    assert (done.returncode, done.stdout) == (2, b"")
