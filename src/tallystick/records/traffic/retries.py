"""Which calls failed, and which repeat one that did. Recorder and verifier share it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tallystick.core.digest import Digest
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.traffic.cassette import Call

__all__ = ["ENDED_BY", "has_failed", "retries"]

ENDED_BY: Final = "tally-ended-by"
"""Under this name the cassette keeps who broke off an answer, beside the header fields of it; no agent gets it."""

_FAILED: Final = frozenset({0, 408, 409, 429})
"""Statuses after which clients try again, beside those from 500 on."""


def has_failed(call: Call) -> bool:
    """Whether a call got nothing usable from its provider, so that clients try it again."""
    if call.status in _FAILED or call.status >= 500:  # noqa: PLR2004 - the class of server errors
        return (ENDED_BY, "agent") not in call.answer_headers
    return (ENDED_BY, "provider") in call.answer_headers


def retries(calls: Iterable[Call]) -> Iterator[int | UnsetType]:
    """`retry_of` of each call: the last earlier one with an equal request that failed and was not repeated yet."""
    failed: dict[Digest, int] = {}
    for call in calls:
        yield failed.pop(call.request, UNSET)
        if has_failed(call):
            failed[call.request] = call.call
