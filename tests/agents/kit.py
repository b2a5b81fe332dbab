"""Real agents against a scripted provider: where they are found, what they are given to do, recording one and replaying it.

Agents are looked for below the folder that `TALLY_AGENTS` names, else `.agents` of the checkout; scripts/agents.sh fills it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pluggy

from tallystick.flows.models import ModelWays
from tallystick.flows.publishing import publish
from tallystick.flows.run import RunRequest, run
from tallystick.recording.upstream import Upstream
from tallystick.records.base import UNSET
from tallystick.records.containers import open_bundle
from tallystick.records.traffic.bodies import restore_all
from tallystick.records.traffic.cassette import parse_cassette
from tallystick.runner.presets import PresetAdapter, load_preset, make_preset_adapter
from tallystick.runner.programs import Machine, find_program
from tallystick.suites.loading import compile_suite
from tallystick.suites.prices import load_prices
from tests.repo.project import ROOT
from tests.support.scripted_provider import ScriptedProvider

__all__ = [
    "AGENTS",
    "ONLY",
    "Again",
    "Recorded",
    "Where",
    "adapter",
    "bodies",
    "is_installed",
    "may_replay",
    "record",
    "replay",
    "write_suite",
]

AGENTS: Final = ("mini-swe-agent", "codex", "claude-code", "gemini-cli", "opencode", "qwen-code", "aider")
MODELS: Final = {"gemini-cli": "gemini-2.5-pro", "claude-code": "claude-sonnet-4-5"}
"""Agents that take no model of another name for granted."""

ONLY: Final = frozenset(os.environ.get("TALLY_AGENT_CASES", "").split())
"""Cases to run, such as `codex-plain`: whoever names some has installed their agents. Without any, all run."""
WORKERS: Final = 4
"""Attempts at once, where several are recorded."""

_PACKAGES: Final = str(Path(pluggy.__file__).parent.parent)
_FOLDER: Final = Path(os.environ.get("TALLY_AGENTS") or ROOT / ".agents").absolute()
_PLACES: Final = ("bin", "node_modules/.bin", "*/bin", "*/node_modules/.bin", "*/*/bin", "*/*/node_modules/.bin")

TASK: Final = """---
title: Mend the sum
assertions:
  - kind: contains
    path: calc.py
    text: "return a + b"
    id: fixed
---
The function add in calc.py is wrong: test_calc.py fails. Mend it.
"""
WORKSPACE: Final = {
    "calc.py": "def add(a, b):\n    return a - b\n",
    "test_calc.py": """import unittest

from calc import add


class AddTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 3), 5)
""",
}
PYTEST: Final = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments")
"""Packages that pytest needs, to be taken along into a workspace: the sandbox shows none of those of this checkout."""


def search_path() -> str:
    """The folders of installed agents, and then those of the system."""
    found = [str(each) for place in _PLACES for each in sorted(_FOLDER.glob(place)) if each.is_dir()]
    return os.pathsep.join([*found, os.environ.get("PATH", os.defpath)])


def is_installed(name: str) -> bool:
    """Whether this agent is there to be started."""
    return find_program(load_preset(name).file.program, search_path()) is not None


def adapter(name: str) -> PresetAdapter:
    """The agent, ready to be started."""
    return make_preset_adapter(load_preset(name), Machine(search_path()), MODELS.get(name, "scripted"))


def write_suite(folder: Path, *, with_pytest: bool = False) -> Path:
    """A suite of one small task, for whose workspace the scripts are written; with pytest in it where the script wants it."""
    task = folder / "smoke" / "fix_calc"
    workspace = task / "workspace"
    workspace.mkdir(parents=True)
    (task / "task.md").write_text(TASK)
    (task / "solution").mkdir()
    (task / "solution" / "calc.py").write_text("def add(a, b):\n    return a + b\n")
    for name, text in WORKSPACE.items():
        (workspace / name).write_text(text)
    if with_pytest:
        _copy_pytest(workspace)
    return folder


def _copy_pytest(workspace: Path) -> None:
    packages = Path(_PACKAGES)
    for name in PYTEST:
        for path in sorted((packages / name).rglob("*.py")):
            inner = path.relative_to(packages)
            if inner.parts[:2] == ("pygments", "lexers") and path.stem not in {"__init__", "_mapping", "python"}:
                continue  # five megabytes of languages that nobody writes here
            (workspace / inner).parent.mkdir(parents=True, exist_ok=True)
            (workspace / inner).write_bytes(path.read_bytes())


@dataclass(frozen=True, slots=True)
class Recorded:
    """Recorded attempts: the agent, its suite, the bundle's file, whether all passed, calls and seconds of one."""

    name: str
    suite: Path
    bundle: Path
    passed: bool
    calls: int
    seconds: float
    version: str


def record(name: str, provider: ScriptedProvider, suite: Path, folder: Path, cache: Path, *, attempts: int = 1) -> Recorded:
    """Run an agent against the provider, in the real sandbox; the bundle is written into `folder`."""
    key = "key-of-the-provider"
    ways = ModelWays(
        model=MODELS.get(name, "scripted"),
        ways={
            "openai": Upstream(f"{provider.url}/v1", key),
            "anthropic": Upstream(provider.url, key),
            "google": Upstream(provider.url, key),
        },
        prices=load_prices(),
        cache=cache,
    )
    agent = adapter(name)
    workers = min(attempts, WORKERS)
    done = run(RunRequest(compile_suite(suite), agent, folder / "state", attempts=attempts, workers=workers, models=ways))
    bundle, path = publish(done, None, folder / "recorded.tally")
    results = bundle.task_results
    seen = [result.observed for result in results if result.observed is not UNSET]
    calls = sum(each.calls for each in seen if each.calls is not UNSET)
    seconds = sum(each.wall_ms for each in seen) / 1000 / attempts
    passed = all(result.passed for result in results)
    return Recorded(name, suite, path, passed, calls // attempts, round(seconds, 1), agent.found.version or "")


def bodies(recorded: Recorded) -> list[bytes]:
    """Every request that the agent made, as it stood on the wire."""
    with recorded.bundle.open("rb") as stream:
        file = open_bundle(stream)
        found: list[bytes] = []
        for result in file.bundle.task_results:
            digest = file.receipt(result.receipt_hash).link("cassette")
            assert digest is not None
            found += restore_all(parse_cassette(file.read(digest)).calls, file.read)
    return found


def python_for(user: int) -> str:
    """An interpreter that another user may start: this one, or the system's of the same version; empty where there is none."""
    for python in (sys.executable, "/usr/bin/python3"):
        with contextlib.suppress(OSError):
            asked = [python, "-c", "import sys; print(sys.version_info[:2])"]
            done = subprocess.run(asked, user=user, cwd="/", env={}, capture_output=True, text=True, check=False)
            if done.stdout.strip() == str(sys.version_info[:2]):
                return python
    return ""


def may_replay(user: int, name: str) -> bool:
    """Whether this process can become a user who can start Python and read the agent: not one below a closed home folder."""
    if os.geteuid() != 0 or not python_for(user):
        return False
    words = [python_for(user), "-P", "-c", f"from tests.agents.kit import adapter; adapter({name!r})"]
    return subprocess.run(words, env=_environment(user), user=user, cwd="/", capture_output=True, check=False).returncode == 0


def _environment(user: int | None) -> dict[str, str]:
    packages = [str(ROOT / "src"), str(ROOT), *([] if user is None or python_for(user) == sys.executable else [_PACKAGES])]
    path = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(packages)}
    return {**path, "HOME": os.environ["HOME"], "TALLY_AGENTS": str(_FOLDER)}


@dataclass(frozen=True, slots=True)
class Again:
    """One attempt run again: empty `difference` where the receipt has the recorded bytes; places that rules touched."""

    difference: str
    spans: int
    leaks: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Where:
    """Circumstances of a replay: what of environment, folder, user and processors is other than at the recording."""

    env: Mapping[str, str] = dataclasses.field(default_factory=dict)
    cwd: Path | None = None
    user: int | None = None
    prepare: Callable[[], None] | None = None
    """Called in the child before it starts."""


def replay(recorded: Recorded, cache: Path, where: Where = Where(), *, times: int = 1) -> list[Again]:
    """Replay every attempt of a bundle `times` times, in a process of its own that is under these circumstances."""
    words = [recorded.name, recorded.suite, recorded.bundle, cache, times]
    python = sys.executable if where.user is None else python_for(where.user)
    done = subprocess.run(
        [python, "-P", "-m", "tests.agents.again", *map(str, words)],
        env={**_environment(where.user), **where.env},
        cwd=where.cwd or ROOT,
        user=where.user,
        group=where.user,
        extra_groups=None if where.user is None else [],
        preexec_fn=where.prepare,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=600 * times,
    )
    assert done.returncode == 0, done.stderr
    return [Again(**json.loads(line)) for line in done.stdout.splitlines()]
