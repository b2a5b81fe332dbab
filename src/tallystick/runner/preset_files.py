"""The file that says how a well-known agent is started: one TOML file per agent, read strictly.

`docs/agents.md` explains every key. Words of `argv`, values of `env` and texts of `home` may hold the placeholders
`{instruction}` (the task's text), `{model}`, `{base_url}` (the gateway's door, without `/v1`) and `{token}` (what the attempt
shows in place of a provider key); nothing else in braces is touched. Only words of `argv` may hold `{instruction}`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeVar

import msgspec

from tallystick.core.errors import InputError
from tallystick.records.base import Record
from tallystick.records.paths import suite_path_problem
from tallystick.records.traffic.rules import Drop, Rename, Rule, RuleSet, Sort

__all__ = [
    "PLACEHOLDERS",
    "PRESET_BYTES",
    "Api",
    "CommonFile",
    "HomeFile",
    "Measured",
    "Pin",
    "PresetFile",
    "ProgramFile",
    "read_common",
    "read_preset",
]

PRESET_BYTES: Final = 256 * 1024
"""Bytes of a preset's file: ours have four thousand."""
PLACEHOLDERS: Final = ("{instruction}", "{model}", "{base_url}", "{token}", "{files}")

Api = Literal["openai.chat", "openai.responses", "anthropic.messages", "google.generate"]
Pin = Literal["names", "locale", "tmpfs", "no-resolver", "ids", "clock", "kernel", "random", "addresses"]

_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]
_Variable = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$(?!\n)")]
_Command = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$(?!\n)")]
_Host = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9.*-]{1,253}$(?!\n)")]
_Module = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_.]{0,255}$(?!\n)")]
_Package = Annotated[str, msgspec.Meta(pattern=r"^(@[a-z0-9._-]{1,100}/)?[A-Za-z0-9._-]{1,100}$(?!\n)")]
_HomeText = Annotated[str, msgspec.Meta(max_length=65_536)]
_Words = Annotated[tuple[_Text, ...], msgspec.Meta(min_length=1, max_length=64)]


class ProgramFile(Record):
    """How the program is found and what of it is mounted.

    `find` are commands that may be on PATH. `python`: a virtual environment, started as `module`, or as its `bin/` script where
    none is given. `node`: an npm package, of which node runs the first of `entry` that exists; optional
    packages named in `without` are not mounted. `native`: an npm package that brings the binary `entry` in the first of
    `folders` (paths in node_modules; `{arch}` is `x64` or `arm64`, `{cpu}` `x86_64` or `aarch64`) that exists; of that folder
    `parts` are mounted.
    """

    find: Annotated[tuple[_Command, ...], msgspec.Meta(min_length=1, max_length=8)]
    kind: Literal["python", "node", "native"]
    package: _Package
    module: _Module | None = None
    entry: Annotated[tuple[_Text, ...], msgspec.Meta(max_length=8)] = ()
    folders: Annotated[tuple[_Text, ...], msgspec.Meta(max_length=8)] = ()
    parts: Annotated[tuple[_Text, ...], msgspec.Meta(max_length=16)] = ()
    without: Annotated[tuple[_Package, ...], msgspec.Meta(max_length=16)] = ()

    def __post_init__(self) -> None:
        """Each kind has its own members."""
        has = {name for name in ("module", "entry", "folders", "parts", "without") if getattr(self, name)}
        needs, may = {
            "python": (set(), {"module"}),
            "node": ({"entry"}, {"without"}),
            "native": ({"entry", "folders"}, {"parts"}),
        }[self.kind]
        if not needs <= has <= needs | may:
            raise ValueError(f"a program of kind {self.kind} {_wants(needs, may)}; it has {_names(has)}")
        for path in (*self.entry, *self.folders, *self.parts):
            problem = suite_path_problem(path.replace("{arch}", "x64").replace("{cpu}", "x86_64"))
            if problem:
                raise ValueError(f"the path {path!r} {problem}")


def _wants(needs: set[str], may: set[str]) -> str:
    needed = [f"needs {_names(needs)}"] if needs else []
    return " and ".join([*needed, *([f"may have {_names(may)}"] if may else [])])


def _names(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "none of them"


class HomeFile(Record):
    """A file in the agent's home folder."""

    path: str
    text: _HomeText

    def __post_init__(self) -> None:
        """A plain relative path."""
        problem = suite_path_problem(self.path)
        if problem:
            raise ValueError(f"the path {self.path!r} {problem}")


class Measured(Record):
    """What was measured: of `replays` replays of this `version`, `equal` sent equal requests, `raw` of them byte for byte."""

    version: _Text
    date: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)")]
    replays: Annotated[int, msgspec.Meta(ge=1)]
    equal: Annotated[int, msgspec.Meta(ge=0)]
    raw: Annotated[int, msgspec.Meta(ge=0)]

    def __post_init__(self) -> None:
        """Raw ones are equal ones."""
        if not self.raw <= self.equal <= self.replays:
            raise ValueError("expected raw <= equal <= replays")


class CommonFile(Record):
    """Rules that all agents share: what their tools measure, such as the duration of tests."""

    sort: tuple[Sort, ...] = ()
    drop: tuple[Drop, ...] = ()
    rename: tuple[Rename, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All of them, in the order in which they are applied."""
        return (*self.sort, *self.drop, *self.rename)


class PresetFile(Record):
    """How one agent is started; see docs/agents.md."""

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    api: Api
    program: ProgramFile
    argv: _Words
    keys: Annotated[tuple[_Variable, ...], msgspec.Meta(min_length=1, max_length=8)]
    env: dict[_Variable, Annotated[str, msgspec.Meta(max_length=4096)]] = msgspec.field(default_factory=dict)
    home: Annotated[tuple[HomeFile, ...], msgspec.Meta(max_length=32)] = ()
    pins: tuple[Pin, ...] = ()
    hosts: Annotated[tuple[_Host, ...], msgspec.Meta(max_length=32)] = ()
    base_urls: Annotated[tuple[_Variable, ...], msgspec.Meta(max_length=8)] = ()
    leaves: Annotated[tuple[_Text, ...], msgspec.Meta(max_length=32)] = ()
    version: tuple[_Text, ...] = ("--version",)
    note: Annotated[str, msgspec.Meta(max_length=500)] = ""
    measured: Measured | None = None
    sort: tuple[Sort, ...] = ()
    drop: tuple[Drop, ...] = ()
    rename: tuple[Rename, ...] = ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The agent's own rules, in the order in which they are applied."""
        return (*self.sort, *self.drop, *self.rename)

    def __post_init__(self) -> None:
        """The task reaches the agent, by its command line only, and files of its home have one place each."""
        words = " ".join(self.argv)
        if "{instruction}" not in words:
            raise ValueError("no word of argv holds {instruction}")
        for place, text in (*self.env.items(), *((each.path, each.text) for each in self.home)):
            if "{instruction}" in text or "{files}" in text:
                raise ValueError(f"{place}: only words of argv may hold {{instruction}} or {{files}}")
        for word in self.argv:
            if "{files}" in word and word != "{files}":
                raise ValueError("{files} stands for several words, so it must be a word of its own")
        if "{token}" in words:
            raise ValueError("argv may not hold {token}, since the task's text stands there; use env or home")
        for values, what in ((self.pins, "pin"), ([each.path for each in self.home], "home file")):
            if len(set(values)) != len(values):
                raise ValueError(f"a {what} stands twice")


R = TypeVar("R", bound=Record)

_UNKNOWN: Final = re.compile(r"\{[a-z_]{1,32}\}")


def read_preset(data: bytes, where: str) -> PresetFile:
    """Read a preset's file; `where` names it in errors.

    Raises:
        InputError: no TOML, an unknown key, a value out of bounds, or an unknown placeholder.
    """
    preset = _read(data, where, PresetFile)
    for word in preset.argv:
        for hit in _UNKNOWN.findall(word):
            if hit not in PLACEHOLDERS:
                raise InputError(f"{where}: argv: unknown placeholder {hit}; known are {', '.join(PLACEHOLDERS)}")
    _rule_set(preset.rules, where)
    return preset


def read_common(data: bytes, where: str) -> CommonFile:
    """Read the file of shared rules. Errors as `read_preset`."""
    common = _read(data, where, CommonFile)
    _rule_set(common.rules, where)
    return common


def _rule_set(rules: tuple[Rule, ...], where: str) -> RuleSet:
    try:
        return RuleSet(rules=rules)
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None


def _read(data: bytes, where: str, cls: type[R]) -> R:
    if len(data) > PRESET_BYTES:
        raise InputError(f"{where}: more than {PRESET_BYTES} bytes")
    try:
        tree: Mapping[str, object] = tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8 at byte {error.start}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{where}: no TOML: {error}") from None
    try:
        return msgspec.convert(tree, cls, strict=True)
    except (msgspec.ValidationError, ValueError) as error:
        text = str(error).replace("`$.", "`").replace("`$`", "the top level")
        raise InputError(f"{where}: {text}") from None
