"""How well an agent can be run again: one attempt is recorded and replayed several times; what came out alike is counted."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from tallystick.core.errors import InputError
from tallystick.flows.known import known_prices, known_rules
from tallystick.flows.models import ModelWays
from tallystick.flows.replay import ReplayRequest, replayer
from tallystick.flows.run import RunRequest, run
from tallystick.recording.blobs import BlobStore
from tallystick.recording.passing import passing_folder
from tallystick.records.base import UNSET, digest_of
from tallystick.records.bundle import Bundle
from tallystick.records.evidence import Receipt
from tallystick.records.journal import ModelCall
from tallystick.records.traffic.cassette import parse_cassette
from tallystick.runner.adapters import Adapter, rules_of
from tallystick.suites.loaded import LoadedSuite
from tallystick.verify.ports import VerifyOptions

__all__ = ["AgentCheck", "AgentCheckRequest", "Replay", "check_agent"]


@dataclass(frozen=True, slots=True)
class AgentCheckRequest:
    """The agent, a task to record it on, how models are reached for that, and how often to replay."""

    adapter: Adapter
    suite: LoadedSuite
    task: str
    ways: ModelWays
    replays: int = 10


@dataclass(frozen=True, slots=True)
class Replay:
    """One replay: empty `difference` where it counts as the recorded one, `spans` that declared rules touched."""

    difference: str
    spans: int


@dataclass(frozen=True, slots=True)
class AgentCheck:
    """What was recorded and what came of the replays."""

    calls: int
    passed: bool
    replays: tuple[Replay, ...]

    @property
    def equal(self) -> int:
        """Replays whose receipt was the recorded one."""
        return sum(not replay.difference for replay in self.replays)

    @property
    def raw(self) -> int:
        """Those of them that needed no rule."""
        return sum(not replay.difference and replay.spans == 0 for replay in self.replays)

    @property
    def flaky(self) -> bool:
        """Whether one replay came out otherwise."""
        return self.equal < len(self.replays)


def check_agent(request: AgentCheckRequest, *, listener: Callable[[str], None] | None = None) -> AgentCheck:
    """Record once, replay `request.replays` times.

    Raises:
        InputError: the recording made no call to a model, so that there is nothing to replay.
        CannotReplayError: a replay cannot be made here.
        SandboxUnavailableError: this machine cannot start the sandbox.
    """
    tell = listener or (lambda _: None)
    with passing_folder("agent") as folder:
        tell("recording")
        ways = dataclasses.replace(request.ways, keep=True, hosts=())
        done = run(RunRequest(request.suite, request.adapter, folder, tasks=(request.task,), workers=1, models=ways))
        if done.bundle is None:
            raise InputError("the recording was stopped")
        result = done.bundle.task_results[0]
        assert result.receipt is not UNSET  # a bundle just built has its receipts
        calls = sum(isinstance(event, ModelCall) for event in result.receipt.events)
        if calls == 0:
            raise InputError(f"{request.adapter.agent.name} asked no model; tally run and then tally show say why")
        replays = _replay(request, done.bundle, result.receipt, BlobStore(folder / "blobs"), tell)
    return AgentCheck(calls, result.passed, replays)


def _replay(
    request: AgentCheckRequest, bundle: Bundle, receipt: Receipt, store: BlobStore, tell: Callable[[str], None]
) -> tuple[Replay, ...]:
    digest = receipt.link("cassette")
    assert digest is not None  # the run kept its recordings
    cassette = parse_cassette(store.read(digest))
    rules = rules_of(request.adapter)
    known = VerifyOptions(
        rules={**known_rules(), digest_of(rules): rules},
        prices={**known_prices(), digest_of(request.ways.prices): request.ways.prices},
    )
    task = next(task for task in request.suite.tasks if task.id == receipt.task_id)
    at_hand = ReplayRequest(adapter=lambda _agent, _suite: request.adapter, cache=request.ways.cache)
    found = []
    with replayer(bundle, request.suite, at_hand, known) as opened:
        for number in range(1, request.replays + 1):
            tell(f"replay {number} of {request.replays}")
            one = opened.replay(task, receipt, cassette, store)
            leak = "a value that the rules rename stands in a later answer and is declared no handle" if one.leaks else ""
            found.append(Replay(one.difference or leak, one.spans))
    return tuple(found)
