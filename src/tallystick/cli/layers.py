"""Settings from several places, the nearest wins: flag > `TALLY_*` > `tally.toml` > user config > default.

A file has one table, `[run]`, with the keys of `KEYS`; the variables have the same names. `docs/settings.md` lists both.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Final

from tallystick.core import limits
from tallystick.core.errors import InputError, os_reason
from tallystick.core.exact import Num, to_num

__all__ = [
    "KEYS",
    "PROJECT_FILE",
    "SELF_TESTS",
    "USER_FILE",
    "Found",
    "Key",
    "Layer",
    "Layers",
    "SettingsError",
    "is_self_test",
    "number",
    "read_file",
]

PROJECT_FILE: Final = "tally.toml"
USER_FILE: Final = "config.toml"
MOST: Final = limits.ATTEMPTS
"""Attempts at a task, tasks, or workers."""
_FILE_BYTES: Final = 64 * 1024
SELF_TESTS: Final = ("oracle", "nop", "mock", "stochastic-mock")
"""Those without an argument; see `is_self_test`."""

_PRESET: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}").fullmatch

Value = str | Num | tuple[str, ...]
"""What a setting can be: text, a number, or the words of a command line."""


class SettingsError(InputError):
    """A settings file or a `TALLY_*` variable that says something tally does not understand."""


def is_self_test(name: str) -> bool:
    """Whether a word names an agent of ours, which measures none, and is no command line."""
    return name in SELF_TESTS or name.startswith(("cheat:", "ladder:", "partial:", "scripted:"))


def number(where: str, value: int) -> int:
    """`value`, if attempts, tasks or workers can have that number.

    Raises:
        InputError: they cannot.
    """
    if not 1 <= value <= MOST:
        raise InputError(f"{where}: give a number from 1 to {MOST}")
    return value


def _count(where: str, value: object) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(MOST)):
        value = int(value)
    good = isinstance(value, int) and not isinstance(value, bool)
    return number(where, value if good else 0)  # type: ignore[arg-type]  # a number where it is good


def _text(where: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise SettingsError(f"{where}: give a text in quotes")
    return value


def _dollars(where: str, value: object) -> Num:
    wrong = SettingsError(f"{where}: give US dollars, such as 2.50")
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise wrong
    try:
        return to_num(Decimal(value))
    except (InvalidOperation, ValueError):
        raise wrong from None


def _agent(where: str, value: object) -> Value:
    """A self-test by its name, or a command line: a list in a file, shell words in a variable."""
    if isinstance(value, list) and value and all(isinstance(word, str) for word in value) and value[0]:
        return tuple(value)
    if isinstance(value, str) and (is_self_test(value) or _PRESET(value)):
        return value
    raise SettingsError(
        f'{where}: give a list of words, such as ["my-agent", "{{instruction}}"], a name of tally agent list, or "oracle"'
    )


def _sandbox(where: str, value: object) -> str:
    if not isinstance(value, str) or value not in {"bwrap", "none"}:
        raise SettingsError(f'{where}: give "bwrap" or "none"')
    return value


@dataclass(frozen=True, slots=True)
class Key:
    """A setting: how it is read, and what holds where nobody gives it."""

    read: Callable[[str, object], Value]
    default: str
    says: str


KEYS: Final[Mapping[str, Key]] = {
    "suite": Key(_text, "none", "suite to run, where the command line names none"),
    "agent": Key(_agent, "none", "command line of the agent, as after --; or a name of tally agent list, or of a self-test"),
    "model": Key(_text, "none", "model that the agent asks, through the gateway"),
    "attempts": Key(_count, "1", "attempts at each task (-k)"),
    "workers": Key(_count, "one per processor, four at most", "attempts at once"),
    "budget": Key(_dollars, "none", "US dollars after which no attempt starts"),
    "sandbox": Key(_sandbox, "bwrap", "bwrap or none; a tally.toml cannot say none"),
    "state": Key(_text, ".tally", "folder of runs"),
    "key": Key(_text, "the only one, or the one called default", "name of the signing key"),
    "key_variable": Key(_text, "none", "variable with the agent's provider key; doctor looks whether it is set"),
}


@dataclass(frozen=True, slots=True)
class Layer:
    """What one place says. `origin` is how people call the place; variables are a place each."""

    origin: str
    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Found:
    """A setting and where it came from; `value` is None, and the origin "default", where nobody gave it."""

    value: Value | None
    origin: str


@dataclass(frozen=True, slots=True)
class Layers:
    """All places, the nearest first."""

    layers: tuple[Layer, ...]

    def find(self, key: str) -> Found:
        """What the nearest place says."""
        return next(
            (Found(layer.values[key], layer.origin) for layer in self.layers if key in layer.values), Found(None, "default")
        )

    def text(self, key: str) -> str | None:
        """A setting that is a text."""
        value = self.find(key).value
        return value if isinstance(value, str) else None

    def count(self, key: str) -> int | None:
        """A setting that is a whole number."""
        value = self.find(key).value
        return value if isinstance(value, int) else None

    def dollars(self, key: str) -> Num | None:
        """A setting that is an amount."""
        value = self.find(key).value
        return value if isinstance(value, int | Decimal) else None

    def words(self, key: str) -> tuple[str, ...]:
        """A setting that is a command line; none where it is a name or not given."""
        value = self.find(key).value
        return value if isinstance(value, tuple) else ()


def from_variables(read: Callable[[str], str | None]) -> tuple[Layer, ...]:
    """What the `TALLY_*` variables say; an empty one says nothing.

    Raises:
        InputError: one of them cannot be understood.
    """
    layers = []
    for name, key in KEYS.items():
        variable = f"TALLY_{name.upper()}"
        text = read(variable)
        if text:
            given: object = _shell_words(variable, text) if name == "agent" else text
            layers.append(Layer(variable, {name: key.read(variable, given)}))
    return tuple(layers)


def _shell_words(variable: str, text: str) -> object:
    """A command line from a variable; one word that names a self-test stays that name."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise SettingsError(f"{variable}: not the words of a command line ({str(error).lower()})") from None
    return words[0] if len(words) == 1 and is_self_test(words[0]) else words


def read_file(path: Path, origin: str, *, trusted: bool) -> Layer | None:
    """What a settings file says; None where there is none.

    A file that is not `trusted`, since it came with the working directory, cannot switch the sandbox off.

    Raises:
        InputError: it cannot be read, is no TOML, or has a key or a value that tally does not know.
    """
    from tallystick.suites.reading import open_regular  # noqa: PLC0415  # the front page loads no room

    try:
        with open_regular(path) as stream:
            data = stream.read(_FILE_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {os_reason(error)}") from None
    values = parse(data, str(path))
    if values.get("sandbox") == "none" and not trusted:
        raise SettingsError(
            f"{path}: a file in the working directory cannot switch the sandbox off; say --sandbox none yourself if you mean it"
        )
    return Layer(origin, values)


def parse(data: bytes, where: str) -> Mapping[str, Value]:
    """The settings in the text of a file.

    Raises:
        InputError: as `read_file`.
    """
    import tomllib  # noqa: PLC0415  # 5 ms, and most commands meet no file

    if len(data) > _FILE_BYTES:
        raise SettingsError(f"{where}: more than {_FILE_BYTES} bytes are no settings")
    try:
        tree = tomllib.loads(data.decode(), parse_float=_decimal)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{where}: not TOML: {error}") from None
    _refuse_unknown(tree, ("run",), where)
    table = tree.get("run", {})
    if not isinstance(table, dict):
        raise SettingsError(f"{where}: write [run] as a table, with its keys below it")
    _refuse_unknown(table, tuple(KEYS), f"{where}: [run]")
    return {name: KEYS[name].read(f"{where}: {name}", value) for name, value in table.items()}


def _decimal(text: str) -> Decimal:
    """A number with a point or an exponent; one whose exponent no Decimal can have is as little a number as NaN."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("NaN")


def _refuse_unknown(table: Mapping[str, object], known: tuple[str, ...], where: str) -> None:
    import difflib  # noqa: PLC0415  # only where there is a file

    for name in table:
        if name in known:
            continue
        near = difflib.get_close_matches(name, known, n=1)
        inside = "; it belongs below a line [run]" if name in KEYS and known == ("run",) else ""
        hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
        raise SettingsError(f"{where}: unknown key {name[:60]!r}{inside or f'; {hint}'}")
