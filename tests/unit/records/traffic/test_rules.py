"""Rule sets: what is a rule, and what is none."""

import pytest

from tallystick.core import c1
from tallystick.records.base import MalformedError, digest_of, write
from tallystick.records.traffic.rules import EMPTY_RULES, NO_RULES, Drop, Rename, RuleSet, Sort, parse_rules
from tests.unit.records.traffic.requests import RULES


def test_a_set_is_read_as_it_was_written() -> None:
    assert parse_rules(write(RULES)) == RULES
    assert digest_of(EMPTY_RULES) == NO_RULES


def test_two_rules_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="same name"):
        RuleSet(rules=(Drop(name="a", pattern="x"), Rename(name="a", pattern="y")))


@pytest.mark.parametrize("pattern", ["a*", ".{1,9}", "(?=x)y"])
def test_an_unbounded_pattern_is_refused_when_made_and_when_read(pattern: str) -> None:
    for make in (Rename, Drop):
        with pytest.raises(ValueError, match="the pattern"):
            make(name="x", pattern=pattern)
    kept = {"_type": "tallystick/rules/v1", "rules": [{"kind": "drop", "name": "x", "pattern": pattern}]}
    with pytest.raises(MalformedError, match="the pattern"):
        parse_rules(c1.encode(kept))


@pytest.mark.parametrize("path", ["", ".", "a.", "[*]", "a[0]", "a[*]b", "a..b", "a b", "$.a", "a\n"])
def test_a_path_is_names_points_and_stars(path: str) -> None:
    with pytest.raises(ValueError, match="path"):
        Sort(name="x", path=path, key="id")


@pytest.mark.parametrize("path", ["a", "a.b", "messages[*].content", "a[*][*].b_2"])
def test_paths_that_may_stand(path: str) -> None:
    assert Sort(name="x", path=path, key="id").path == path
