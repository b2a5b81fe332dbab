"""Whether a document is valid: a schema of ours as one function from a value to yes or no, made once and fast.

It exists because thousands of documents are checked in seconds, and decisions may not depend on what packages are installed
(docs/adr/0012). Where it says no, `listing.py` says why; both are made of the same keywords.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tallystick.records.cohort.keywords import ABOUT, DOMAINS, LEAVES, Keyword, Test, leaf, no_others

__all__ = ["Decider"]

_IN_CLOSED: Final = frozenset(("type", "additionalProperties", "properties", "required"))


class Decider:
    """Makes functions from one schema and what is below it. References go to its `$defs` and may go round."""

    def __init__(self, root: Mapping[str, Any], *, strict: bool) -> None:
        self._strict = strict
        self._definitions: dict[str, Test] = {}
        for name, schema in root.get("$defs", {}).items():
            self._definitions[f"#/$defs/{name}"] = self.test(schema)

    def test(self, schema: Mapping[str, Any]) -> Test:
        """One function for all keywords of a schema.

        Raises:
            RuntimeError: a keyword that is not known here.
        """
        return _all(list(self._parts(schema)))

    def _parts(self, schema: Mapping[str, Any]) -> Iterator[Test]:
        """The type first: after it, keywords for values of that type need not ask for it again."""
        kind = str(schema.get("type"))
        if kind == "object" and schema.get("additionalProperties") is False:
            properties = {name: self.test(each) for name, each in schema["properties"].items()}
            yield _closed(frozenset(schema.get("required", ())), properties)
            schema = {keyword: argument for keyword, argument in schema.items() if keyword not in _IN_CLOSED}
        elif "type" in schema:
            yield leaf("type", schema["type"], strict=self._strict).test
        for keyword, argument in schema.items():
            if keyword in LEAVES:
                if keyword != "type":
                    yield _asked(leaf(keyword, argument, strict=self._strict), DOMAINS.get(kind))
            elif keyword not in ABOUT:
                yield from self._nested(keyword, schema)

    def _nested(self, keyword: str, schema: Mapping[str, Any]) -> Iterator[Test]:
        argument = schema[keyword]
        match keyword:
            case "$ref":
                yield self._reference(argument)
            case "allOf":
                yield from map(self.test, argument)
            case "anyOf":
                yield _any(list(map(self.test, argument)))
            case "not":
                yield _not(self.test(argument))
            case "if":
                yield _if(*(self.test(schema.get(part, {})) for part in ("if", "then", "else")))
            case "items":
                yield _items(self.test(argument))
            case "properties":
                yield _properties({name: self.test(each) for name, each in argument.items()})
            case "additionalProperties":
                yield from self._additional(argument, frozenset(schema.get("properties", ())))
            case _:
                raise RuntimeError(f"the keyword {keyword} of a schema: teach deciding.py and listing.py what it means")

    def _reference(self, name: str) -> Test:
        definitions = self._definitions
        return lambda value: definitions[name](value)  # noqa: PLW0108 - what it names may not be there yet

    def _additional(self, argument: Any, properties: frozenset[str]) -> Iterator[Test]:
        if argument is False:
            yield no_others(properties).holds
        elif argument is not True:
            yield _others(self.test(argument), properties)


def _asked(keyword: Keyword, known: Test | None) -> Test:
    return keyword.test if keyword.domain is known else keyword.holds


def _closed(required: frozenset[str], properties: Mapping[str, Test]) -> Test:
    """An object with these members and no others, in one function because most of a document is such objects."""
    test_of = dict(properties).get

    def test(value: Any) -> bool:
        if not isinstance(value, dict) or not value.keys() >= required:
            return False
        for name, item in value.items():
            member = test_of(name)
            if member is None or not member(item):
                return False
        return True

    return test


def _all(tests: list[Test]) -> Test:
    """All of them hold, the first asked first; the shortest cases are the most frequent."""
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:  # noqa: PLR2004 - a pair
        one, two = tests
        return lambda value: one(value) and two(value)

    def every(value: Any) -> bool:
        for test in tests:  # noqa: SIM110 - a generator costs more than the tests
            if not test(value):
                return False
        return True

    return every


def _any(tests: list[Test]) -> Test:
    return lambda value: any(test(value) for test in tests)


def _not(test: Test) -> Test:
    return lambda value: not test(value)


def _if(condition: Test, then: Test, otherwise: Test) -> Test:
    return lambda value: then(value) if condition(value) else otherwise(value)


def _items(test: Test) -> Test:
    return lambda value: not isinstance(value, list) or all(map(test, value))


def _properties(tests: Mapping[str, Test]) -> Test:
    members = dict(tests)

    def test(value: Any) -> bool:
        if isinstance(value, dict):
            for name, item in value.items():
                if name in members and not members[name](item):
                    return False
        return True

    return test


def _others(test: Test, properties: frozenset[str]) -> Test:
    def every(value: Any) -> bool:
        return not isinstance(value, dict) or all(test(value[name]) for name in value.keys() - properties)

    return every
