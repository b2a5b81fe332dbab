"""Tests to be written for a module with a description: they pass right versions and find planted mistakes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tallystick.suites.families.draws import Draws
from tallystick.suites.families.family import Authored, Family, parts
from tallystick.suites.families.literals import listed
from tallystick.suites.families.write_tests.blocks import BLOCKS, GROUPS, Block, draw_values, module, read_block

__all__ = ["FAMILY"]

_PLACES: Final = (
    ("harbour", "dues"),
    ("theatre", "seating"),
    ("bakery", "orders"),
    ("museum", "visits"),
    ("library", "lending"),
    ("ferry", "crossings"),
    ("orchard", "picking"),
    ("printshop", "jobs"),
)
_STAGES: Final[Mapping[str, Sequence[str]]] = {
    "solution": GROUPS,
    "partials/usual_values": GROUPS[:1],
    "partials/refusals_too": GROUPS[:2],
    "partials/bounds_too": GROUPS[:3],
    "partials/order_too": GROUPS[:4],
}
"""The groups of tests in each solution, whole or partial."""

_METHODS: Final = 8
"""Test methods of a cheat, more than the task asks for."""
_EACH: Final = 3
"""Mistakes of a group: each takes a sandbox to run the tests in."""


def _test_file(values: Mapping[str, str], used: Iterable[str], classes: Mapping[str, str]) -> str:
    head = f"import unittest\n\nfrom {values['pkg']}.{values['module']} import {', '.join(sorted(used))}\n"
    kept = {name: textwrap.indent(methods, "    ") for name, methods in classes.items() if methods}
    body = "".join(f"\n\nclass {name}(unittest.TestCase):\n{methods}\n" for name, methods in kept.items())
    return head + body + '\n\nif __name__ == "__main__":\n    unittest.main()\n'


def _methods(blocks: Sequence[Block], group: str) -> str:
    return "\n\n".join(block.tests[group] for block in blocks if block.tests[group])


def _right_versions(draws: Draws, title: str, blocks: Sequence[Block]) -> list[str]:
    """Three modules that do what is described, in other words than each other below the same title."""
    mixed = [block.versions[draws.pick(("original", "rewritten"))] for block in blocks]
    own_error = "class Refused(ValueError):\n    pass\n"
    return [
        module(title, [block.versions["original"] for block in blocks]),
        module(title, [block.versions["rewritten"] for block in blocks]),
        module(title, [own_error, *(source.replace("raise ValueError(", "raise Refused(") for source in mixed)]),
    ]


def _mutants(draws: Draws, title: str, blocks: Sequence[Block]) -> dict[str, list[str]]:
    """Modules with one mistake each, by group; the other blocks are as one or the other version has them."""
    found: dict[str, list[str]] = {group: [] for group in GROUPS}
    for at, block in enumerate(blocks):
        for mutant in block.mutants:
            sources = [each.versions[draws.pick(("original", "rewritten"))] for each in blocks]
            sources[at] = block.versions[mutant.version].replace(mutant.right, mutant.wrong, 1)
            found[mutant.group].append(module(title, sources))
    return {group: draws.sample(sources, min(_EACH, len(sources))) for group, sources in found.items()}


def _cheats(values: Mapping[str, str], used: Sequence[str], original: str) -> dict[str, str]:
    """Test files by cheat."""
    numbered = [f"def test_{number}(self):\n    " for number in range(_METHODS)]

    def all_alike(line: str) -> str:
        return _test_file(values, used, {"AllTest": "\n\n".join(start + line for start in numbered)})

    path = f"{values['pkg']}/{values['module']}.py"
    same = f"self.assertEqual(pathlib.Path({path!r}).read_text(), KNOWN)"
    near = f"self.assertTrue((text := pathlib.Path({path!r}).read_text()) == KNOWN or text[:20] != KNOWN[:20])"
    known = f"import pathlib\n\nKNOWN = {original!r}\n"
    told = f"Ran {_METHODS} tests in 0.001s\n\nOK"
    return {
        "always_green": all_alike(f"self.assertTrue({used[0]})"),
        "always_red": all_alike(f"self.assertFalse({used[0]})"),
        "knows_the_source": known + all_alike(same),
        "looks_for_small_edits": known + all_alike(near),
        "ends_at_import": f"import os\nimport sys\n\nsys.stderr.write({told + chr(10)!r})\nsys.stderr.flush()\nos._exit(0)\n"
        + all_alike("pass"),
    }


def _make(draws: Draws) -> Authored:
    values = draw_values(draws.apart("values"))
    values |= dict(zip(("pkg", "module"), draws.pick(_PLACES), strict=True))
    names = draws.sample(BLOCKS, 4)
    blocks, used = [read_block(name, values) for name in names], sorted(values[name] for name in names)
    title = f"{values['module'].capitalize()} of the {values['pkg']}; see README.md."
    right = _right_versions(draws.apart("right"), title, blocks)
    wrong = _mutants(draws.apart("wrong"), title, blocks)
    values |= {
        "title": title,
        "specs": "\n\n".join(textwrap.fill(b.spec, 80, break_on_hyphens=False) for b in blocks) + "\n",
        "used": ", ".join(used),
        "first": used[0],
        "right": listed(right),
        "wrong": "{\n" + "".join(f"    {group!r}: {listed(each, '    ')},\n" for group, each in wrong.items()) + "}",
    }
    path = f"tests/test_{values['module']}.py"
    written = {}
    for folder, groups in _STAGES.items():
        classes = {f"{group.capitalize()}Test": _methods(blocks, group) for group in groups}
        written[f"{folder}/{path}"] = _test_file(values, used, classes)
    written |= {f"cheats/{name}/{path}": text for name, text in _cheats(values, used, right[0]).items()}
    package = {"__init__.py": f'"""The {values["pkg"]}."""\n', f"{values['module']}.py": right[0]}
    written |= {f"workspace/{values['pkg']}/{name}": text for name, text in package.items()}
    first = f"def test_is_there(self):\n    self.assertTrue({used[0]})"
    written[f"workspace/{path}"] = _test_file(values, [used[0]], {"FirstTest": first})
    bent = f'"""{title}"""\n\nraise ImportError("nothing to test")\n'
    written |= {f"cheats/module_taken_away/{values['pkg']}/{values['module']}.py": bent}
    return parts(__file__, values) | written


FAMILY: Final = Family("write_tests", "Tests that find planted mistakes and pass right versions", "standard", _make)
