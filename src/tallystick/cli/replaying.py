"""The agent that a reader has at hand when a bundle's attempts are to be run again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tallystick.cli import settings
from tallystick.core.errors import InputError

if TYPE_CHECKING:
    from tallystick.flows.replay import ReplayRequest
    from tallystick.records.evidence import Agent
    from tallystick.runner.adapters import Adapter
    from tallystick.suites.loaded import LoadedSuite

_SEED_DIGITS = 20
__all__ = ["adapter_of", "agent_at_hand"]


def agent_at_hand(argv: tuple[str, ...], agent_home: Path | None) -> ReplayRequest:
    """What a replay needs of this machine; the agent itself is looked for when a bundle has named it."""
    from tallystick.flows.replay import ReplayRequest  # noqa: PLC0415  # only for replays: it loads the runner

    return ReplayRequest(adapter=lambda agent, suite: adapter_of(agent, suite, argv, agent_home), cache=settings.cache_folder())


def adapter_of(
    agent: Agent, suite: LoadedSuite, argv: tuple[str, ...], agent_home: Path | None, name: str | None = None
) -> Adapter:
    """The reader's own installation of the agent that a bundle names, to be started as the bundle says.

    `name` is what `--agent` takes for it, where that is more than its adapter.

    Raises:
        InputError: it is not here, or nobody said where.
    """
    from tallystick.flows.adapters import AgentRequest, make_adapter  # noqa: PLC0415  # as above

    if agent.adapter == "command" and not argv:
        raise InputError(f"{agent.name} is an agent of the submitter's own; name your copy of it after --, as for tally run")
    wanted = AgentRequest(
        name=name or agent.adapter,
        seed=_seed_of(agent),
        argv=argv,
        cwd=Path.cwd(),
        search_path=settings.search_path(),
        label=agent.name,
        version=agent.version if isinstance(agent.version, str) else None,
        never=settings.homes(),
        hidden=settings.hidden_from_agents(settings.default_state()),
        model=agent.model if isinstance(agent.model, str) else None,
        agent_home=agent_home,
    )
    return make_adapter(wanted, suite)


def _seed_of(agent: Agent) -> int:
    """The seed that the name of a stochastic mock tells."""
    text = agent.name.rpartition("-")[2]
    return int(text) if agent.adapter == "stochastic-mock" and text.isdecimal() and len(text) < _SEED_DIGITS else 0
