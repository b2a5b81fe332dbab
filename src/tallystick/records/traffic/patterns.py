r"""The patterns of rules: a small part of regular expressions in which no text costs more than its length times a constant.

    alternatives = terms *( "|" terms )
    terms        = 1*( atom [ "?" | "{n}" | "{m,n}" ] | "\b" | "^" | "$" )
    atom         = character | "[" characters and ranges "]" | "\d" | "\w" | "\s" | "\n" | "\t" | "\" punctuation
                 | "(?:" alternatives ")" | "(" alternatives ")"

Characters are printable ASCII; classes are written out, so a pattern says which characters it takes. A repetition takes as much
as it can and gives nothing back, and the first alternative that fits is kept: so each place of a text is looked at by at most
`STEPS` steps, whatever the text is. One group in parentheses, not repeated and in no alternative, says which part of a match is
meant; without it the whole match is. `^` and `$` are the ends of a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, NoReturn

__all__ = ["PatternError", "compile_pattern", "literal_of", "pattern_problem"]

CHARS: Final = 256
"""Characters of a pattern."""

STEPS: Final = 256
"""Steps that one place of a text may cost: the characters of all alternatives, repetitions counted."""

TAKEN: Final = 200
"""Characters that the meant part of a match may have: identifiers have up to 128."""

_NESTED: Final = 8
_QUANTIFIER: Final = re.compile(r"\?|\{(\d{1,3})(?:,(\d{1,3}))?\}").match
_CLASS: Final = re.compile(r"\[((?:\\[dws\\\]^-]|[^\\\[\]^])+)\]").match
_CLASS_ITEM: Final = re.compile(r"\\[dws\\\]^-]|(.)-(.)|.").finditer
_RANGES: Final = ("09", "AZ", "az")
_PLAIN: Final = re.compile(r"[ !\"#%&',/0-9:;<=>@A-Z_`a-z~-]").fullmatch
_ESCAPED: Final = re.compile(r"[.*+?{}()|^$\[\]\\/-]").fullmatch


class PatternError(ValueError):
    """A pattern outside the grammar or its bounds."""


class _Node(NamedTuple):
    """A part of a pattern: as Python writes it, the fewest and most characters it takes, and the steps it may cost.

    `head` is the first character or class, where the part begins with one; `literal` is text that every match holds.
    """

    regex: str
    least: int
    most: int
    steps: int
    head: str = ""
    literal: str = ""


_NOTHING: Final = _Node("", 0, 0, 0)
# Strings are searched with a zero character between them, which no pattern can take.
_PLAIN_OF: Final = {r"\d": "", r"\w": "", r"\s": "", r"\n": "\n", r"\t": "\t"}
_ANCHORS: Final = {"^": r"(?<![^\n\0])", "$": r"(?![^\n\0])"}


@dataclass(slots=True)
class _Parser:
    """Reads a pattern from left to right."""

    text: str
    at: int = 0
    group: _Node | None = None

    def fail(self, why: str) -> NoReturn:
        raise PatternError(f"the pattern {self.text[:60]!r}: {why}")

    def alternatives(self, nested: int) -> _Node:
        if nested > _NESTED:
            self.fail(f"groups are nested deeper than {_NESTED}")
        found = [self.terms(nested)]
        while self.text.startswith("|", self.at):
            self.at += 1
            found.append(self.terms(nested))
        if len(found) == 1:
            return found[0]
        if nested == 0 and self.group is not None:
            self.fail("the group that is meant stands in an alternative")
        least, most = min(node.least for node in found), max(node.most for node in found)
        joined = "|".join(node.regex for node in found)
        return _Node(f"(?>{joined})", least, most, sum(node.steps for node in found))

    def terms(self, nested: int) -> _Node:
        found = [_NOTHING]
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            found.append(self.term(nested))
        if len(found) == 1:
            self.fail(f"nothing stands at character {self.at + 1}")
        least, most = sum(node.least for node in found), sum(node.most for node in found)
        steps = sum(node.steps for node in found)
        regex = _bounded_first(found[1:]) + "".join(node.regex for node in found[3:])
        return _Node(regex, least, most, steps, found[1].head, _longest(found))

    def term(self, nested: int) -> _Node:
        head = self.text[self.at]
        if head in _ANCHORS:
            self.at += 1
            return _Node(_ANCHORS[head], 0, 0, 1)
        if self.text.startswith(r"\b", self.at):
            self.at += 2
            return _Node(r"\b", 0, 0, 1)
        before = self.group
        return self.repeated(self.atom(nested), meant=self.group is not before)

    def atom(self, nested: int) -> _Node:
        if self.text[self.at] == "(":
            return self.parentheses(nested)
        if self.text[self.at] == "[":
            regex = self.characters()
            return _Node(regex, 1, 1, 1, regex)
        regex = self.character()
        return _Node(regex, 1, 1, 1, regex, _PLAIN_OF.get(regex, regex[-1]))

    def parentheses(self, nested: int) -> _Node:
        plain = self.text.startswith("(?:", self.at)
        if not plain and (nested or self.group is not None):
            self.fail("one group may be meant, at the top; write (?:...) for the others")
        self.at += 3 if plain else 1
        inner = self.alternatives(nested + 1)
        if not self.text.startswith(")", self.at):
            self.fail("a parenthesis is not closed")
        self.at += 1
        if plain:
            return inner._replace(regex=f"(?:{inner.regex})", head="")
        self.group = inner
        return inner._replace(regex=f"({inner.regex})", head="")

    def characters(self) -> str:
        found = _CLASS(self.text, self.at)
        if found is None:
            self.fail("a class lists characters and ranges, [0-9a-f]; it is not negated")
        for item in _CLASS_ITEM(found[1]):
            if item[1] and not any(low <= item[1] <= item[2] <= high for low, high in _RANGES):
                self.fail(f"the range {item[0]} is not within 0-9, A-Z or a-z")
        self.at = found.end()
        return found[0]

    def character(self) -> str:
        char = self.text[self.at]
        if char == "\\":
            char = self.text[self.at + 1 : self.at + 2]
            if char not in {"d", "w", "s", "n", "t"} and _ESCAPED(char) is None:
                self.fail(f"the escape \\{char} is not known")
            self.at += 2
            return "\\" + char
        if char in ".*+":
            self.fail(f"{char} is not bounded: name the characters, and how many at most")
        if _PLAIN(char) is None:
            self.fail(f"the character {char!r} needs a backslash, or is not ASCII")
        self.at += 1
        return re.escape(char)

    def repeated(self, node: _Node, *, meant: bool) -> _Node:
        found = _QUANTIFIER(self.text, self.at)
        if found is None:
            return node
        if meant:
            self.fail("the group that is meant is repeated")
        self.at = found.end()
        if self.text.startswith(("?", "+", "{"), self.at):
            self.fail("a repetition is repeated")
        low, high = (0, 1) if found[1] is None else (int(found[1]), int(found[2] or found[1]))
        if low > high or high == 0 or (low == 0 and node.least == 0):
            self.fail(f"the repetition {found[0]} repeats nothing")
        once = f"{node.regex}{{{low},{high}}}+" if low == 0 else _first_apart(node.regex, low, high)
        head, literal = (node.head, node.literal) if low else ("", "")
        return _Node(once, node.least * low, node.most * high, node.steps * high + 1, head, literal)


def _first_apart(regex: str, low: int, high: int) -> str:
    """The first repetition by itself: so Python's search can skip what no match begins with."""
    return regex if high == 1 else f"{regex}{regex}{{{low - 1},{high - 1}}}+"


def _bounded_first(found: list[_Node]) -> str:
    r"""The first two parts. `\b` is looked for behind the first character, so that the search can skip to that one."""
    first, second = found[0], found[1] if len(found) > 1 else _NOTHING
    if first.regex != r"\b" or not second.head:
        return first.regex + second.regex
    return f"{second.head}(?<=\\b{second.head}){second.regex.removeprefix(second.head)}"


def _longest(found: list[_Node]) -> str:
    """The longest text that stands in every match of these parts together."""
    runs = [""]
    for node in found:
        if node.literal and node.most == len(node.literal) == 1:
            runs[-1] += node.literal
        elif node.most:
            runs += [node.literal, ""]
    return max(runs, key=len)


def _parse(pattern: str) -> _Node:
    parser = _Parser(pattern)
    if len(pattern) > CHARS:
        parser.fail(f"longer than {CHARS} characters")
    whole = parser.alternatives(0)
    if parser.at < len(pattern):
        parser.fail("a parenthesis is closed that was not opened")
    taken = parser.group or whole
    if taken.least == 0 or taken.most > TAKEN:
        parser.fail(f"it may take no character, or more than {TAKEN}")
    if whole.steps > STEPS:
        parser.fail(f"one place of a text may cost {whole.steps} steps; at most {STEPS} are allowed")
    return whole


def pattern_problem(pattern: str) -> str | None:
    """Why a pattern may not stand in a rule, or None."""
    try:
        _parse(pattern)
    except PatternError as error:
        return str(error)
    return None


@lru_cache(maxsize=256)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern as Python runs it; group 1, where there is one, is the part that is meant.

    Raises:
        PatternError: it is outside the grammar or its bounds.
    """
    return re.compile(_parse(pattern).regex, re.ASCII)


@lru_cache(maxsize=256)
def literal_of(pattern: str) -> str:
    """Text that every match of a pattern holds, or nothing: where it is absent, nobody need search. Raises `PatternError`."""
    return _parse(pattern).literal
