"""Which agent it is, whatever it is called."""

from __future__ import annotations

from typing import Final

import msgspec

from tallystick.core.digest import Digest
from tallystick.records.base import UNSET, digest_of
from tallystick.records.evidence import SELF_TEST_KINDS, Agent

__all__ = ["agent_identity"]

_UNNAMED: Final = "-"
"""Stands in place of a name that somebody gave."""
_TOLD_BY_NAME: Final = SELF_TEST_KINDS | {"stochastic-mock"}
"""Self-tests of which there are several: the name says which, and of the mock its seed."""


def agent_identity(agent: Agent) -> Digest:
    """The digest of an agent without its name and version, which are declared.

    A self-test is given neither. Where there is one of its kind, a name that a bundle claims for it makes no other agent; where
    there are several, the name is what tells them apart, and stays.
    """
    return digest_of(msgspec.structs.replace(agent, name=_name(agent), version=UNSET))


def _name(agent: Agent) -> str:
    if not agent.self_test:
        return _UNNAMED
    return agent.name if agent.adapter in _TOLD_BY_NAME else agent.adapter
