"""What is compared of a request: method, path, query, a few headers and the body, in one spelling and after declared rules.

The order is sort, drop, rename. Text of all strings is searched at once, so the cost is the length of the request times the
number of rules. Specification: docs/spec/cassette.md.
"""

from __future__ import annotations

import base64
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from tallystick.core.digest import Digest, sha256
from tallystick.records.traffic.foreign import ForeignJsonError, JsonValue, Marked, read_json, write_json
from tallystick.records.traffic.ordering import sort_lists
from tallystick.records.traffic.patterns import compile_pattern, literal_of
from tallystick.records.traffic.rules import Drop, Rename, RuleSet, Sort

__all__ = ["COMPARED_HEADERS", "Normal", "normalise", "public_query"]

COMPARED_HEADERS: Final = ("anthropic-beta", "anthropic-version", "openai-beta")
"""The others name sessions, versions of runtimes and the number of a retry, and never compare equal."""

VALUES: Final = 250_000
"""Values of a body that is compared as JSON: a thousand turns with all their tools have some ten thousand."""

_SECRET_PARAMETERS: Final = frozenset({"key", "api_key", "access_token"})
_ESCAPE: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_BETWEEN: Final = "\0"


@dataclass(frozen=True, slots=True)
class Normal:
    """A normalised request.

    `text` is its canonical text and `digest` that of the text. `values` are what was renamed, in order of first occurrence, so
    that two equal requests have lists of equal length; `handles` are those of them that a handle rule matched. `spans` counts
    what rules touched: 0 means that no rule was needed.
    """

    digest: Digest
    document: dict[str, JsonValue]
    spans: int
    values: tuple[str, ...]
    handles: frozenset[str]
    text: bytes


def normalise(rules: RuleSet, method: str, path: str, query: str, headers: Iterable[tuple[str, str]], body: bytes) -> Normal:
    """Bring a request into the form that is compared."""
    document: dict[str, JsonValue] = {
        "method": method,
        "path": path,
        "query": public_query(query),
        "headers": _compared(headers),
    }
    document |= _body(body)
    moved = sort_lists(document.get("body"), [rule for rule in rules.rules if isinstance(rule, Sort)])
    marks = _Marks(rules)
    marks.apply(document)
    text = write_json(document).encode("ascii")
    return Normal(sha256(text), document, moved + marks.spans, tuple(marks.values), frozenset(marks.handles), text)


def public_query(query: str) -> str:
    """A query without the parameters that hold secrets."""
    parts = query.split("&")
    return "&".join(part for part in parts if _unescaped(part.partition("=")[0]).lower() not in _SECRET_PARAMETERS)


def _unescaped(name: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), name)


def _compared(headers: Iterable[tuple[str, str]]) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    for name, value in headers:
        if (low := name.lower()) in COMPARED_HEADERS:
            found[low] = f"{found[low]}, {value}" if low in found else value
    return found


def _body(body: bytes) -> dict[str, JsonValue]:
    """A body under a name that says how it was read; none where there is none."""
    if not body:
        return {}
    try:
        return {"body": read_json(body, values=VALUES)}
    except ForeignJsonError:
        pass
    try:
        return {"body_text": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"body_base64": base64.b64encode(body).decode("ascii")}


class _Leaf(NamedTuple):
    """A string of the document: `inside[at]`."""

    inside: dict[str, JsonValue] | list[JsonValue]
    at: str | int
    text: str

    def may_drop(self, document: dict[str, JsonValue]) -> bool:
        """Only in the body is something measured."""
        return self.inside is not document["headers"] and (self.inside is not document or str(self.at).startswith("body"))


def _leaves(value: JsonValue, found: list[_Leaf]) -> None:
    """Collect the strings of a value, members in the order of their names."""
    if isinstance(value, dict):
        for name in sorted(value):
            _visit(value, name, value[name], found)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            _visit(value, place, item, found)


def _visit(inside: dict[str, JsonValue] | list[JsonValue], at: str | int, item: JsonValue, found: list[_Leaf]) -> None:
    if isinstance(item, str):
        found.append(_Leaf(inside, at, item))
    else:
        _leaves(item, found)


class _Span(NamedTuple):
    start: int
    end: int
    rule: Drop | Rename


class _Marks:
    """Applies the drop and rename rules of a set to one document."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules: list[Drop | Rename] = [rule for rule in rules.rules if isinstance(rule, Drop)]
        self._rules += [rule for rule in rules.rules if isinstance(rule, Rename)]
        self._numbers: dict[tuple[str, str], int] = {}
        self._counts: dict[str, int] = {}
        self.values: list[str] = []
        self.handles: set[str] = set()
        self.spans = 0

    def apply(self, document: dict[str, JsonValue]) -> None:
        """Put `Marked` strings in place of those that a rule touches."""
        if not self._rules:
            return
        leaves: list[_Leaf] = []
        _leaves(document, leaves)
        starts = [0, *accumulate(len(leaf.text) + 1 for leaf in leaves)]
        by_leaf: dict[int, list[_Span]] = {}
        for span in self._chosen(_BETWEEN.join(leaf.text for leaf in leaves)):
            by_leaf.setdefault(bisect_right(starts, span.start) - 1, []).append(span)
        for index, spans in by_leaf.items():
            leaf, offset = leaves[index], starts[index]
            if not leaf.may_drop(document) or _nothing_left(leaf.text, offset, spans):
                spans = [span for span in spans if isinstance(span.rule, Rename)]  # noqa: PLW2901 - the rest of them
            self._mark(leaf, offset, spans)

    def _chosen(self, text: str) -> list[_Span]:
        """The matches in order of their place; where two overlap, a drop wins over a rename and then the earlier rule."""
        taken = bytearray(len(text))
        chosen = []
        for rule in self._rules:
            if literal_of(rule.pattern) not in text:
                continue
            pattern = compile_pattern(rule.pattern)
            for found in pattern.finditer(text):
                start, end = found.span(pattern.groups)
                if taken.find(1, start, end) < 0:
                    taken[start:end] = b"\1" * (end - start)
                    chosen.append(_Span(start, end, rule))
        return sorted(chosen, key=lambda span: span.start)

    def _mark(self, leaf: _Leaf, offset: int, spans: Sequence[_Span]) -> None:
        if not spans:
            return
        self.spans += len(spans)
        cuts = [0, *(place - offset for span in spans for place in span[:2]), len(leaf.text)]
        between = tuple(leaf.text[start:end] for start, end in zip(cuts[::2], cuts[1::2], strict=True))
        marks = tuple(self._name(span.rule, leaf.text[span.start - offset : span.end - offset]) for span in spans)
        leaf.inside[leaf.at] = Marked(between, marks)  # type: ignore[index] # the place that it was found at

    def _name(self, rule: Drop | Rename, value: str) -> str:
        if isinstance(rule, Drop):
            return f"<{rule.name}>"
        number = self._numbers.get((rule.name, value))
        if number is None:
            number = self._counts[rule.name] = self._counts.get(rule.name, 0) + 1
            self._numbers[rule.name, value] = number
            self.values.append(value)
            if rule.handle:
                self.handles.add(value)
        return f"<{rule.name}:{number}>"


def _nothing_left(text: str, offset: int, spans: Sequence[_Span]) -> bool:
    """Whether drops would leave nothing of a string but white space."""
    at, left = 0, []
    for span in spans:
        if isinstance(span.rule, Drop):
            left.append(text[at : span.start - offset])
            at = span.end - offset
    return at > 0 and not "".join((*left, text[at:])).strip()
