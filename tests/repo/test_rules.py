"""The source keeps the rules that import contracts cannot express, and each rule sees a planted violation."""

import ast

import pytest

from tests.repo.project import PACKAGE, ROOT, is_task_data
from tests.repo.rules import INSIDE, RULES, Rule, dotted

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if not is_task_data(path))


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_the_source_keeps(rule: Rule) -> None:
    offences = []
    for path in MODULES:
        offences += rule.offences(path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8"))
    assert offences == []


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_planted_violation_is_seen_in_every_place_the_rule_holds(rule: Rule) -> None:
    places = ["core/x.py", "records/x.py", "verify/x.py", "flows/x.py", "cli/x.py", f"{INSIDE}x.py"]
    held = [place for place in places if rule.holds_for(place)]
    assert held
    for place in places:
        offences = rule.offences(place, f'"""Docstring."""\n\n{rule.example}\n')
        assert [offence.startswith(f"{place}:3: ") for offence in offences] == [True] * (place in held)


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("one-codec", "from json import dumps"),
        ("one-codec", "import msgspec; msgspec.json.encode({})"),
        ("one-codec", "from msgspec.json import Encoder"),
        ("one-codec", "import orjson as fast"),
        ("one-digest", "import hashlib as h"),
        ("pure-rooms-read-no-clock", "from datetime import date; date.today()"),
        ("pure-rooms-open-nothing", "import io; io.open('x')"),
        ("environment-only-in-cli", "from os import environ"),
        ("environment-only-in-cli", "from pathlib import Path; Path('~').expanduser()"),
        ("data-is-never-code", "import pickle"),
        ("inside-is-standard-library-only", "from tallystick.core import c1"),
        ("inside-is-standard-library-only", "from . import other"),
    ],
)
def test_other_spellings_are_seen(rule: str, line: str) -> None:
    place = {"pure-rooms": "verify/x.py", "inside-is-": f"{INSIDE}x.py"}.get(rule[:10], "flows/x.py")
    assert len(RULES[rule].offences(place, line)) == 1


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("one-codec", "import json; json.loads('1')"),
        ("one-codec", "import msgspec; msgspec.json.Decoder(int)"),
        ("pure-rooms-open-nothing", "journal.open('x')"),
        ("environment-only-in-cli", "environment = {}"),
        ("data-is-never-code", "re.compile('x')"),
    ],
)
def test_what_only_looks_like_a_violation_is_left_alone(rule: str, line: str) -> None:
    assert RULES[rule].offences("verify/x.py", line) == []


def test_tests_replace_nothing_by_patching() -> None:
    """Fakes implement the project's Protocols; patched names would test the patch."""
    offences = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                name = node.module or ""
            elif isinstance(node, ast.Attribute):
                name = dotted(node)
            else:
                continue
            if name.startswith(("mock.", "unittest.mock")):
                offences.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert offences == []
