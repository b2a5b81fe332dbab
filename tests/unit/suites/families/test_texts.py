"""Small texts that families are made of: lists of Python, places without a value, and a cheat that refuses for ever."""

import ast

import pytest

from tallystick.suites.families.family import without_empty
from tallystick.suites.families.literals import listed
from tallystick.suites.families.varying import refusing_for_ever


@pytest.mark.parametrize("rows", [[], ["a", "it's\n"], [("x", 1, None), {"k": [True]}]])
@pytest.mark.parametrize("indent", ["", "    "])
def test_a_list_has_a_line_for_each_row_and_reads_back(rows: list[object], indent: str) -> None:
    text = listed(rows, indent)
    assert ast.literal_eval(text) == rows
    assert text.count("\n") == len(rows) + 1
    assert text.endswith(f"\n{indent}]")


def test_only_whole_lines_of_empty_places_go() -> None:
    text = "a\n    @{gone}\n@{kept}\nb @{gone}\n"
    assert without_empty(text, {"gone": "", "kept": "x"}) == "a\n@{kept}\nb @{gone}\n"


def test_whoever_refuses_once_refuses_for_ever() -> None:
    module = "def half(number, by=2):\n    if number % by:\n        raise ValueError(number)\n    return number // by\n"
    names: dict[str, object] = {}
    exec(refusing_for_ever(module, "half", "number"), names)
    half = names["half"]
    assert callable(half)
    assert half(4) == 2
    for number in (3, 4):
        with pytest.raises(ValueError, match=r"3|again"):
            half(number)
