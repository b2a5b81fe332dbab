"""A shard (`tallystick/shard/v1`): the finished attempts of one part of a run, on their way to `tally merge`.

It claims nothing: no verdict, score or signature stands in it, so no part of a run can be taken for a run.
Specification: docs/spec/shard.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, TypeVar

import msgspec

from tallystick.core import limits
from tallystick.records.base import UNSET, Id, Record, Sha, UnsetType, parse
from tallystick.records.bundle import Harness, Observed, Try
from tallystick.records.evidence import Agent, Attempt, Config

__all__ = ["MOST_SHARDS", "Shard", "ShardResult", "Share", "bare", "parse_shard"]

T = TypeVar("T")
MOST_SHARDS: Final = 10_000
"""Parts of a run: an array job of a cluster has a thousand."""


class Share(Record):
    """The `index`-th of `of` parts, from 1."""

    index: Annotated[int, msgspec.Meta(ge=1, le=MOST_SHARDS)]
    of: Annotated[int, msgspec.Meta(ge=1, le=MOST_SHARDS)]

    def __post_init__(self) -> None:
        """An index lies within its count."""
        if self.index > self.of:
            raise ValueError(f"shard {self.index} of {self.of}")

    def take(self, items: Sequence[T]) -> Sequence[T]:
        """The items of this part: every `of`-th, so that a task's attempts and slow neighbours are spread."""
        return items[self.index - 1 :: self.of]


class ShardResult(Record):
    """One finished attempt. The receipt itself is a member of the container."""

    task_id: Id
    attempt: Attempt
    receipt_hash: Sha
    tries: Annotated[tuple[Try, ...], msgspec.Meta(max_length=1000)] = ()
    observed: Observed | UnsetType = UNSET


class Shard(Record, tag_field="_type", tag="tallystick/shard/v1"):
    """One part of a run over all tasks of a suite. `attempts` is the number at each task in the whole run."""

    suite_hash: Sha
    suite_version: Id
    agent: Agent
    config: Config
    harness: Harness
    attempts: Annotated[int, msgspec.Meta(ge=1, le=limits.ATTEMPTS)]
    share: Share
    results: Annotated[tuple[ShardResult, ...], msgspec.Meta(max_length=limits.TASK_RESULTS)]


def bare(shard: Shard) -> Shard:
    """The shard without receipts of tries: what `shard.json` holds."""
    results = tuple(
        msgspec.structs.replace(one, tries=tuple(msgspec.structs.replace(each, receipt=UNSET) for each in one.tries))
        for one in shard.results
    )
    return msgspec.structs.replace(shard, results=results)


def parse_shard(data: bytes) -> Shard:
    """Read a shard document; errors as `records.base.parse`."""
    return parse(data, Shard, limits.BUNDLE_JSON_BYTES)
