"""Mutants of a source: which slips are taken back, that each parses, and that their order is fixed."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from functools import cache

import pytest

from tallystick.runner.ladder import FREE

SHOW = """
import json, sys
sys.path.insert(0, sys.argv[1])
import ladder_mutants
print(json.dumps(list(ladder_mutants.mutants(sys.stdin.read()))))
"""


@cache
def mutants(source: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", SHOW, str(FREE)], input=source, text=True, capture_output=True, check=True, timeout=60
    )
    return [str(each) for each in json.loads(done.stdout)]


SLIPS = {
    "comparison": ("ok = a < b\n", "ok = a <= b\n"),
    "equality": ("ok = a != b\n", "ok = a == b\n"),
    "membership": ("ok = a in b\n", "ok = a not in b\n"),
    "arithmetic": ("x = a + b\n", "x = a - b\n"),
    "division": ("x = a / b\n", "x = a // b\n"),
    "augmented": ("x -= a\n", "x += a\n"),
    "one_more": ("x = a[1]\n", "x = a[2]\n"),
    "one_less": ("x = a[1]\n", "x = a[0]\n"),
    "range": ("for i in range(n):\n    f(i)\n", "for i in range(n + 1):\n    f(i)\n"),
    "slice": ("x = a[b:c]\n", "x = a[b:c + 1]\n"),
    "boolean": ("x = a and b\n", "x = a or b\n"),
    "constant": ("x = True\n", "x = False\n"),
    "function": ("x = min(a, b)\n", "x = max(a, b)\n"),
    "negated": ("if a:\n    f()\n", "if not (a):\n    f()\n"),
    "filter": ("x = [i for i in a if i]\n", "x = [i for i in a if not (i)]\n"),
    "not_left_out": ("x = not a\n", "x = a\n"),
    "arguments": ("x = f(a, b, c=1)\n", "x = f(b, a, c=1)\n"),
    "names": ("def f(a, b):\n    return a\n", "def f(a, b):\n    return b\n"),
    "side_left_out": ("x = a + 1\n", "x = (a)\n"),
    "wrapper": ("x = abs(a)\n", "x = (a)\n"),
    "after_wide_letters": ("x = 'ü' if a else 'ß'\n", "x = 'ü' if not (a) else 'ß'\n"),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_among_the_mutants(name: str) -> None:
    source, wanted = SLIPS[name]
    found = mutants(source)
    assert wanted in found
    assert len(found) == len(set(found))
    assert source not in found
    for mutant in found:
        ast.parse(mutant)


def test_comments_and_layout_stay() -> None:
    source = "x = (a  +  # why\n     b)\n"
    assert "x = (a  -  # why\n     b)\n" in mutants(source)


def test_formatted_strings_are_left_alone() -> None:
    assert mutants("x = f'{1 + 2}'\n") == []


@pytest.mark.parametrize("source", ["def f(:\n", "x = '\n", "\x00", "", "(" * 500])
def test_what_does_not_parse_has_none(source: str) -> None:
    assert mutants(source) == []
