"""The presets find the real programs that `make agents` installs. Nothing of them is started here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tallystick.records.base import write
from tallystick.records.evidence import parse_agent
from tallystick.runner.presets import load_preset, load_presets, make_preset_adapter
from tallystick.runner.programs import Machine, find_program
from tests.repo.project import ROOT

pytestmark = pytest.mark.agents

FOLDER = Path(os.environ.get("TALLY_AGENTS", ROOT / ".agents"))
FOLDERS = [*sorted(FOLDER.glob("*/bin")), *sorted(FOLDER.glob("npm/*/node_modules/.bin"))]
SEARCH_PATH = os.pathsep.join([*map(str, FOLDERS), "/usr/local/bin", "/usr/bin", "/bin"])


@pytest.mark.parametrize("name", sorted(load_presets()))
def test_resolve(name: str) -> None:
    preset = load_preset(name)
    if find_program(preset.file.program, SEARCH_PATH) is None:
        pytest.skip(f"needs an agent: {name}; scripts/agents.sh installs those that tests start")
    adapter = make_preset_adapter(preset, Machine(SEARCH_PATH), "a-model")
    agent = adapter.agent
    assert parse_agent(write(agent)) == agent
    assert agent.version == adapter.found.version is not None
    targets = [mount.target for mount in adapter.found.program.mounts if mount.target.startswith("/agent/")]
    assert targets
    first = agent.argv[len(adapter.env)]
    assert first == "node" or any(first == each or first.startswith(f"{each}/") for each in targets)
    assert all(mount.source.exists() for mount in adapter.found.program.mounts)
