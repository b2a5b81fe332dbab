"""The memory of a cohort: one signed entry for each act (`tallystick/cohort-entry/v1`), each naming the one before it.

`history.jsonl` holds one entry a line, in C1. An entry's signature is over the digest of the entry without it; `previous` is
the digest of the whole line before, signature included. No clock stands in it: it proves an order; Git or a log gives times.
`cohort_digest` and `definition_digest` follow the rule of the foreign documents (`core.pyjson`), not C1.
Specification: docs/spec/cohort-history.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal

import msgspec

from tallystick.core import c1, limits
from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET, Count, MalformedError, Record, Sha, UnsetType, parse, write
from tallystick.records.bundle import Jwk, Thumbprint
from tallystick.records.cohort.cohort import FEWEST_TASKS, MOST_TASKS
from tallystick.records.cohort.vocabulary import Family, Stage

__all__ = [
    "ACTS",
    "Act",
    "Add",
    "Attach",
    "AttemptRef",
    "Burn",
    "CohortEntry",
    "CohortId",
    "CohortPending",
    "CohortReview",
    "Collect",
    "Detail",
    "Exclude",
    "Expose",
    "Freeze",
    "NegativeRef",
    "New",
    "Predecessor",
    "Reveal",
    "Says",
    "Supersede",
    "act_of",
    "act_of_detail",
    "entry_digest",
    "parse_entries",
    "parse_pending",
    "parse_review",
    "payload",
    "write_entries",
]

CohortId = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9._/-]{2,127}$(?!\n)")]
"""The id of a cohort, of a task in one, or of a work unit."""
Says = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
"""What a person wrote, as the reason of an act."""
Tasks = Annotated[tuple[CohortId, ...], msgspec.Meta(max_length=limits.TASKS)]


class AttemptRef(Record):
    """An attempt whose outcome was seen, by the digests of both documents about it."""

    task_id: CohortId
    attempt_id: Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
    result_manifest: Sha
    verification_result: Sha


Attempts = Annotated[tuple[AttemptRef, ...], msgspec.Meta(max_length=limits.TASK_RESULTS)]


class NegativeRef(Record):
    """A seeded negative that was run, by the digest of its evidence."""

    task_id: CohortId
    evidence: Sha


class Predecessor(Record):
    """The cohort that a new one takes the place of."""

    id: CohortId
    definition_digest: Sha


class New(Record, tag_field="act", tag="new"):
    """The cohort was made, with these tasks. The two targets may not be lowered afterwards."""

    tasks: Tasks
    minimum_final_tasks: Annotated[int, msgspec.Meta(ge=FEWEST_TASKS, le=MOST_TASKS)]
    required_families: Annotated[tuple[Family, ...], msgspec.Meta(min_length=1, max_length=6)]
    supersedes: Predecessor | UnsetType = UNSET


class Add(Record, tag_field="act", tag="add"):
    """Tasks that came to it; those of `replaced` were there before, with other content."""

    tasks: Tasks
    replaced: Tasks = ()


class Collect(Record, tag_field="act", tag="collect"):
    """Real task acquisition began."""


class Expose(Record, tag_field="act", tag="expose"):
    """A solution became known to those who are measured; of one task, or of any."""

    says: Says
    task_id: CohortId | UnsetType = UNSET


class Freeze(Record, tag_field="act", tag="freeze"):
    """The definition is fixed. `review` is the digest of the review's file in `reviews/`."""

    review: Sha


class Attach(Record, tag_field="act", tag="attach"):
    """Outcomes were seen and bound to their tasks. `bundle_hash` names the bundle they come from, if from one."""

    attempts: Attempts
    negatives: Annotated[tuple[NegativeRef, ...], msgspec.Meta(max_length=limits.TASKS)] = ()
    bundle_hash: Sha | UnsetType = UNSET


class Exclude(Record, tag_field="act", tag="exclude"):
    """A task does not count as evidence any more. `attempts` are those it had: they stay in every denominator."""

    task_id: CohortId
    says: Says
    attempts: Attempts = ()


class Reveal(Record, tag_field="act", tag="reveal"):
    """The plan behind a hidden evaluator's `commitment` was opened; `opening` is the digest of the file with plan and salt."""

    task_id: CohortId
    commitment: Sha
    opening: Sha


class Burn(Record, tag_field="act", tag="burn"):
    """Final outcomes have been looked at."""

    says: Says


class Supersede(Record, tag_field="act", tag="supersede"):
    """Another cohort takes the place of this one."""

    successor: CohortId


Detail = New | Add | Collect | Expose | Freeze | Attach | Exclude | Reveal | Burn | Supersede
Act = Literal["new", "add", "collect", "expose", "freeze", "attach", "exclude", "reveal", "burn", "supersede"]
ACTS: Final[tuple[Act, ...]] = ("new", "add", "collect", "expose", "freeze", "attach", "exclude", "reveal", "burn", "supersede")


class CohortEntry(Record, tag_field="_type", tag="tallystick/cohort-entry/v1"):
    """One act. `stage`, `definition_digest`, `cohort_digest` and `outcomes_seen` are those after it."""

    seq: Count
    previous: Sha
    cohort_id: CohortId
    stage: Stage
    definition_digest: Sha
    cohort_digest: Sha
    outcomes_seen: bool
    detail: Detail
    signer_jwk: Jwk
    kid: Thumbprint
    signature: Annotated[str, msgspec.Meta(max_length=1024)]


class CohortReview(Record, tag_field="_type", tag="tallystick/cohort-review/v1"):
    """Somebody other than the author has read the definition with this digest."""

    cohort_id: CohortId
    definition_digest: Sha
    statement: Says
    reviewer_jwk: Jwk
    kid: Thumbprint
    signature: Annotated[str, msgspec.Meta(max_length=1024)]


class CohortPending(Record, tag_field="_type", tag="tallystick/cohort-pending/v1"):
    """An act under way: what both files hold after it. The file is whole, or not there; never published."""

    cohort: str
    history: str


def act_of_detail(detail: Detail) -> Act:
    """The act that these details are of."""
    return str(detail.__struct_config__.tag)  # type: ignore[return-value]  # the tags are those of Act


def act_of(entry: CohortEntry) -> Act:
    """The act of an entry."""
    return act_of_detail(entry.detail)


def payload(document: CohortEntry | CohortReview) -> bytes:
    """What the signature is over: the ASCII bytes of the digest of the document without its signature."""
    names = (name for name in document.__struct_fields__ if name != "signature")
    tree = {name: getattr(document, name) for name in names} | {"_type": document.__struct_config__.tag}
    return sha256(c1.encode(tree)).encode("ascii")


def entry_digest(entry: CohortEntry) -> Digest:
    """Digest of the line, signature included: what the next entry names as `previous`."""
    return sha256(c1.encode(entry))


def parse_entries(data: bytes) -> Iterator[CohortEntry]:
    """Read `history.jsonl` line by line; nothing about the order of the entries is checked.

    Raises:
        MalformedError: a line that is no entry, too many of them, or a last line without its line feed.
        C1Error, NewerVersionError: as `records.base.parse`, with the number of the line.
    """
    if len(data) > limits.COHORT_HISTORY_BYTES:
        raise MalformedError(f"the history has {len(data)} bytes; at most {limits.COHORT_HISTORY_BYTES} are read")
    lines = data.split(b"\n")
    if lines.pop():
        raise MalformedError(f"line {len(lines) + 1} of the history does not end in a line feed: it was cut off")
    if len(lines) > limits.COHORT_ENTRIES:
        raise MalformedError(f"the history has {len(lines)} entries; at most {limits.COHORT_ENTRIES} are read")
    for number, line in enumerate(lines, 1):
        try:
            yield parse(line, CohortEntry)
        except InputError as error:
            raise type(error)(f"line {number} of the history: {error}") from None


def write_entries(entries: tuple[CohortEntry, ...]) -> bytes:
    """The lines of these entries."""
    return b"".join(write(entry) + b"\n" for entry in entries)


def parse_review(data: bytes) -> CohortReview:
    """Read a review; errors as `records.base.parse`."""
    return parse(data, CohortReview)


def parse_pending(data: bytes) -> CohortPending:
    """Read an act under way; errors as `records.base.parse`."""
    return parse(data, CohortPending, limits.COHORT_PENDING_BYTES)
