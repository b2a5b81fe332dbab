"""The cassette: every call that an attempt made through the gateway, in the order in which the calls arrived.

Bodies are blobs, byte for byte as they were on the wire after content encodings were undone. A request body that begins and
ends as an earlier one does is kept as the difference (`bodies`), so that a conversation of n turns costs O(n) bytes.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from tallystick.core import limits
from tallystick.records.base import UNSET, Count, Num, Record, Sha, UnsetType, parse

__all__ = ["Api", "Body", "Call", "Cassette", "Usage", "parse_cassette"]

Api = Literal["openai.chat", "openai.responses", "anthropic.messages", "google.generate", "other"]
"""Which interface a call speaks; `other` is every call that asks no model."""

ShortText = Annotated[str, msgspec.Meta(max_length=256)]
Pairs = Annotated[tuple[tuple[ShortText, Annotated[str, msgspec.Meta(max_length=4096)]], ...], msgspec.Meta(max_length=64)]


class Body(Record):
    """A request body of `size` bytes with digest `whole`.

    Without `base` it is the blob `part`. With it, it is the first `prefix` bytes of the body of call `base` (an earlier call),
    then the blob `part`, then the last `suffix` bytes of that body.
    """

    whole: Sha
    size: Count
    part: Sha
    base: Count | UnsetType = UNSET
    prefix: Count = 0
    suffix: Count = 0


class Usage(Record):
    """Tokens as the provider counted them. `input` and `output` are totals; the others are parts of them."""

    input: Count
    output: Count
    cache_read: Count = 0
    cache_write: Count = 0
    reasoning: Count = 0


class Call(Record):
    """One call. `request` is the digest of the normalised request; status 0 means that no answer came."""

    call: Count
    api: Api
    method: Annotated[str, msgspec.Meta(max_length=16)]
    path: Annotated[str, msgspec.Meta(max_length=2048)]
    query: Annotated[str, msgspec.Meta(max_length=4096)]
    headers: Pairs
    request: Sha
    body: Body
    status: Annotated[int, msgspec.Meta(ge=0, le=999)]
    answer_headers: Pairs
    answer: Sha
    answer_bytes: Count
    complete: bool
    streamed: bool
    model: ShortText | UnsetType = UNSET
    answered_by: ShortText | UnsetType = UNSET
    params: Pairs = ()
    usage: Usage | UnsetType = UNSET
    cost_usd: Num | UnsetType = UNSET
    retry_of: Count | UnsetType = UNSET


class Cassette(Record, tag_field="_type", tag="tallystick/cassette/v1"):
    """The calls of one attempt. `rules` is the digest of the rule set that their requests were normalised with."""

    rules: Sha
    calls: Annotated[tuple[Call, ...], msgspec.Meta(max_length=limits.EVENTS_PER_ATTEMPT)]

    def __post_init__(self) -> None:
        """Calls are numbered from 0 without gaps, and refer to earlier ones."""
        for place, call in enumerate(self.calls):
            if call.call != place:
                raise ValueError(f"call {call.call} stands at place {place}")
            for earlier in (call.body.base, call.retry_of):
                if earlier is not UNSET and earlier >= place:
                    raise ValueError(f"call {place} refers to call {earlier}, which is no earlier one")


def parse_cassette(data: bytes) -> Cassette:
    """Read a cassette; errors as `records.base.parse`."""
    return parse(data, Cassette, limits.RECEIPT_BYTES)
