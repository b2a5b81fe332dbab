"""Why a document is not valid: a schema of ours as one function that lists every offence with its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tallystick.records.cohort.deciding import Decider
from tallystick.records.cohort.keywords import ABOUT, LEAVES, Keyword, leaf, no_others, shown

__all__ = ["EnoughError", "Errors", "Lister", "Path", "Rule"]

Path = tuple[str | int, ...]


class EnoughError(Exception):
    """As many offences were found as were asked for. It stays inside this folder."""


@dataclass(slots=True)
class Errors:
    """Offences found so far, and how many are enough."""

    enough: int
    found: list[tuple[Path, str]] = field(default_factory=list)

    def add(self, path: Path, message: str) -> None:
        """Note one.

        Raises:
            EnoughError: it was the last one asked for.
        """
        self.found.append((path, message))
        if len(self.found) >= self.enough:
            raise EnoughError


Rule = Callable[[Any, Path, Errors], None]


class Lister:
    """Makes functions from one schema and what is below it, as `Decider` does."""

    def __init__(self, root: Mapping[str, Any], *, strict: bool) -> None:
        self._strict = strict
        self._decider = Decider(root, strict=strict)
        self._definitions: dict[str, Rule] = {}
        for name, schema in root.get("$defs", {}).items():
            self._definitions[f"#/$defs/{name}"] = self.rule(schema)

    def rule(self, schema: Mapping[str, Any]) -> Rule:
        """One function for all keywords of a schema; unknown ones are refused where it is decided."""
        return _all([self._rule(keyword, schema) for keyword in schema if keyword not in ABOUT])

    def _rule(self, keyword: str, schema: Mapping[str, Any]) -> Rule:
        argument = schema[keyword]
        if keyword in LEAVES:
            return _leaf(leaf(keyword, argument, strict=self._strict))
        nested: dict[str, Callable[[], Rule]] = {
            "$ref": lambda: self._reference(argument),
            "additionalProperties": lambda: self._additional(argument, frozenset(schema.get("properties", ()))),
            "allOf": lambda: _all(list(map(self.rule, argument))),
            "anyOf": lambda: self._whole(keyword, argument),
            "if": lambda: self._if(schema),
            "items": lambda: _items(self.rule(argument)),
            "not": lambda: self._whole(keyword, argument),
            "properties": lambda: _properties({name: self.rule(each) for name, each in argument.items()}),
        }
        return nested[keyword]()

    def _reference(self, name: str) -> Rule:
        definitions = self._definitions

        def rule(value: Any, path: Path, errors: Errors) -> None:
            definitions[name](value, path, errors)

        return rule

    def _whole(self, keyword: str, argument: Any) -> Rule:
        """Keywords whose offence is one, at the value itself."""
        test = self._decider.test({keyword: argument})
        unwanted = argument.get("required") if keyword == "not" else None

        def rule(value: Any, path: Path, errors: Errors) -> None:
            if not test(value):
                one = f"the member {' or '.join(unwanted)}" if unwanted else shown(value)
                errors.add(path, f"{one} may not stand here")

        return rule

    def _if(self, schema: Mapping[str, Any]) -> Rule:
        condition = self._decider.test(schema["if"])
        then, otherwise = self.rule(schema.get("then", {})), self.rule(schema.get("else", {}))
        return lambda value, path, errors: (then if condition(value) else otherwise)(value, path, errors)

    def _additional(self, argument: Any, properties: frozenset[str]) -> Rule:
        if argument is True:
            return _all([])
        if argument is False:
            return _leaf(no_others(properties))
        return _others(self.rule(argument), properties)


def _leaf(keyword: Keyword) -> Rule:
    def rule(value: Any, path: Path, errors: Errors) -> None:
        if not keyword.holds(value):
            for message in keyword.messages(value):
                errors.add(path, message)

    return rule


def _all(rules: list[Rule]) -> Rule:
    def every(value: Any, path: Path, errors: Errors) -> None:
        for rule in rules:
            rule(value, path, errors)

    return every


def _items(rule: Rule) -> Rule:
    def every(value: Any, path: Path, errors: Errors) -> None:
        if isinstance(value, list):
            for place, item in enumerate(value):
                rule(item, (*path, place), errors)

    return every


def _properties(rules: Mapping[str, Rule]) -> Rule:
    def every(value: Any, path: Path, errors: Errors) -> None:
        if isinstance(value, dict):
            for name, rule in rules.items():
                if name in value:
                    rule(value[name], (*path, name), errors)

    return every


def _others(rule: Rule, properties: frozenset[str]) -> Rule:
    def every(value: Any, path: Path, errors: Errors) -> None:
        if isinstance(value, dict):
            for name, item in value.items():
                if name not in properties:
                    rule(item, (*path, name), errors)

    return every
