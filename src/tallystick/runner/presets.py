"""Presets: agents whose command line, environment and settings are known, each a data file.

A preset knows how an agent is told where its model is, what it tries besides, and by which declared rules its requests are
compared in a replay. `docs/agents.md` says how one is written.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError, os_reason
from tallystick.records.base import UNSET, digest_of
from tallystick.records.evidence import Agent, Attempt
from tallystick.records.task import Task
from tallystick.records.traffic.rules import RuleSet
from tallystick.records.tree import EMPTY_TREE, file_record, make_tree
from tallystick.runner.adapters import DOOR, Launch
from tallystick.runner.preset_files import PRESET_BYTES, CommonFile, PresetFile, read_common, read_preset
from tallystick.runner.programs import Found, Machine, resolve_program
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.reading import open_regular

__all__ = [
    "ENTRY_POINTS",
    "Preset",
    "PresetAdapter",
    "PresetError",
    "common_rules",
    "fill_token",
    "load_preset",
    "load_presets",
    "make_preset_adapter",
    "packaged_presets",
]

ENTRY_POINTS: Final = "tallystick.adapters"
"""The group in which other packages offer presets: a text in the format of our files, or a function that returns it."""
OWN_FOLDER: Final = "agents"
"""The folder below `.tally` with presets of the user's own."""

_COMMON: Final = "common"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}").fullmatch
_MODEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}").fullmatch
"""A model's name goes into settings files of several formats: nothing in it may end a string there."""
_OWN_FILES: Final = 200
_LISTED_FILES: Final = 20
"""Files that `{files}` may stand for; a workspace with more is for the agent to explore."""


class PresetError(InputError):
    """No such preset, or one that cannot be used."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A known agent: its file, the rules for its requests with those all agents share, and where the file is from."""

    name: str
    file: PresetFile
    rules: RuleSet
    origin: str


# --- which there are ---


def load_presets(state: Path | None = None) -> dict[str, Preset]:
    """All presets by name: those that come with tally, those of other packages, then those in `agents/` of a state folder.

    Raises:
        InputError: a file is no preset, or two have one name.
    """
    found: dict[str, Preset] = {}
    for preset in (*_packaged(), *_of_packages(), *(_own(state) if state is not None else ())):
        if preset.name in found:
            theirs = found[preset.name].origin
            raise PresetError(f"{preset.origin}: {theirs} has a preset {preset.name}; give yours another name")
        found[preset.name] = preset
    return dict(sorted(found.items()))


def packaged_presets() -> dict[str, Preset]:
    """Those that come with tally: reading them runs no code of anybody."""
    return {preset.name: preset for preset in _packaged()}


def load_preset(name: str, state: Path | None = None) -> Preset:
    """The preset of a name.

    Raises:
        InputError: there is none, or it cannot be read.
    """
    presets = load_presets(state)
    if name not in presets:
        near = difflib.get_close_matches(name, presets, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(presets)}"
        raise PresetError(f"no preset {name[:60]!r}; {hint}")
    return presets[name]


@cache
def _common() -> CommonFile:
    file = resources.files("tallystick.runner") / "agents" / f"{_COMMON}.toml"
    return read_common(file.read_bytes(), f"{_COMMON}.toml")


def common_rules() -> RuleSet:
    """The rules that all agents share; an agent without a preset has these."""
    return RuleSet(rules=_common().rules)


@cache
def _packaged() -> tuple[Preset, ...]:
    folder = resources.files("tallystick.runner") / "agents"
    names = sorted(each.name.removesuffix(".toml") for each in folder.iterdir() if each.name.endswith(".toml"))
    return tuple(make_preset(name, (folder / f"{name}.toml").read_bytes(), "tally") for name in names if name != _COMMON)


def _of_packages() -> Iterator[Preset]:
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda each: each.name):
        origin = f"the package {point.dist.name}" if point.dist else point.value
        try:
            loaded = point.load()
            text = loaded() if callable(loaded) else loaded
        except Exception as error:  # noqa: BLE001 - whatever somebody else's package does, the user gets one line
            raise PresetError(f"{origin}: the preset {point.name} failed to load: {type(error).__name__}: {error}") from None
        if not isinstance(text, str):
            raise PresetError(f"{origin}: the preset {point.name} is no text")
        yield make_preset(point.name, text.encode(), origin)


def _own(state: Path) -> Iterator[Preset]:
    files = sorted((state / OWN_FOLDER).glob("*.toml"))
    if len(files) > _OWN_FILES:
        raise PresetError(f"{state / OWN_FOLDER} has more than {_OWN_FILES} presets")
    for path in files:
        try:
            with open_regular(path) as stream:
                data = stream.read(PRESET_BYTES + 1)
        except OSError as error:
            raise PresetError(f"cannot read {path}: {os_reason(error)}") from None
        yield make_preset(path.stem, data, str(path))


def make_preset(name: str, data: bytes, origin: str) -> Preset:
    """A preset from the bytes of its file.

    Raises:
        InputError: a bad name, or no valid file.
    """
    where = f"{name}.toml" if origin == "tally" else origin
    if not _NAME(name):
        raise PresetError(f"{where}: the name {name[:60]!r} has other characters than a-z, 0-9 and -")
    file = read_preset(data, where)
    try:
        rules = RuleSet(rules=(*_common().rules, *file.rules))
    except ValueError as error:
        raise PresetError(f"{where}: {error}; names of shared rules are taken") from None
    return Preset(name, file, rules, origin)


# --- how one is started ---


@dataclass(frozen=True, slots=True)
class PresetAdapter:
    """Starts the program of a preset on this machine, with `model` filled in. `{token}` stays until `fill_token`."""

    preset: Preset
    found: Found
    model: str | None
    brought: Mapping[str, bytes] = field(default_factory=dict)
    """Files of the user's own for the home folder; the preset's win over them."""

    @property
    def rules(self) -> RuleSet:
        """The declared rules by which its requests are compared."""
        return self.preset.rules

    @property
    def argv(self) -> tuple[str, ...]:
        """The command line inside, with placeholders for task and token."""
        return (*self.found.program.argv, *(self._filled(word) for word in self.preset.file.argv))

    @property
    def env(self) -> dict[str, str]:
        """The environment, with a placeholder for the token."""
        given = {name: self._filled(value) for name, value in self.preset.file.env.items()}
        return dict(sorted({**given, **dict(self.found.env)}.items()))

    @property
    def home(self) -> dict[str, bytes]:
        """Files in the home folder, with a placeholder for the token."""
        own = {each.path: self._filled(each.text).encode() for each in self.preset.file.home}
        return dict(sorted({**self.brought, **own}.items()))

    @property
    def home_digest(self) -> Digest:
        """The tree digest of those files, the placeholder left in: it does not depend on the attempt."""
        records = [file_record(path, sha256(data), len(data)) for path, data in self.home.items()]
        return digest_of(make_tree(records)) if records else EMPTY_TREE

    @property
    def agent(self) -> Agent:
        """Who is measured. `argv` begins with the environment, as a shell's line would: it decides what the program does."""
        return Agent(
            adapter=self.preset.name,
            name=self.preset.name,
            self_test=False,
            version=UNSET if self.found.version is None else self.found.version,
            argv=(*(f"{name}={value}" for name, value in self.env.items()), *self.argv),
            program=self.found.program.digest,
            home=self.home_digest,
            model=UNSET if self.model is None else self.model,
            rules=digest_of(self.preset.rules),
        )

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Launch:  # noqa: ARG002 - the Protocol's shape
        """The program with the task's text filled in.

        Raises:
            InputError: nobody said which model.
        """
        if self.model is None:
            raise PresetError(f"{self.preset.name} needs a model: --model NAME")
        text = instruction(task)
        words: list[str] = []
        for word in self.argv:
            words += _files(suite, task) if word == "{files}" else [word.replace("{instruction}", text)]
        program = self.found.program
        return Launch(argv=tuple(words), env=self.env, mounts=program.mounts, mask=program.mask, home=self.home)

    def _filled(self, text: str) -> str:
        text = text.replace("{base_url}", DOOR)
        return text if self.model is None else text.replace("{model}", self.model)


def _files(suite: LoadedSuite, task: Task) -> list[str]:
    """What `{files}` stands for: the files the task lets an agent change, else all of a small workspace."""
    files = [record.path for record in suite.tree(task.workspace).records if record.mode != "link"]
    there = [path for path in files if not path.startswith("-")]
    if task.owned_files is not UNSET:
        there = [path for path in there if _owned(path, task.owned_files)]
    return there if len(there) <= _LISTED_FILES else []


def _owned(path: str, owned: tuple[str, ...]) -> bool:
    return any(path == each or (each.endswith("/") and path.startswith(each)) for each in owned)


def make_preset_adapter(
    preset: Preset, machine: Machine, model: str | None, brought: Mapping[str, bytes] | None = None
) -> PresetAdapter:
    """The adapter for the program that is installed on this machine. Without a `model` its place stays open: only to be shown.

    Raises:
        InputError: it is not there, or the model's name cannot stand in its settings.
    """
    if model is not None and not _MODEL(model):
        raise PresetError(f"the model {model[:60]!r} has characters that no provider's names have")
    return PresetAdapter(preset, resolve_program(preset.name, preset.file.program, machine), model, dict(brought or {}))


def fill_token(launch: Launch, token: str) -> Launch:
    """The launch with the attempt's own token in place of the placeholder, in environment and home files."""
    return replace(
        launch,
        env={name: value.replace("{token}", token) for name, value in launch.env.items()},
        home={path: data.replace(b"{token}", token.encode()) for path, data in launch.home.items()},
    )
