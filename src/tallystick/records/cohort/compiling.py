"""A schema of ours turned into one function; keywords that look at one value are in `keywords.py`.

It exists because a validator must list every offence, take thousands of documents in seconds, and decide alike whatever
optional packages are installed (docs/adr/0012).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tallystick.core.pyjson import Json
from tallystick.records.cohort.keywords import GRADED, PLAIN, EnoughError, Errors, Path, Rule, no_others, shown, unique_items

__all__ = ["Compiler"]


def _holds(rule: Rule, value: Json) -> bool:
    try:
        rule(value, (), Errors(1))
    except EnoughError:
        return False
    return True


class Compiler:
    """Turns one schema into one function. References go to its `$defs` and may go round."""

    def __init__(self, root: Mapping[str, Any], *, strict: bool) -> None:
        self._strict = strict
        self._definitions: dict[str, Rule] = {}
        for name, schema in root.get("$defs", {}).items():
            self._definitions[f"#/$defs/{name}"] = self.compile(schema)

    def compile(self, schema: Mapping[str, Any]) -> Rule:
        """One function for all keywords of a schema.

        Raises:
            RuntimeError: a keyword that is not known here.
        """
        rules = [rule for keyword in schema if (rule := self._rule(keyword, schema)) is not None]
        return rules[0] if len(rules) == 1 else _all(tuple(rules))

    def _rule(self, keyword: str, schema: Mapping[str, Any]) -> Rule | None:
        argument = schema[keyword]
        if keyword in _ABOUT:
            return None
        if keyword in PLAIN:
            return PLAIN[keyword](argument)
        if keyword in GRADED:
            return GRADED[keyword](argument, strict=self._strict)
        if keyword == "uniqueItems" and argument is True:
            return unique_items
        if keyword in _NESTED:
            return _NESTED[keyword](self, schema)
        raise RuntimeError(f"the keyword {keyword} of a schema: teach compiling.py what it means")

    def _properties(self, schema: Mapping[str, Any]) -> Rule:
        members = tuple((name, self.compile(each)) for name, each in schema["properties"].items())

        def rule(value: Any, path: Path, errors: Errors) -> None:
            if isinstance(value, dict):
                for name, check in members:
                    if name in value:
                        check(value[name], (*path, name), errors)

        return rule

    def _additional(self, schema: Mapping[str, Any]) -> Rule | None:
        argument, known = schema["additionalProperties"], frozenset(schema.get("properties", ()))
        if argument is True:
            return None
        if argument is False:
            return no_others(known)
        check = self.compile(argument)

        def rule(value: Any, path: Path, errors: Errors) -> None:
            if isinstance(value, dict):
                for name in value.keys() - known if known else value:
                    check(value[name], (*path, name), errors)

        return rule

    def _items(self, schema: Mapping[str, Any]) -> Rule:
        check = self.compile(schema["items"])

        def rule(value: Any, path: Path, errors: Errors) -> None:
            if isinstance(value, list):
                for place, item in enumerate(value):
                    check(item, (*path, place), errors)

        return rule

    def _reference(self, schema: Mapping[str, Any]) -> Rule:
        name, definitions = schema["$ref"], self._definitions

        def rule(value: Any, path: Path, errors: Errors) -> None:
            definitions[name](value, path, errors)

        return rule

    def _all_of(self, schema: Mapping[str, Any]) -> Rule:
        return _all(tuple(map(self.compile, schema["allOf"])))

    def _any_of(self, schema: Mapping[str, Any]) -> Rule:
        ways = tuple(map(self.compile, schema["anyOf"]))

        def rule(value: Any, path: Path, errors: Errors) -> None:
            if not any(_holds(way, value) for way in ways):
                errors.add(path, f"{shown(value)} is none of the {len(ways)} things that may stand here")

        return rule

    def _not(self, schema: Mapping[str, Any]) -> Rule:
        refused, names = self.compile(schema["not"]), schema["not"].get("required")
        message = f"the member {' or '.join(names)} may not stand here" if names else "is what may not stand here"

        def rule(value: Any, path: Path, errors: Errors) -> None:
            if _holds(refused, value):
                errors.add(path, message)

        return rule

    def _if(self, schema: Mapping[str, Any]) -> Rule:
        condition = self.compile(schema["if"])
        then, otherwise = self.compile(schema.get("then", {})), self.compile(schema.get("else", {}))

        def rule(value: Any, path: Path, errors: Errors) -> None:
            (then if _holds(condition, value) else otherwise)(value, path, errors)

        return rule


def _all(rules: tuple[Rule, ...]) -> Rule:
    def every(value: Any, path: Path, errors: Errors) -> None:
        for rule in rules:
            rule(value, path, errors)

    return every


_ABOUT: Final = frozenset(("$schema", "$defs", "title", "description", "then", "else"))
"""Keywords that check nothing by themselves."""
_NESTED: Final = {
    "$ref": Compiler._reference,  # noqa: SLF001 - methods of the class above
    "additionalProperties": Compiler._additional,  # noqa: SLF001
    "allOf": Compiler._all_of,  # noqa: SLF001
    "anyOf": Compiler._any_of,  # noqa: SLF001
    "if": Compiler._if,  # noqa: SLF001
    "items": Compiler._items,  # noqa: SLF001
    "not": Compiler._not,  # noqa: SLF001
    "properties": Compiler._properties,  # noqa: SLF001
}
