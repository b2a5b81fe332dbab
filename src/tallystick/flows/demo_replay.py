"""The last act of the demonstration: a real agent program runs again on recorded answers, without key and network.

The recording came with tally (scripts/demo_recording.py makes it): mini-swe-agent at golden-v1, asking a scripted model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.core.errors import InputError, TallyError
from tallystick.flows.adapters import AgentRequest, make_adapter
from tallystick.flows.known import known_prices, known_rules
from tallystick.flows.replay import ReplayRequest, replayer
from tallystick.records.base import UNSET
from tallystick.records.containers import BundleFile, open_bundle
from tallystick.records.evidence import Agent, Receipt
from tallystick.records.journal import ModelCall
from tallystick.records.traffic.cassette import parse_cassette
from tallystick.runner.adapters import Adapter
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import load_suite
from tallystick.verify.ports import CannotReplayError, VerifyOptions

__all__ = ["RECORDING", "DivergedDemoError", "Machine", "replay_one"]

RECORDING: Final = Path(__file__).parent / "recordings" / "mini-swe-agent.json"
"""A bundle; which agent and model it is of stands in it."""


class DivergedDemoError(TallyError):
    """The recorded program did something else on its recorded answers."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where the agent's program is looked for, and the folder of the launcher."""

    search_path: str
    cache: Path


def replay_one(machine: Machine, *, path: Path = RECORDING) -> Iterator[str]:
    """Run the first recorded attempt again; yields lines for people. Where it cannot be done here, they say why.

    Raises:
        DivergedDemoError: it came out otherwise.
    """
    with path.open("rb") as stream:
        file = open_bundle(stream)
        agent = file.bundle.agent
        version = "" if agent.version is UNSET else f" {agent.version}"
        yield f"recorded: {agent.name}{version} asking {agent.model}, which is a script and no model of anybody"
        try:
            yield _replay(file, load_suite(file.bundle.suite_version), machine)
        except (InputError, CannotReplayError) as error:
            yield f"not shown here: {error}"


def _replay(file: BundleFile, suite: LoadedSuite, machine: Machine) -> str:
    result = file.bundle.task_results[0]
    receipt = file.receipt(result.receipt_hash)
    digest = receipt.link("cassette")
    if digest is None:
        raise InputError("the recording has no cassette")
    at_hand = ReplayRequest(lambda agent, suite: _adapter(agent, suite, machine), machine.cache)
    known = VerifyOptions(rules=known_rules(), prices=known_prices())
    task = next(task for task in suite.tasks if task.id == receipt.task_id)
    with replayer(file.bundle, suite, at_hand, known) as opened:
        found = opened.replay(task, receipt, parse_cassette(file.read(digest)), file)
    if found.difference:
        raise DivergedDemoError(f"{receipt.task_id} run again: {found.difference}")
    how = f"equal after declared rules, {found.spans} spans" if found.spans else "exact"
    return (
        f"{task.id} run again: the same {_calls(receipt)} requests ({how}), the same files, the same receipt; nothing was asked"
    )


def _calls(receipt: Receipt) -> int:
    return sum(isinstance(event, ModelCall) for event in receipt.events)


def _adapter(agent: Agent, suite: LoadedSuite, machine: Machine) -> Adapter:
    model = agent.model if isinstance(agent.model, str) else None
    return make_adapter(AgentRequest(agent.adapter, search_path=machine.search_path, model=model), suite)
