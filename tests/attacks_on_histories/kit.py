"""A liar's bench for the history of a cohort: who has the author's key, the files and the repository, and uses them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import msgspec

from tallystick.core.digest import sha256
from tallystick.flows.cohort.acting import burn, collect
from tallystick.flows.cohort.hidden import reveal
from tallystick.flows.cohort.opening import opened
from tallystick.records.base import Record, write
from tallystick.records.cohort_history import CohortEntry, CohortReview, payload
from tallystick.suites.cohorts.chain import Demands
from tallystick.suites.cohorts.history_codes import HistoryCode
from tallystick.trust.jws import COHORT_REVIEW_TYP
from tallystick.trust.signing import Signer
from tests.support.cohort_hidden import hidden_sample
from tests.support.cohort_lives import Life, begun, frozen

__all__ = [
    "LIAR",
    "Begin",
    "Demands",
    "HistoryCode",
    "HistoryLie",
    "Life",
    "act",
    "begin",
    "changed",
    "commit",
    "detail_changed",
    "reviewed_by",
    "with_review",
]

Begin = Literal["scaffold", "collecting", "frozen", "attached", "burned", "hidden", "revealed"]
LIAR: Final = Signer.generate()
"""A key that nobody else knows."""


@dataclass(frozen=True)
class HistoryLie:
    """One lie. `tell` changes a cohort that was honest until then; `codes` is what `validate --history` finds, exactly.

    git: whether the cohort lies in a repository, in which the honest state was committed
    demands: what the reader knows from elsewhere, told from the honest state
    """

    codes: frozenset[HistoryCode]
    tell: Callable[[Life], object]
    begin: Begin = "attached"
    git: bool = False
    demands: Callable[[Life], Demands] = field(default=lambda _: Demands())


def begin(life: Life, how: Begin) -> Life:
    """An honest cohort in the root of `life`, with two tasks attached where it is `attached` or `burned`."""
    if how in {"scaffold", "collecting"}:
        made = begun(life.root, author=life.author)
        if how == "collecting":
            collect(made.where, made.author)
        return made
    if how in {"hidden", "revealed"}:
        return _hidden(life, revealed=how == "revealed")
    made = frozen(life.root, life.author)
    if how != "frozen":
        made.attach(0)
        made.attach(1)
    if how == "burned":
        burn(made.where, "everybody has seen them", made.author)
    return made


def _hidden(life: Life, *, revealed: bool) -> Life:
    """A frozen cohort, the evaluator of its first task hidden, or revealed."""
    source, opening = hidden_sample()
    made = frozen(life.root, life.author, source)
    if revealed:
        reveal(made.where, source.task()["id"], opening, made.author)
    return made


def changed(entry: CohortEntry, **members: object) -> CohortEntry:
    """The entry with other members; its signature is the old one."""
    return msgspec.structs.replace(entry, **members)


def detail_changed(entry: CohortEntry, **members: object) -> CohortEntry:
    """The entry with other details."""
    return changed(entry, detail=msgspec.structs.replace(entry.detail, **members))


def act(life: Life, detail: Record, change: Callable[[dict[str, object]], object] = lambda _: None) -> CohortEntry:
    """An act by the author that the state machine takes, whatever it does to the cohort."""
    with opened(life.where) as cohort:
        value = life.value
        change(value)
        return cohort.commit(detail, value, life.author)  # type: ignore[arg-type]  # one of the details


def reviewed_by(life: Life, signer: Signer, **members: object) -> bytes:
    """A review of this cohort, signed by this key, with other members where they are given."""
    made = CohortReview(
        cohort_id=life.value["id"],
        definition_digest=life.entries[-1].definition_digest,
        statement="read it all",
        reviewer_jwk=signer.public.jwk,
        kid=signer.public.kid,
        signature="",
    )
    made = msgspec.structs.replace(made, **members)
    return write(msgspec.structs.replace(made, signature=signer.sign(COHORT_REVIEW_TYP, payload(made))))


def with_review(life: Life, review: bytes) -> None:
    """The same history, as if this review had been named by the freeze."""
    digest = sha256(review)
    folder = life.where.folder / "reviews"
    for path in folder.iterdir():
        path.unlink()
    (folder / f"{digest.removeprefix('sha256:')}.json").write_bytes(review)
    entries = life.entries
    place = next(place for place, entry in enumerate(entries) if type(entry.detail).__name__ == "Freeze")
    entries[place] = detail_changed(entries[place], review=digest)
    life.resign(entries)


def commit(folder: Path) -> None:
    """Commit everything in a folder, which becomes a repository."""
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "as it is"]):
        line = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words]
        subprocess.run(line, cwd=folder, check=True, capture_output=True)
