"""Changed copies of documents, drawn from a seed: what people get wrong, and what an attacker would try."""

from __future__ import annotations

import copy
import itertools
import math
import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from tallystick.records.cohort import vocabulary

Place = tuple[Any, str | int]
"""A container and the name or index of one of its values."""

WORDS: Final = sorted(
    {str(word) for name in vocabulary.__all__ for word in getattr(vocabulary, name)}
    | {"low", "high", "none", "allowlist", "quorum", "test", "file", "public", "0.1", "0.2", "0.1.1", "unified_diff"}
)
ODD: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, -1, 4, 5, 1000, 1001, 1.0, 1.5, -0.5, -0.0, 5.0, 10**30, -(10**30), 1e300),
    *(float("nan"), float("inf"), float("-inf")),
    *("", " ", "x", "abc", "\n", "é", "\ud800", "\0"),
    *([], [None], ["x"], ["x", "x"], [""], [1, True], [1, 1.0], [{"a": 1}, {"a": 1.0}], [[], []]),
    *({}, {"a": 1}, {"": None}),
)
TIMES: Final = (
    *("2026-01-31T00:00:00Z", "2026-01-31t23:59:59.000z", "2024-02-29T12:00:00+23:59", "2026-01-31T00:00:00Z\n"),
    *("2026-02-29T00:00:00Z", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "0000-01-01T00:00:00Z"),
    *("2026-01-31T24:00:00Z", "2026-01-31T23:59:60Z", "2026-01-31T00:00Z", "2026-01-31 00:00:00Z", "2026-01-31"),
    *("2026-01-31T00:00:00", "2026-01-31T00:00:00+2400", "2026-01-31T00:00:00+24:00", "2026-01-31T00:00:00.Z"),
    *("20260131T000000Z", "٢٠٢٦-01-31T00:00:00Z", " 2026-01-31T00:00:00Z", "2026-01-00T00:00:00Z", "\n2026-01-31T00:00:00Z"),
)
PATHS: Final = (
    *(
        "/a",
        "a/../b",
        "../a",
        "a/..",
        "..",
        "a/...",
        "..a/b",
        "a..",
        ".",
        "a//b",
        "\\a",
        "C:/a",
        "a\n",
        "a\n/../b",
        "\n",
        "\n/a",
    ),
)
URIS: Final = ("https://example.org/a", "example", "://", "https:// a", "urn:a:b", "git@example.org:a/b", "https://é")
CODES: Final = ("sha256:" + "0" * 63, "sha256:" + "0" * 64, "sha256:" + "0" * 65, "sha256:" + "A" * 64, "SHA256:" + "0" * 64)
NAMES: Final = (
    "plan_path",
    "definition_digest",
    "description",
    "extensions",
    "exclusion_reason",
    "quorum",
    "unknown",
    "",
    "a.b",
)


def places(value: Any) -> Iterator[Place]:
    """Every member and item below a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for at, child in items:
        yield value, at
        yield from places(child)


def drop(_: random.Random, place: Place) -> None:
    container, at = place
    del container[at]


def put(choose: Callable[[random.Random, Any], Any]) -> Callable[[random.Random, Place], None]:
    """A change that puts something else in a place."""

    def change(rng: random.Random, place: Place) -> None:
        container, at = place
        container[at] = choose(rng, container[at])

    return change


def odd(rng: random.Random, _: Any) -> Any:
    return copy.deepcopy(rng.choice(ODD))


def text(rng: random.Random, value: Any) -> Any:
    if not isinstance(value, str):
        return odd(rng, value)
    changed = (
        *(value + "\n", "\n" + value, value.upper(), value[:-1], value[:1], value[:3], value[1:], value + "x", value + " "),
        *(
            "a" * 128,
            "a" * 129,
            "a" * 256,
            "a" * 257,
            value.replace("-", "_"),
            value.replace("/", "//"),
            value + "\r",
            value + "\u2028",
        ),
        *("a" * 127 + "\n", "a" * 128 + "\n"),
    )
    return rng.choice(changed)


def vocabulary_word(rng: random.Random, _: Any) -> Any:
    return rng.choice(WORDS)


def format_of_a_text(rng: random.Random, _: Any) -> Any:
    return rng.choice((*TIMES, *PATHS, *URIS, *CODES))


def number(rng: random.Random, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return rng.choice((0, 1, 0.0, 1.0, 1.5, "1", True))
    near = (-value, value + 1, value - 1, value + 0.5)
    return rng.choice((float(value), int(value), *near, str(value), bool(value), 0, 10**20, 1e400))


def items(rng: random.Random, value: Any) -> Any:
    if not isinstance(value, list):
        return [copy.deepcopy(value)] * rng.choice((1, 2))
    extra = rng.choice((*value[:1], odd(rng, None), rng.choice(WORDS)))
    return rng.choice(([], value[:1], value[::-1], value + copy.deepcopy(value[:1]), [*value, extra], [extra], [extra, extra]))


def add(rng: random.Random, place: Place) -> None:
    container, at = place
    inside = container[at] if isinstance(container[at], dict) else container
    if isinstance(inside, dict):
        inside[rng.choice(NAMES)] = rng.choice((copy.deepcopy(container[at]), odd(rng, None), *CODES[:2], "a/b"))


def instead(value: Any) -> tuple[Any, ...]:
    """What is put in the place of a value, one after the other: its neighbours, its edges, and things of other types."""
    if value is None:
        return (0, "", True, [])
    if isinstance(value, bool):
        return (not value, int(value), None)
    if isinstance(value, int | float):
        return (0, 1, -1, 2, 0.5, 1.5, -0.5, 4, 5, 1000, 1001, float(value), float("nan"), str(value), True, None)
    if isinstance(value, str):
        return ("", "zzz", value + "\n", value.upper(), "a" * 256, "a" * 257, 1, None)
    if isinstance(value, list):
        return ([], value + value[:1], [*value, None], {})
    return ({}, {**value, "unknown": 1}, [])


def neighbours(value: Any) -> Iterator[Any]:
    """Every copy that differs in one place: each value left out, and each of the values `instead`."""
    for at in range(sum(1 for _ in places(value))):
        container, key = _place(value, at)
        for other in instead(container[key]):
            changed = copy.deepcopy(value)
            inside, key = _place(changed, at)
            inside[key] = other
            yield changed
        changed = copy.deepcopy(value)
        drop(random.Random(0), _place(changed, at))
        yield changed


def _place(value: Any, at: int) -> Place:
    return next(itertools.islice(places(value), at, None))


CHANGES: Final = (drop, add, put(odd), put(text), put(vocabulary_word), put(format_of_a_text), put(number), put(items))


def mutants(value: Any, seed: str, count: int) -> Iterator[Any]:
    """So many changed copies; every fourth is changed more than once."""
    rng = random.Random(seed)
    for _ in range(count):
        changed = copy.deepcopy(value)
        for _ in range(rng.choice((1, 1, 1, 2 + rng.randrange(4)))):
            there = list(places(changed))
            if there:
                rng.choice(CHANGES)(rng, rng.choice(there))
        yield changed
