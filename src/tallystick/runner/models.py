"""An attempt's way to models: a session of the gateway, the pins beside it, and what of its traffic goes into evidence.

What a session is stands here as Protocols: the gateway is loaded only where an agent asks models.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from tallystick.core.digest import Digest, sha256
from tallystick.core.exact import Num, to_num
from tallystick.recording.journal import Journal
from tallystick.records.base import UNSET
from tallystick.records.evidence import Attempt, Config
from tallystick.records.journal import Decision, ModelCall, NetworkHost
from tallystick.records.task import Task
from tallystick.records.traffic.totals import totals_of
from tallystick.sandbox.pinning import Launcher, Pinning, TurnFile
from tallystick.sandbox.spec import Cancel, Mount

if TYPE_CHECKING:
    from tallystick.recording.gateway import Traffic  # loaded by whoever opens a gateway: it costs 150 ms

__all__ = [
    "EitherStop",
    "Models",
    "OpenSession",
    "Opened",
    "Session",
    "note_traffic",
    "token_of",
    "used_of",
]


DECISIONS: Final = Mount(Path(__file__).parent / "inside" / "tally_decisions.py", "/tally/lib/tally_decisions.py")
"""The client by which an orchestrator inside reports its decisions."""


class EitherStop:
    """Set when the run is stopped, or when the gateway has a reason to end the attempt."""

    def __init__(self, cancel: Cancel, session: Session) -> None:
        self._cancel, self._session = cancel, session

    def is_set(self) -> bool:
        """Ask both."""
        return self._cancel.is_set() or self._session.stop is not None


class Session(Protocol):
    """One attempt at the gateway (`recording.gateway.Session`)."""

    @property
    def stop(self) -> str | None:
        """Why the attempt is to be ended: the bound that was reached, or `diverged`."""
        ...

    def on_start(self, pid: int) -> None:
        """Open the door in the network namespace of process `pid`."""
        ...

    def close(self) -> Traffic:
        """End the session; nothing of the attempt is alive."""
        ...


OpenSession = Callable[[str, Task, Attempt, TurnFile], Session]
"""(token, task, attempt, turn file) -> a session."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A session and what the sandbox needs beside it. `token` is what the attempt shows in place of a key."""

    session: Session
    token: str
    pinning: Pinning | None


@dataclass(frozen=True, slots=True)
class Models:
    """How sessions are opened in this run. `launcher` holds clock, kernel name and random numbers fixed; None without it."""

    open_session: OpenSession
    launcher: Launcher | None

    @contextlib.contextmanager
    def open(self, run_id: Digest, task: Task, attempt: Attempt) -> Iterator[Opened]:
        """A session for one attempt, with a turn file that lives as long."""
        with (
            tempfile.TemporaryDirectory(prefix="tally-turns-") as folder,
            contextlib.closing(TurnFile(Path(folder) / "turns")) as turns,
        ):
            token = token_of(run_id, task.id, attempt)
            session = self.open_session(token, task, attempt, turns)
            try:
                yield Opened(session, token, None if self.launcher is None else Pinning(self.launcher.path, turns.path))
            finally:
                session.close()


def token_of(run_id: Digest, task_id: str, attempt: Attempt) -> str:
    """What an attempt shows at the door in place of a key: the same whenever this attempt of this run is made."""
    of = sha256("\n".join((run_id, task_id, str(attempt.index))).encode())
    return f"tally-{of.removeprefix('sha256:')[:32]}"


def note_traffic(journal: Journal, traffic: Traffic) -> None:
    """Write what the gateway saw into the journal: decisions as they came, calls by number, hosts sorted."""
    for name, text in traffic.decisions:
        journal.add(Decision, name=name, text=text)
    for served in traffic.events:
        journal.add(served.kind, **served.members)
    for host, port in sorted(set(traffic.used)):
        journal.add(NetworkHost, host=host, port=port)


def used_of(traffic: Traffic | None, config: Config) -> dict[str, Any]:
    """Members of `Observed` that tell what an attempt used of models."""
    if traffic is None:
        return {"cost_usd": 0 if config.network == "none" else UNSET}
    if traffic.cassette is not None:
        found = totals_of(traffic.cassette)
        used = {"calls": found.calls, "input_tokens": found.input_tokens, "output_tokens": found.output_tokens}
        return {**used, "cost_usd": found.cost_usd, "hosts": traffic.hosts}
    cost: Num | Any = UNSET if traffic.cost_usd is None else to_num(traffic.cost_usd)
    return {"calls": sum(served.kind is ModelCall for served in traffic.events), "cost_usd": cost, "hosts": traffic.hosts}
