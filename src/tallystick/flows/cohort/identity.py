"""Which agent it is, whatever it is called."""

from __future__ import annotations

from typing import Final

import msgspec

from tallystick.core.digest import Digest
from tallystick.records.base import UNSET, digest_of
from tallystick.records.evidence import Agent

__all__ = ["agent_identity"]

_UNNAMED: Final = "-"
"""Stands in place of a name that somebody gave."""


def agent_identity(agent: Agent) -> Digest:
    """The digest of an agent without its name and version, which are declared.

    A self-test is given neither: its own name says which one it is, so it stays.
    """
    return digest_of(agent if agent.self_test else msgspec.structs.replace(agent, name=_UNNAMED, version=UNSET))
