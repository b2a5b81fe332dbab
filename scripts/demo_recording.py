"""Makes the recording that `tally demo` runs again: mini-swe-agent at golden-v1, asking a scripted model on this machine.

    PYTHONPATH=src:. .venv/bin/python scripts/demo_recording.py      (after: scripts/agents.sh mini-swe-agent)

The scripted model knows the reference solutions. What is recorded shows the program at work and measures nobody's model; the
bundle's model is called `scripted-1`, and whoever shows it says so.
"""

from __future__ import annotations

import shlex
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.flows.adapters import AgentRequest, make_adapter
from tallystick.flows.demo_replay import RECORDING
from tallystick.flows.models import ModelWays
from tallystick.flows.publishing import publish
from tallystick.flows.run import RunRequest, run
from tallystick.recording.upstream import Upstream
from tallystick.records.base import UNSET
from tallystick.records.evidence import Agent, Attempt
from tallystick.records.task import Task
from tallystick.records.traffic.rules import RuleSet
from tallystick.records.tree import Overlay
from tallystick.runner.adapters import Adapter, Launch, rules_of
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import load_suite
from tallystick.suites.prices import load_prices
from tallystick.trust.signing import Signer
from tests.support.scripted_brain import SCRIPTS
from tests.support.scripted_provider import ScriptedProvider

ROOT: Final = Path(__file__).resolve().parents[1]
AGENT: Final = "mini-swe-agent"
MODEL: Final = "scripted-1"
SCRIPT: Final = "demo"


@dataclass
class Knowing:
    """The real agent; its model is told before each attempt what to say."""

    real: Adapter
    provider: ScriptedProvider

    @property
    def agent(self) -> Agent:
        """The real one's."""
        return self.real.agent

    @property
    def rules(self) -> RuleSet:
        """The real one's."""
        return rules_of(self.real)

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Overlay | Launch:
        """Tell the model its lines, and start the real agent."""
        SCRIPTS[SCRIPT] = tuple(_steps(suite, task))  # type: ignore[index]  # a dict, which only this script adds to
        self.provider.script = SCRIPT
        return self.real.plan(suite, task, attempt)


def _steps(suite: LoadedSuite, task: Task) -> list[str]:
    """Look around, write the reference solution file by file, look at the result."""
    assert task.solution is not UNSET
    steps = ["ls -la && git log --oneline"]
    for record in suite.tree(task.solution.tree).records:
        assert isinstance(record.digest, str)
        path, text = shlex.quote(record.path), suite.blobs.read(record.digest).decode()
        steps.append(f"mkdir -p $(dirname {path}) && cat > {path} <<'END_OF_FILE'\n{text.removesuffix(chr(10))}\nEND_OF_FILE")
    steps += [f"rm -f {shlex.quote(path)}" for path in task.solution.removes]
    return [*steps, "git status --short"]


def main() -> None:
    """Record and write."""
    suite = load_suite("golden-v1")
    wanted = AgentRequest(AGENT, search_path=f"{ROOT}/.agents/{AGENT}/bin:/usr/local/bin:/usr/bin:/bin", model=MODEL)
    with tempfile.TemporaryDirectory() as folder, ScriptedProvider() as provider:
        adapter = Knowing(make_adapter(wanted, suite), provider)
        ways = ModelWays(MODEL, {"openai": Upstream(provider.url, "")}, load_prices(None), Path(folder) / "cache")
        done = run(RunRequest(suite, adapter, Path(folder) / "state", workers=1, models=ways))
        assert done.bundle is not None
        assert done.bundle.totals.passed == len(suite.tasks), done.bundle.totals
        _, path = publish(done, Signer.generate(), RECORDING)
    print(f"wrote {path.relative_to(ROOT)}: {path.stat().st_size:,} bytes, pins {', '.join(done.bundle.config.pins)}")


if __name__ == "__main__":
    main()
