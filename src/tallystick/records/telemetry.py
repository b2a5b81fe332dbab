"""Telemetry of one attempt at one task as others write it: an ordinary JSON object, or an array of such objects.

Nobody signs or hashes it, so it is the word of whoever wrote the file: a score made of it is `claimed`. What cannot be true is
refused with the member's name; what is missing is known by name and lowers Reliability. Specification: docs/spec/telemetry.md.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Final

import msgspec

from tallystick.core import limits
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET, Count, Id, Record, UnsetType
from tallystick.records.traffic.foreign import ForeignJsonError, JsonValue, Number, read_json

__all__ = ["MOST_AMOUNT", "REQUIRED", "Amount", "TaskTelemetry", "TelemetryFormatError", "parse_telemetry"]

MOST_AMOUNT: Final = 10**9
"""Seconds, USD, tokens, turns and tests of one attempt: thirty years, and more than anybody pays."""
DIGITS: Final = 40
"""Characters of a number: more say nothing about a measurement."""
FILES: Final = 100_000
PATH_CHARS: Final = 4096
TEXT_CHARS: Final = 256

Amount = int | float | Decimal
"""A measurement. A float means the decimal number that Python writes for it."""
_Paths = Annotated[
    tuple[Annotated[str, msgspec.Meta(min_length=1, max_length=PATH_CHARS)], ...], msgspec.Meta(max_length=FILES)
]

_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}").fullmatch
_NOT_JSON: Final = re.compile(rb'"([^"\\]*)"\s*:\s*(NaN|-?Infinity)').search
_INT: Final = re.compile(r"-?(?:0|[1-9][0-9]*)").fullmatch


class TelemetryFormatError(InputError):
    """Telemetry that cannot be read, or cannot be true; the message begins with the member's name."""


class TaskTelemetry(Record):
    """What was measured of one attempt; an absent member is `UNSET`.

    `duration_s` and `cost_usd` are any decimal numbers, everything else counts. `files_read` and `files_modified` are paths
    from the workspace's root.
    """

    task_id: Id
    duration_s: Amount | UnsetType = UNSET
    turns_used: Count | UnsetType = UNSET
    files_read: _Paths | UnsetType = UNSET
    files_modified: _Paths | UnsetType = UNSET
    tokens_input: Count | UnsetType = UNSET
    tokens_output: Count | UnsetType = UNSET
    cost_usd: Amount | UnsetType = UNSET
    tests_run: Count | UnsetType = UNSET
    tests_passed: Count | UnsetType = UNSET
    tests_failed: Count | UnsetType = UNSET
    completion_signals_checked: Count | UnsetType = UNSET
    completion_signals_passed: Count | UnsetType = UNSET
    compare_run_id: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Refuse what cannot be true, whoever made the object.

        Raises:
            TelemetryFormatError: naming the member.
        """
        _check_id("task_id", self.task_id)
        for name in (*_AMOUNTS, *_COUNTS):
            value = getattr(self, name)
            if value is not UNSET:
                _check_number(name, value, whole=name in _COUNTS)
        for name in _LISTS:
            _check_paths(name, getattr(self, name))
        _check_text("compare_run_id", self.compare_run_id)
        _check_within("tests_passed", self.tests_passed, "tests_run", self.tests_run)
        _check_within("tests_failed", self.tests_failed, "tests_run", self.tests_run)
        if UNSET not in {self.tests_run, self.tests_passed, self.tests_failed} and (
            self.tests_passed + self.tests_failed > self.tests_run  # type: ignore[operator]  # none of them is UNSET here
        ):
            raise TelemetryFormatError(
                f"tests_run: {self.tests_run} tests cannot have {self.tests_passed} passed and {self.tests_failed} failed"
            )
        _check_within(
            "completion_signals_passed",
            self.completion_signals_passed,
            "completion_signals_checked",
            self.completion_signals_checked,
        )

    @property
    def missing(self) -> tuple[str, ...]:
        """Required members that are not there."""
        return tuple(name for name in REQUIRED if getattr(self, name) is UNSET)

    @property
    def seconds(self) -> Fraction | None:
        """`duration_s`, exact."""
        return _exact(self.duration_s)

    @property
    def cost(self) -> Fraction | None:
        """`cost_usd`, exact."""
        return _exact(self.cost_usd)


_AMOUNTS: Final = ("duration_s", "cost_usd")
_LISTS: Final = ("files_read", "files_modified")
_OPTIONAL: Final = (*_LISTS, "compare_run_id")
REQUIRED: Final = tuple(name for name in TaskTelemetry.__struct_fields__ if name not in _OPTIONAL)
"""Members without which telemetry is not complete."""
_COUNTS: Final = tuple(name for name in REQUIRED if name not in {*_AMOUNTS, "task_id"})


def _exact(value: Amount | UnsetType) -> Fraction | None:
    if value is UNSET:
        return None
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def _check_number(name: str, value: object, *, whole: bool) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise TelemetryFormatError(f"{name}: expected a number, not {_kind(value)}")
    if not -MOST_AMOUNT <= value <= MOST_AMOUNT:  # NaN lies nowhere
        raise TelemetryFormatError(f"{name}: {str(value)[:DIGITS]} is no measurement")
    if value < 0:
        raise TelemetryFormatError(f"{name}: {str(value)[:DIGITS]} is negative")
    if whole and not isinstance(value, int):
        raise TelemetryFormatError(f"{name}: expected a whole number, not {str(value)[:DIGITS]}")


def _check_paths(name: str, value: object) -> None:
    if value is UNSET:
        return
    if not isinstance(value, tuple) or len(value) > FILES or not all(isinstance(path, str) for path in value):
        raise TelemetryFormatError(f"{name}: expected a list of at most {FILES} paths")
    long = next((path for path in value if not 0 < len(path) <= PATH_CHARS), None)
    if long is not None:
        raise TelemetryFormatError(f"{name}: a path of {len(long)} characters")
    for path in value:
        _check_unicode(name, path)


def _check_id(name: str, value: object) -> None:
    if not isinstance(value, str) or _ID(value) is None:
        raise TelemetryFormatError(f"{name}: {str(value)[:80]!r} is no id of a task")


def _check_text(name: str, value: object) -> None:
    if value is not UNSET and not (isinstance(value, str) and len(value) <= TEXT_CHARS):
        raise TelemetryFormatError(f"{name}: expected a short text")
    if value is not UNSET:
        _check_unicode(name, value)


def _check_unicode(name: str, text: str) -> None:
    """JSON can spell a lone surrogate, which no file and no terminal takes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise TelemetryFormatError(f"{name}: {text[:DIGITS]!r} holds a lone surrogate, which is no character") from None


def _check_within(name: str, value: int | UnsetType, whole: str, of: int | UnsetType) -> None:
    if value is not UNSET and of is not UNSET and value > of:
        raise TelemetryFormatError(f"{name}: {value} is more than {whole} ({of})")


def _kind(value: object) -> str:
    return (
        "null; leave the member out"
        if value is None
        else {"str": "text", "bool": "true or false"}.get(type(value).__name__, "that")
    )


def parse_telemetry(data: bytes) -> tuple[TaskTelemetry, ...]:
    """Read the bytes of a telemetry file: one attempt, or an array of attempts.

    Raises:
        TelemetryFormatError: not JSON, a name twice, NaN, an unknown member, a wrong type, or what cannot be true.
    """
    try:
        tree = read_json(data, limit=limits.DOCUMENT_BYTES, depth=4)
    except ForeignJsonError as error:
        raise TelemetryFormatError(_unreadable(data, str(error))) from None
    if isinstance(tree, list):
        if not tree:
            raise TelemetryFormatError("an empty array: no attempt to score")
        if len(tree) > limits.TASK_RESULTS:
            raise TelemetryFormatError(f"an array of {len(tree)} attempts; at most {limits.TASK_RESULTS} are scored together")
        return tuple(_numbered(tree))
    return (_one(tree),)


def _unreadable(data: bytes, reason: str) -> str:
    """Why bytes are not JSON, with the member's name where a value is one that only Python writes."""
    found = _NOT_JSON(data)
    if found is None:
        return f"not the JSON of telemetry: {reason}"
    return f"{found[1].decode('utf-8', 'replace')[:60]}: {found[2].decode()} is no number"


def _numbered(items: list[JsonValue]) -> Iterator[TaskTelemetry]:
    for place, item in enumerate(items):
        try:
            yield _one(item)
        except TelemetryFormatError as error:
            raise TelemetryFormatError(f"[{place}]: {error}") from None


def _one(tree: JsonValue) -> TaskTelemetry:
    if not isinstance(tree, dict):
        raise TelemetryFormatError("expected a JSON object per attempt")
    for name in tree:
        if name not in TaskTelemetry.__struct_fields__:
            near = difflib.get_close_matches(name, TaskTelemetry.__struct_fields__, n=1)
            raise TelemetryFormatError(
                f"the member {name[:60]!r} is none of telemetry" + (f"; did you mean {near[0]}?" if near else "")
            )
    if "task_id" not in tree:
        raise TelemetryFormatError("task_id: missing, so nobody can tell what was measured")
    return TaskTelemetry(**{name: _value(name, value) for name, value in tree.items()})  # type: ignore[arg-type]  # checked there


def _value(name: str, value: JsonValue) -> object:
    if isinstance(value, Number):
        if len(value.text) > DIGITS:
            raise TelemetryFormatError(f"{name}: a number of {len(value.text)} characters")
        return int(value.text) if _INT(value.text) else _decimal(name, value.text)
    if value is None:
        raise TelemetryFormatError(f"{name}: null; leave the member out")
    return tuple(value) if isinstance(value, list) else value


def _decimal(name: str, text: str) -> Decimal:
    number = Decimal(text)
    if not -DIGITS <= number.adjusted() <= DIGITS:  # as a Fraction, 1e999999 would fill the memory
        raise TelemetryFormatError(f"{name}: {text} is no measurement")
    return number
