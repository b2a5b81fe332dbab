"""Declared rules by which two requests may be called equal. There are three kinds and no other.

| kind | what it does | why it cannot hide a difference |
|---|---|---|
| rename | a value becomes its number, `<uuid:1>` | what was equal stays equal, what was different different |
| drop | a matched part of a string becomes `<name>` | short, of named characters, never a whole string |
| sort | runs of list items are put in the order of a member | every item stays, and stays whole |

A reader takes the rules from its own adapter, never from what it checks.
"""

from __future__ import annotations

import re
from typing import Annotated, Final

import msgspec

from tallystick.core.digest import Digest
from tallystick.records.base import Record, Slug, digest_of, parse
from tallystick.records.traffic.patterns import pattern_problem

__all__ = ["EMPTY_RULES", "NO_RULES", "Drop", "Rename", "Rule", "RuleSet", "Sort", "parse_rules", "pattern_problem"]

RULES: Final = 64
"""Rules of a set: the adapter with most needs nine."""

_PATH: Final = re.compile(r"[A-Za-z_]\w{0,63}(?:\[\*\])*(?:\.[A-Za-z_]\w{0,63}(?:\[\*\])*)*", re.ASCII).fullmatch

Pattern = Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
Member = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class _Rule(Record, tag_field="kind"):
    """Base of a rule; its name stands in the marks it leaves."""

    name: Slug


class Rename(_Rule, tag="rename"):
    """Values that `pattern` matches are numbered. A `handle` is one that the model must quote: it is mapped in answers."""

    pattern: Pattern
    handle: bool = False

    def __post_init__(self) -> None:
        """The pattern is bounded."""
        _check(self.pattern)


class Drop(_Rule, tag="drop"):
    """Parts of strings that `pattern` matches are left out: measured durations."""

    pattern: Pattern

    def __post_init__(self) -> None:
        """The pattern is bounded."""
        _check(self.pattern)


class Sort(_Rule, tag="sort"):
    """Runs of items that have a string `key`, in lists at `path` of the body (`messages[*].content`), stand in its order.

    Members named in `stays` belong to the place and not to the item: a mark on whichever item comes last.
    """

    path: Annotated[str, msgspec.Meta(max_length=256)]
    key: Member
    stays: Annotated[tuple[Member, ...], msgspec.Meta(max_length=8)] = ()

    def __post_init__(self) -> None:
        """The path is names with points and `[*]`."""
        if _PATH(self.path) is None:
            raise ValueError(f"the path {self.path[:60]!r} is not made of names, points and [*]")


Rule = Rename | Drop | Sort


def _check(pattern: str) -> None:
    if problem := pattern_problem(pattern):
        raise ValueError(problem)


class RuleSet(Record, tag_field="_type", tag="tallystick/rules/v1"):
    """The rules of an adapter, in order of precedence within a kind."""

    rules: Annotated[tuple[Rule, ...], msgspec.Meta(max_length=RULES)]

    def __post_init__(self) -> None:
        """A name stands once, so that marks of different rules differ."""
        names = [rule.name for rule in self.rules]
        if len(set(names)) != len(names):
            raise ValueError("two rules have the same name")


EMPTY_RULES: Final = RuleSet(rules=())
NO_RULES: Final[Digest] = digest_of(EMPTY_RULES)


def parse_rules(data: bytes) -> RuleSet:
    """Read a rule set; errors as `records.base.parse`."""
    return parse(data, RuleSet)
