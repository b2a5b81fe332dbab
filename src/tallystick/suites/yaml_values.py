"""YAML of task files read strictly: no value is anything but what its key asks for.

PyYAML composes the nodes (its safe resolver only names types, it builds nothing). Anchors, aliases, tags, merge keys, doubled
keys and depth are refused here; values are taken from the text as written, so that `1:30`, `no`, `0x10` or `2024-01-01` is
never quietly a number, a boolean or a date.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import yaml

from tallystick.core.errors import InputError
from tallystick.suites.reading import control_character

__all__ = ["AuthoringError", "Value", "parse_yaml", "suggestion"]

MAX_CHARS: Final = 256 * 1024
"""Characters of YAML in one file: a task of 500 assertions needs a tenth."""
MAX_DEPTH: Final = 12
"""Nesting of YAML values: ours need four."""

_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,15})").fullmatch
_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?").fullmatch
_TAGS: Final = {
    "str": "text",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
    "timestamp": "a date",
    "map": "a mapping",
    "seq": "a list",
}


class AuthoringError(InputError):
    """A file of a suite's authoring form that cannot be read as meant: file, line, key, and what is expected there."""


def suggestion(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` for the nearest of `known`, or nothing."""
    near = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.6)
    return f" (did you mean {near[0]!r}?)" if near else ""


class _Composer(yaml.SafeLoader):
    """Composes nodes of bounded depth, without anchors, aliases and tags."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]  # of types-PyYAML
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise yaml.MarkedYAMLError(problem="anchors and aliases are not allowed", problem_mark=event.start_mark)
        if getattr(event, "tag", None) is not None:
            raise yaml.MarkedYAMLError(problem="tags (!) are not allowed", problem_mark=event.start_mark)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise yaml.MarkedYAMLError(problem=f"nested deeper than {MAX_DEPTH} levels", problem_mark=event.start_mark)
        node: yaml.Node | None = super().compose_node(parent, index)
        self.depth -= 1
        return node


def parse_yaml(text: str, file: str, first_line: int = 1) -> Value:
    """The top mapping of `text`; `first_line` is its line in `file`.

    Raises:
        AuthoringError: too long, not YAML, or no mapping.
    """
    if len(text) > MAX_CHARS:
        raise AuthoringError(f"{file}: {len(text)} characters of YAML; at most {MAX_CHARS} are read")
    try:
        composer = _Composer(text)
        node = composer.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = first_line + (mark.line if mark else 0)
        raise AuthoringError(f"{file}:{line}: not YAML as it is read here: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise AuthoringError(f"{file}: not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(node, yaml.MappingNode):
        raise AuthoringError(f"{file}:{first_line}: expected `key: value` lines")
    return Value(node, file, "", first_line)


@dataclass(frozen=True, slots=True)
class Value:
    """One YAML value and where it stands; each method reads it as the type its key wants, or raises `AuthoringError`."""

    node: yaml.Node
    file: str
    key: str
    first_line: int

    def error(self, message: str) -> AuthoringError:
        """An error at this value: `file:line: key: message`."""
        line = self.first_line + self.node.start_mark.line
        return AuthoringError(f"{self.file}:{line}: {self.key + ': ' if self.key else ''}{message}")

    @property
    def kind(self) -> str:
        """`str`, `int`, `float`, `bool`, `null`, `timestamp`, `map`, `seq`, or another tag."""
        return str(self.node.tag).removeprefix("tag:yaml.org,2002:")

    def _wrong(self, expected: str) -> AuthoringError:
        found = _TAGS.get(self.kind, self.kind)
        if isinstance(self.node, yaml.ScalarNode) and self.kind not in {"str", "null"}:
            found += f" ({self.node.value[:40]})"
        return self.error(f"expected {expected}, found {found}")

    def raw(self) -> str:
        """A scalar as it is written, whatever YAML takes it for."""
        if not isinstance(self.node, yaml.ScalarNode):
            raise self._wrong("a word")
        return str(self.node.value)

    def text(self) -> str:
        """Text without control characters but tab and line feed."""
        if self.kind != "str":
            quote = "text in quotes" if isinstance(self.node, yaml.ScalarNode) and self.kind != "null" else "text"
            raise self._wrong(quote)
        text = self.raw()
        if control_character(text):
            raise self.error("expected text without control characters")
        return text

    def integer(self) -> int:
        """A whole number in plain decimal digits."""
        if self.kind != "int" or not _INT(self.raw()):
            raise self._wrong("a whole number in decimal digits")
        return int(self.raw())

    def number(self) -> Decimal:
        """A number not below zero, with at most six fractional digits."""
        if self.kind not in {"int", "float"} or not _NUMBER(self.raw()):
            raise self._wrong("a plain number such as 1 or 0.25")
        return Decimal(self.raw())

    def boolean(self) -> bool:
        """`true` or `false`, not the other spellings of YAML 1.1."""
        if self.kind != "bool" or self.raw() not in {"true", "false"}:
            raise self._wrong("true or false")
        return self.raw() == "true"

    def items(self) -> list[Value]:
        """The values of a list; each is named `key[n]`."""
        if not isinstance(self.node, yaml.SequenceNode):
            raise self._wrong("a list")
        named = enumerate(self.node.value)
        return [Value(node, self.file, f"{self.key}[{index}]", self.first_line) for index, node in named]

    def texts(self) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(item.text() for item in self.items())

    def mapping(self) -> dict[str, Value]:
        """The members of a mapping by their names, which are text and stand once each."""
        if not isinstance(self.node, yaml.MappingNode):
            raise self._wrong("a mapping")
        members: dict[str, Value] = {}
        for key_node, node in self.node.value:
            name = Value(key_node, self.file, self.key, self.first_line)
            key = name.text()
            if key in members:
                raise name.error(f"the key {key!r} stands twice")
            members[key] = Value(node, self.file, f"{self.key}.{key}" if self.key else key, self.first_line)
        return members

    def members(self, known: Iterable[str]) -> dict[str, Value]:
        """The members of a mapping that has no others than `known`."""
        members = self.mapping()
        wanted = frozenset(known)
        for name, value in members.items():
            if name not in wanted:
                place = Value(value.node, self.file, self.key, self.first_line)
                raise place.error(f"unknown key {name!r}{suggestion(name, wanted)}")
        return members
