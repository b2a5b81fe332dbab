"""Known agents on this machine: which are installed, and everything that starting one would do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tallystick.core.errors import InputError
from tallystick.runner.presets import Preset, PresetAdapter, load_preset, load_presets, make_preset_adapter
from tallystick.runner.programs import Machine, find_program, installed_version

__all__ = ["AgentPage", "AgentRow", "agent_page", "agent_rows"]


@dataclass(frozen=True, slots=True)
class AgentRow:
    """A preset, where its program is on this machine (None: it is not installed), and the version its package names."""

    preset: Preset
    path: Path | None
    version: str | None


@dataclass(frozen=True, slots=True)
class AgentPage:
    """A preset in full. `adapter` is what a run would use; where there is none, `problem` says why."""

    preset: Preset
    adapter: PresetAdapter | None
    problem: str | None


def agent_rows(search_path: str, state: Path) -> tuple[AgentRow, ...]:
    """Every preset, by name; nothing is run or hashed.

    Raises:
        InputError: a preset of the user's own is not valid.
    """
    rows = []
    for preset in load_presets(state).values():
        path = find_program(preset.file.program, search_path)
        version = None if path is None else installed_version(preset.file.program, path)
        rows.append(AgentRow(preset, path, version))
    return tuple(rows)


def agent_page(name: str, machine: Machine, state: Path, model: str | None) -> AgentPage:
    """Everything about one preset; its program is read and hashed, as for a run. Without a model its place stays open.

    Raises:
        InputError: no such preset, or one that cannot be read.
    """
    preset = load_preset(name, state)
    try:
        return AgentPage(preset, make_preset_adapter(preset, machine, model), None)
    except InputError as error:
        return AgentPage(preset, None, str(error))
