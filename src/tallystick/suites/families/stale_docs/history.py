"""The history of a program's options: releases of steps, and what they make of settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

__all__ = ["History", "Release", "Step", "Value", "state_after"]

Value = int | str | bool


@dataclass(frozen=True, slots=True)
class Step:
    """One change of one option, and what the changelog says of it. `unit` is the new unit where that changes.

    Kinds and `rest`: add (default), default (new), rename (new name), invert (new name), scale (times, over), word (old, new),
    drop ().
    """

    kind: str
    name: str
    rest: tuple[Value, ...]
    said: str
    unit: str = ""

    def row(self) -> list[Value]:
        """The step as the solution has it."""
        return [self.kind, self.name, *self.rest]


@dataclass(frozen=True, slots=True)
class Release:
    """A section of the changelog. A withdrawn or future one has no effect."""

    version: str
    steps: tuple[Step, ...]
    counts: bool = True


@dataclass(frozen=True, slots=True)
class _Option:
    """Where an option stands: the name and default of now, and whether `value` was set by somebody."""

    name: str
    default: Value
    unit: str
    value: Value
    given: bool = False


def _one(step: Step, option: _Option) -> _Option | None:
    def put(value: Value) -> Value:
        if step.kind == "scale":
            times, over = int(step.rest[0]), int(step.rest[1])
            return -(-int(value) * times // over)
        if step.kind == "invert":
            return not value
        return step.rest[1] if step.kind == "word" and value == step.rest[0] else value

    if step.kind == "drop":
        return None
    if step.kind == "default":
        return replace(option, default=step.rest[0])
    name = str(step.rest[0]) if step.kind in {"rename", "invert"} else option.name
    return replace(option, name=name, default=put(option.default), value=put(option.value), unit=step.unit or option.unit)


def _after(step: Step, options: Sequence[_Option]) -> list[_Option]:
    if step.kind == "add":
        return [*options, _Option(step.name, step.rest[0], step.unit, step.rest[0])]
    moved = [_one(step, option) if option.name == step.name else option for option in options]
    return [option for option in moved if option is not None]


def state_after(options: Mapping[str, tuple[Value, str]], steps: Sequence[Step]) -> dict[str, tuple[Value, str]]:
    """Default and unit by name after some steps."""
    found = [_Option(name, default, unit, default) for name, (default, unit) in options.items()]
    for step in steps:
        found = _after(step, found)
    return {option.name: (option.default, option.unit) for option in found}


@dataclass(frozen=True, slots=True)
class History:
    """The first release's options (default and unit by name), and all later releases, oldest first."""

    first: Mapping[str, tuple[Value, str]]
    releases: tuple[Release, ...]

    def versions(self) -> list[str]:
        """Releases that one can come from."""
        return [release.version for release in self.releases if release.counts]

    def state(self, version: str, *, all_sections: bool = False) -> dict[str, tuple[Value, str]]:
        """Default and unit of each option in a release."""
        steps: list[Step] = []
        for release in self.releases:
            steps += release.steps if release.counts or all_sections else ()
            if release.version == version:
                return state_after(self.first, steps)
        raise RuntimeError(f"no release {version}")

    def upgraded(self, settings: Mapping[str, Value], version: str) -> dict[str, Value]:
        """What the settings of a release become in the last one that counts."""
        had = self.state(version)
        options = [
            _Option(name, default, unit, settings.get(name, default), name in settings) for name, (default, unit) in had.items()
        ]
        late = self.versions().index(version) + 1
        for release in [release for release in self.releases if release.counts][late:]:
            for step in release.steps:
                options = _after(step, options) if step.kind != "add" else options
        return {option.name: option.value for option in options if option.given or option.value != option.default}
