"""Hidden evaluators: committed to before outcomes, deposited with somebody, revealed in the end.

Openings, escrows and keys lie wherever their owner keeps them, as private files (0600) that are never written over. A reveal is
an act on the cohort: the opening comes to lie in `reveals/` beside it, and its digest in the history.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from tallystick.core import limits, pyjson
from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError
from tallystick.flows.cohort.folder import review_name
from tallystick.flows.cohort.opening import Kept, Where, look, opened
from tallystick.records.cohort.checking import check
from tallystick.records.cohort.cohort import Cohort, CohortTask
from tallystick.records.cohort.opening import Opening, OpeningError, parse_opening
from tallystick.records.cohort.reading import EXTENSION, Node
from tallystick.records.cohort.schemas import PLAN_KINDS, DocumentKind
from tallystick.records.cohort.work_unit import parse_work_unit
from tallystick.records.cohort_history import CohortEntry, Reveal
from tallystick.suites.cohorts.files import open_files
from tallystick.suites.cohorts.hidden import check_opening, hidden_tasks, still_hidden
from tallystick.suites.cohorts.reading import Place, Reader
from tallystick.suites.cohorts.reporting import Finding, Sheet
from tallystick.suites.reading import read_regular
from tallystick.trust import files as private
from tallystick.trust.sealing import seal as sealed
from tallystick.trust.sealing import unseal
from tallystick.trust.signing import Signer

__all__ = [
    "REVEALS",
    "OtherOpeningError",
    "Revealed",
    "commit",
    "opening_in",
    "read_opening",
    "reveal",
    "seal",
    "try_opening",
    "unrevealed",
    "unsealed",
]

REVEALS: Final = "reveals"
"""The folder beside a cohort in which openings lie, by the digest of their bytes."""
_SALT_BYTES: Final = 32
_ESCROW_BYTES: Final = 2 * limits.COHORT_OPENING_BYTES
"""Base64 has a third more."""


class OtherOpeningError(InputError):
    """An opening of something else than the cohort has committed to."""


@dataclass(frozen=True, slots=True)
class Revealed:
    """The act, and what is wrong with the plan that is open now."""

    entry: CohortEntry
    findings: tuple[Finding, ...]


def commit(plan: Path, out: Path) -> Opening:
    """Write the opening of a plan, with a new salt, as a private file.

    Raises:
        InputError: no plan of a known version, or `out` is there already.
    """
    opening = Opening(_plan(plan), secrets.token_hex(_SALT_BYTES))
    data = opening.to_bytes()
    if len(data) > limits.COHORT_OPENING_BYTES:
        raise InputError(f"{plan}: a hidden plan has at most {limits.COHORT_OPENING_BYTES} bytes with its salt")
    _put_private(out, data, "opening")
    return opening


def _plan(path: Path) -> Node:
    try:
        value = pyjson.read(read_regular(path, limits.COHORT_OPENING_BYTES), strict=True)
    except pyjson.PyJsonError as error:
        raise InputError(f"EvaluatorPlan {path}: {error}") from None
    version = value.get("schema_version") if isinstance(value, dict) else None
    kind = PLAN_KINDS.get(version) if isinstance(version, str) else None
    if kind is None or not isinstance(value, dict):
        raise InputError(f"EvaluatorPlan {path}: its schema_version is none of {', '.join(PLAN_KINDS)}")
    errors = check(kind, value, strict=True)
    if errors:
        raise InputError(f"EvaluatorPlan {path}: {errors[0].path}: {errors[0].message}")
    return value


def read_opening(path: Path) -> Opening:
    """The opening in a file.

    Raises:
        OpeningError: it is none.
        InputError: it cannot be read.
    """
    return opening_in(read_regular(path, limits.COHORT_OPENING_BYTES), path)


def opening_in(data: bytes, path: Path | str) -> Opening:
    """The opening in the bytes of a file.

    Raises:
        OpeningError: they are none.
    """
    try:
        return parse_opening(data)
    except OpeningError as error:
        raise type(error)(f"{path} is no opening: {error}; make one with: tally cohort commit") from None


def seal(opening: Path, out: Path, key_file: Path) -> Opening:
    """Encrypt an opening under a new key: the escrow may be handed out, the key is a private file. Neither is written over.

    Raises:
        InputError: no opening, or one of the two is there already.
    """
    found = read_opening(opening)
    made = sealed(found.to_bytes())
    # The key first: an escrow without its key would be good for nothing.
    _put_private(key_file, made.key, "key")
    try:
        _put_private(out, made.escrow, "escrow")
    except InputError:
        key_file.unlink()
        raise
    return found


def unsealed(escrow: Path, key_file: Path) -> Opening:
    """The opening in an escrow.

    Raises:
        EscrowError: the key does not open it.
        OpeningError: it holds something else.
        KeyStoreError: others may use the key file, or it is a link, or not there.
        InputError: the escrow cannot be read.
    """
    return opening_in(unseal(read_regular(escrow, _ESCROW_BYTES), private.read(key_file, private=True)), escrow)


def try_opening(where: Where, task_id: str, opening: Opening) -> tuple[Finding, ...]:
    """What validation would say of a reveal, at any stage; writes nothing.

    Raises:
        InputError: the cohort has no hidden evaluator of that task.
    """
    cohort = look(where).cohort
    return _findings(where, _hidden(cohort, task_id), opening)


def reveal(where: Where, task_id: str, opening: Opening, signer: Signer) -> Revealed:
    """Put the opening of a hidden evaluator beside the cohort and record it.

    A plan that was committed to is revealed whatever is wrong with it: then `findings` say so, and so does validation.

    Raises:
        OtherOpeningError: it is not what the task commits to; nothing is written.
        LifecycleError: the cohort is not frozen yet, or this was done before.
    """
    with opened(where) as cohort:
        task = _hidden(cohort.cohort, task_id)
        if opening.commitment != task.evaluator.plan_digest:
            raise OtherOpeningError(
                f"{task_id}: this opening has the commitment {opening.commitment}, "
                f"the cohort holds {task.evaluator.plan_digest}; give the opening that was committed to"
            )
        data = opening.to_bytes()
        kept = Kept(REVEALS, review_name(sha256(data)), data)
        detail = Reveal(task_id=task_id, commitment=Digest(task.evaluator.plan_digest), opening=sha256(data))
        path = PurePosixPath(where.path).parent / REVEALS / kept.name
        value = _with_reveal(cohort.cohort, task_id, {"digest": detail.opening, "path": path.as_posix()})
        entry = cohort.commit(detail, value, signer, kept)
    return Revealed(entry, _findings(where, task, opening))


def unrevealed(where: Where) -> tuple[str, ...]:
    """The tasks whose evaluator is hidden still."""
    return still_hidden(look(where).cohort)


def _hidden(cohort: Cohort, task_id: str) -> CohortTask:
    hidden = hidden_tasks(cohort)
    if task_id not in hidden:
        known = f"hidden are those of {', '.join(list(hidden)[:10])}" if hidden else "it has none"
        raise InputError(f"the cohort has no hidden evaluator of a task {task_id[:130]!r}; {known}")
    return hidden[task_id]


def _with_reveal(cohort: Cohort, task_id: str, reveal: Node) -> Node:
    ours = {**cohort.ours, "reveals": {**cohort.ours.get("reveals", {}), task_id: reveal}}
    return {**cohort.value, "extensions": {**cohort.extensions, EXTENSION: ours}}


def _findings(where: Where, task: CohortTask, opening: Opening) -> tuple[Finding, ...]:
    """What is wrong with an opening, held against the WorkUnit that is there. What is wrong with that one is not said here."""
    with open_files(where.root, compat=False) as files:
        place = Place(0, f"{task.id} WorkUnit", task.id)
        value = Reader(files, Sheet(), compat=False).document(task.work_unit.path, DocumentKind.WORK_UNIT, place)
        reader = Reader(files, Sheet(), compat=False)
        check_opening(reader, task, None if value is None else parse_work_unit(value), opening)
    return reader.sheet.findings()


def _put_private(path: Path, data: bytes, what: str) -> None:
    try:
        private.create(path, data, f"{what} file")
    except FileExistsError:
        raise InputError(f"{path} is there already; name another file for the {what}") from None
