"""What says that a task has passed, compiled from every key that may say it into one list of assertions.

| key | a value | becomes |
|---|---|---|
| `assertions` | `{kind: K, id: I, ...}` | that assertion; `id` defaults to the kind, the second of a kind to `kind-2` |
| `completion_signals` | `{kind: K, ...}` | the same |
| | `file_exists: PATH`, `path_exists: PATH` | `file_exists` |
| | `file_absent: PATH` | `file_absent` |
| | `syntax_valid: PATH` | `syntax_valid` |
| | `contains: PATH :: TEXT`, `file_contains: PATH :: TEXT` | `contains` |
| | `not_contains: PATH :: TEXT` | `not_contains` |
| | `command: CMD`, `test_passes: CMD` | `command` with argv `[sh, -c, CMD]`, exit 0 |
| `expected_files_modified` | `[PATH, ...]` | `only_changed` over all of them, and `file_exists` for each |
| `expected_test_outcomes` | `CMD: true` | `command` with argv `[sh, -c, CMD]`, exit 0 |
| | `CMD: false` | the same of `! ( CMD )`: the command fails |

A completion signal is a text `"file_exists: PATH"` or a mapping of one member; both mean the same. `expected_files_modified`
means "these files and no others": that a file has *changed* no portable assertion can say, so a task needs another check to
fail an idle agent (`tally suite check` shows it).
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, Final, get_args

import msgspec

from tallystick.records.paths import suite_path_problem
from tallystick.records.task import (
    Assertion,
    Command,
    Contains,
    FileAbsent,
    FileExists,
    NotContains,
    OnlyChanged,
    SyntaxValid,
    assertion_class,
)
from tallystick.suites.yaml_values import Value, suggestion

__all__ = ["KINDS", "compile_checks", "read_path", "read_paths"]

KINDS: Final = tuple(sorted(str(cls.__struct_config__.tag) for cls in get_args(Assertion)))
_SEPARATOR: Final = " :: "


def read_path(value: Value, *, folder: bool = False) -> str:
    """A path in the grammar of suites; with `folder`, a trailing `/` may mark a folder."""
    path = value.text()
    _check_path(path.removesuffix("/") if folder else path, value)
    return path


def _check_path(path: str, value: Value) -> None:
    problem = suite_path_problem(path)
    if problem:
        raise value.error(f"the path {path[:80]!r} {problem}")


def read_paths(value: Value, *, folder: bool = False) -> tuple[str, ...]:
    """A list of paths, each once."""
    paths = tuple(read_path(item, folder=folder) for item in value.items())
    double = next((path for path in paths if paths.count(path) > 1), None)
    if double is not None:
        raise value.error(f"{double!r} stands twice")
    return paths


def _json_text(value: Value) -> str:
    """JSON as `json_equals` reads it: no name twice, no NaN."""
    text = value.text()
    try:
        json.loads(text, object_pairs_hook=_members_once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise value.error(f"expected JSON text in quotes ({error})") from None
    return text


def _members_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name stands twice")
    return members


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _pattern(value: Value) -> str:
    """A pattern that every Python reads the same way: what it only warns about may change its meaning."""
    text = value.text()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(text)
    except (re.error, Warning, RecursionError, OverflowError) as error:
        raise value.error(f"not a regular expression of Python: {error}") from None
    return text


_READERS: Final[dict[str, Callable[[Value], object]]] = {
    "argv": Value.texts,
    "content": Value.text,
    "exit": Value.integer,
    "id": Value.text,
    "max_delta": Value.integer,
    "min_delta": Value.integer,
    "path": read_path,
    "paths": partial(read_paths, folder=True),
    "pattern": _pattern,
    "script": read_path,
    "symbol": Value.text,
    "tests": Value.texts,
    "text": Value.text,
    "value": _json_text,
}
"""How a member of an assertion is read; a name means the same in every kind."""

Found = tuple[Assertion, Value, bool]
"""An assertion, the value it came from, and whether its id was given."""


def compile_checks(members: dict[str, Value]) -> tuple[Assertion, ...]:
    """The one list of assertions of a task, in the order of the table above.

    Raises:
        AuthoringError: an unknown kind or member, a value of the wrong type, or an id given twice.
    """
    found: list[Found] = []
    if "assertions" in members:
        found += [_assertion(item) for item in members["assertions"].items()]
    if "completion_signals" in members:
        found += [_signal(item) for item in members["completion_signals"].items()]
    if "expected_files_modified" in members:
        found += _modified(members["expected_files_modified"])
    if "expected_test_outcomes" in members:
        found += [_outcome(command, value) for command, value in members["expected_test_outcomes"].mapping().items()]
    return _named(found)


def _assertion(value: Value) -> Found:
    members = value.mapping()
    kind_value = members.pop("kind", None)
    if kind_value is None:
        raise value.error("expected a member `kind`")
    kind = kind_value.text()
    cls = assertion_class(kind)
    if cls is None:
        raise kind_value.error(f"unknown kind {kind!r}{suggestion(kind, KINDS)}")
    fields = {item.name: item for item in msgspec.structs.fields(cls)}
    for name, member in members.items():
        if name not in fields:
            raise member.error(f"{kind} has no member {name!r}{suggestion(name, fields)}")
    missing = [name for name, item in fields.items() if item.required and name not in members and name != "id"]
    if missing:
        raise value.error(f"{kind} needs the member {missing[0]!r}")
    read: dict[str, Any] = {name: _READERS[name](member) for name, member in members.items()}
    return _valid({"id": kind, **read, "kind": kind}, value), value, "id" in members


def _valid(tree: dict[str, Any], value: Value) -> Assertion:
    try:
        check: Assertion = msgspec.convert(tree, Assertion)
    except msgspec.ValidationError as error:
        raise value.error(str(error).replace("`$.", "`")) from None
    return check


def _signal(value: Value) -> Found:
    if value.kind == "map":
        members = value.mapping()
        if "kind" in members:
            return _assertion(value)
        if len(members) != 1:
            raise value.error("expected one member such as `file_exists: PATH`")
        word, operand = next(iter(members.items()))
        return _short(word, operand.text(), value), value, False
    word, colon, rest = value.text().partition(":")
    if not colon:
        raise value.error("expected text such as 'file_exists: PATH'")
    return _short(word.strip(), rest.strip(), value), value, False


def _short(word: str, operand: str, value: Value) -> Assertion:
    """An assertion from its shorthand; see the table above."""
    match word:
        case "file_exists" | "path_exists":
            return FileExists(id="file_exists", path=_plain(operand, value))
        case "file_absent":
            return FileAbsent(id=word, path=_plain(operand, value))
        case "syntax_valid":
            return SyntaxValid(id=word, path=_plain(operand, value))
        case "contains" | "file_contains" | "not_contains":
            path, separator, text = operand.partition(_SEPARATOR)
            if not separator or not text:
                raise value.error(f"expected `{word}: PATH{_SEPARATOR}TEXT`")
            if word == "not_contains":
                return NotContains(id=word, path=_plain(path.strip(), value), text=text)
            return Contains(id="contains", path=_plain(path.strip(), value), text=text)
        case "command" | "test_passes":
            return _shell("command", operand, value)
        case _:
            known = ("command", "contains", "file_absent", "file_contains", "file_exists", "not_contains", "path_exists")
            raise value.error(f"unknown signal {word[:40]!r}{suggestion(word, (*known, 'syntax_valid', 'test_passes'))}")


def _plain(path: str, value: Value) -> str:
    _check_path(path, value)
    return path


def _shell(name: str, command: str, value: Value) -> Command:
    if not command.strip():
        raise value.error("expected a command")
    return Command(id=name, argv=("sh", "-c", command))


def _modified(value: Value) -> list[Found]:
    paths = read_paths(value)
    if not paths:
        raise value.error("expected at least one path")
    only: Found = (OnlyChanged(id="expected_files_modified", paths=paths), value, False)
    return [only, *((FileExists(id="file_exists", path=path), value, False) for path in paths)]


def _outcome(command: str, value: Value) -> Found:
    if not value.boolean():
        command = f"! (\n{command}\n)"  # on lines of its own, so that a comment in the command does not hide the bracket
    return _shell("expected_test", command, value), value, False


def _named(found: list[Found]) -> tuple[Assertion, ...]:
    """The assertions with ids that differ: those given stay, a default one that is taken gets the next free number."""
    taken: set[str] = set()
    for check, value, given in found:
        if given and check.id in taken:
            raise value.error(f"the id {check.id!r} stands twice")
        if given:
            taken.add(check.id)
    named: list[Assertion] = []
    for check, _, given in found:
        named.append(check if given else msgspec.structs.replace(check, id=_free(check.id, taken)))
        taken.add(named[-1].id)
    return tuple(named)


def _free(name: str, taken: set[str]) -> str:
    number = 2
    wanted = name
    while wanted in taken:
        wanted = f"{name}-{number}"
        number += 1
    return wanted
