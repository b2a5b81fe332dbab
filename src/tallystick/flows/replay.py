"""An attempt run again on its recorded answers: the verifier's Protocol, implemented with the runner and the gateway.

The agent is the reader's own installation of the same program, started as it was, in the reader's sandbox; suite, graders,
rules and prices are the reader's. Nothing is asked of any model: a replay has no way out.
"""

from __future__ import annotations

import contextlib
import platform
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from tallystick.core.digest import Digest, short
from tallystick.core.errors import TallyError
from tallystick.flows.models import Keeping, ModelWays, Recorded, open_models, pins_here
from tallystick.recording.blobs import BlobStore
from tallystick.records.base import UNSET, UnsetType, digest_of
from tallystick.records.blobs import BlobReader
from tallystick.records.bundle import Bundle
from tallystick.records.evidence import Agent, Receipt
from tallystick.records.journal import AgentEnd, AttemptEnd, Event, kind_of
from tallystick.records.task import Task
from tallystick.records.traffic.cassette import Cassette
from tallystick.runner.adapters import Adapter
from tallystick.runner.attempt import DivergedError, Workbench, run_attempt
from tallystick.runner.byte_code import compiled
from tallystick.runner.grading import SandboxGrader
from tallystick.sandbox.drivers import open_sandbox
from tallystick.sandbox.pinning import PINS as LAUNCHER_PINS
from tallystick.scoring.verdict import event_of
from tallystick.suites.loaded import LoadedSuite
from tallystick.verify.ports import CannotReplayError, Replayed, VerifyOptions

__all__ = ["ReplayRequest", "SandboxReplayer", "difference_of", "other_agent", "replayer"]


K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """What the reader has at hand for a replay: an adapter for the agent that a bundle names, and a folder for the launcher."""

    adapter: Callable[[Agent, LoadedSuite], Adapter]
    cache: Path


class SandboxReplayer:
    """Replays attempts of one bundle, one after the other; opened at the first."""

    def __init__(
        self, bundle: Bundle, suite: LoadedSuite, request: ReplayRequest, known: VerifyOptions, stack: contextlib.ExitStack
    ) -> None:
        self._bundle, self._suite, self._request, self._options, self._stack = bundle, suite, request, known, stack
        self._bench: Workbench | None = None
        self._recorded: Recorded | None = None
        self._obstacle = ""

    def replay(self, task: Task, receipt: Receipt, cassette: Cassette, blobs: BlobReader) -> Replayed:
        """One attempt, from base workspace to receipt; as `verify.ports.Replayer`."""
        self._recorded = Recorded(cassette, blobs)
        if self._obstacle:
            raise CannotReplayError(self._obstacle)
        try:
            if self._bench is None:
                self._bench = self._open()
        except TallyError as error:  # the same for every attempt of the bundle
            self._obstacle = str(error)
            raise CannotReplayError(self._obstacle) from None
        try:
            done = run_attempt(self._bench, task, receipt.attempt)
        except DivergedError as error:
            return Replayed(str(error), 0)
        except TallyError as error:
            raise CannotReplayError(str(error)) from None
        _check_machine(receipt, done.receipt)
        return Replayed(difference_of(receipt, done.receipt), done.spans, done.leaks)

    def _open(self) -> Workbench:
        """Agent, pins, gateway and sandbox, each the one that the bundle names, or a line that says which is not here."""
        config = self._bundle.config
        adapter = self._adapter()
        pins, found, why = pins_here(self._request.cache)
        lacking = sorted(set(config.pins) - set(pins))
        if lacking:
            raise CannotReplayError(f"the pins {', '.join(lacking)} cannot be held here: {why}")
        if config.sandbox != "bwrap":
            raise CannotReplayError("the attempts were made without a sandbox, so nothing of them was pinned")
        rules = self._known(self._options.rules, self._bundle.agent.rules, "rules")
        ways = ModelWays(
            model=None,
            ways={},
            prices=self._known(self._options.prices, config.prices, "price table"),
            cache=self._request.cache,
            calls=None if config.limits.calls is UNSET else config.limits.calls,
            tokens=None if config.limits.tokens is UNSET else config.limits.tokens,
        )
        scratch = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="tally-replay-")))
        store = BlobStore(scratch / "blobs")
        used = found if set(config.pins) & set(LAUNCHER_PINS) else None
        models = self._stack.enter_context(open_models(ways, rules, store, used, Keeping(recorded=self._recording)))
        sandbox, cancel = open_sandbox("bwrap"), threading.Event()
        return Workbench(
            suite=self._suite,
            adapter=compiled(adapter, sandbox, self._request.cache),
            config=config,
            sandbox=sandbox,
            grader=SandboxGrader(sandbox, cancel),
            store=store,
            python=platform.python_version(),
            cancel=cancel,
            models=models,
        )

    def _recording(self) -> Recorded:
        assert self._recorded is not None  # set before the attempt starts
        return self._recorded

    def _adapter(self) -> Adapter:
        wanted = self._bundle.agent
        adapter = self._request.adapter(wanted, self._suite)
        if adapter.agent != wanted:
            raise CannotReplayError(other_agent(wanted, adapter.agent))
        return adapter

    def _known(self, table: Mapping[Digest, K], digest: Digest | UnsetType, what: str) -> K:
        found = None if digest is UNSET else table.get(digest)
        if found is None:
            raise CannotReplayError(f"the {what} of the recording are not among this reader's")
        return found


def other_agent(wanted: Agent, here: Agent) -> str:
    """How the agent here differs from the recorded one, in one line."""
    if wanted.program != here.program:
        return (
            f"{here.name} here is another program: {short(here.program)}, recorded {short(wanted.program)} {_version(wanted)}"
        )
    for name in Agent.__struct_fields__:
        if getattr(wanted, name) != getattr(here, name):
            return f"the agent here is started another way: its {name} differs from the recorded one"
    return "the agent here is another one"


def _version(agent: Agent) -> str:
    return "" if agent.version is UNSET else f" (version {agent.version})"


_OF_THE_MACHINE: Final = frozenset({"sandbox_failed", "grader_failed"})


def _check_machine(recorded: Receipt, found: Receipt) -> None:
    """Tell what this machine failed to do from what the agent did otherwise.

    Raises:
        CannotReplayError: sandbox or graders failed here, or the time was too short, and it was not so when it was recorded.
    """
    ends = [(event_of(each, AttemptEnd), event_of(each, AgentEnd)) for each in (recorded, found)]
    (before, agent_before), (now, agent_now) = ends
    if now is not None and now.cause in _OF_THE_MACHINE and (before is None or before.cause != now.cause):
        raise CannotReplayError(f"the attempt ended here as {now.cause}, and was recorded otherwise")
    if agent_now is not None and agent_now.limit == "wall" and (agent_before is None or agent_before.limit != "wall"):
        raise CannotReplayError("the agent's time ran out here, and did not when it was recorded: is this machine overloaded?")


def difference_of(recorded: Receipt, found: Receipt) -> str:
    """The first thing in which two receipts of one attempt differ; empty where they are byte for byte the same."""
    if digest_of(recorded) == digest_of(found):
        return ""
    for before, after in zip(recorded.events, found.events, strict=False):
        if before != after:
            return f"event {before.seq} was {kind_of(before)}, now {_now(before, after)}"
    if len(recorded.events) != len(found.events):
        return f"the journal has {len(found.events)} events, recorded were {len(recorded.events)}"
    roles = (one.role for one, other in zip(recorded.spine, found.spine, strict=False) if one != other)
    return f"the receipts differ in {next(roles, 'their heads')}"


def _now(before: Event, after: Event) -> str:
    if type(before) is not type(after):
        return kind_of(after)
    names = [name for name in before.__struct_fields__ if getattr(before, name) != getattr(after, name)]
    return "another " + ", ".join(f"{name} ({getattr(after, name)})" for name in names)[:200]


@contextlib.contextmanager
def replayer(bundle: Bundle, suite: LoadedSuite, request: ReplayRequest, options: VerifyOptions) -> Iterator[SandboxReplayer]:
    """A replayer for one bundle; what it opened is closed with it."""
    with contextlib.ExitStack() as stack:
        yield SandboxReplayer(bundle, suite, request, options, stack)
