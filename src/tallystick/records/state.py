"""Documents of the state folder: what a run is, and what is known of a finished attempt. They are local, never published."""

from __future__ import annotations

from typing import Annotated

import msgspec

from tallystick.core import limits
from tallystick.records.base import UNSET, Count, Id, Record, Sha, UnsetType, parse
from tallystick.records.bundle import Observed
from tallystick.records.evidence import Agent, Config, Receipt
from tallystick.records.opinion import Opinion

__all__ = ["FinishedAttempt", "RunState", "parse_finished", "parse_run_state"]


class RunState(Record, tag_field="_type", tag="tallystick/run/v1"):
    """What a run folder is about; the same command finds the folder by these members."""

    run_id: Sha
    suite_hash: Sha
    suite_version: Id
    agent: Agent
    config: Config
    tasks: tuple[Id, ...]
    attempts: Annotated[int, msgspec.Meta(ge=1, le=limits.ATTEMPTS)]
    ordinal: Annotated[int, msgspec.Meta(ge=1)]
    started_at: Count


class FinishedAttempt(Record, tag_field="_type", tag="tallystick/finished-attempt/v1"):
    """A sealed receipt with what was measured beside it, and the receipts of earlier tries."""

    receipt: Receipt
    observed: Observed
    tries: tuple[Receipt, ...] = ()
    opinion: Opinion | UnsetType = UNSET


def parse_run_state(data: bytes) -> RunState:
    """Read the description of a run folder; errors as `records.base.parse`."""
    return parse(data, RunState)


def parse_finished(data: bytes) -> FinishedAttempt:
    """Read a finished attempt; errors as `records.base.parse`."""
    return parse(data, FinishedAttempt, 4 * limits.RECEIPT_BYTES)
