"""A cohort opened for one act: its value, its history followed to the end, and the one way to append to both."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from tallystick.core import pyjson
from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.core.pyjson import Json, PyJsonError
from tallystick.flows.cohort.folder import COHORT, HISTORY, PENDING, CohortFolder, Snapshot, plain, read_snapshot
from tallystick.flows.cohort.under_way import drift_of
from tallystick.records.cohort.checking import check
from tallystick.records.cohort.cohort import Cohort, parse_cohort
from tallystick.records.cohort.reading import Node
from tallystick.records.cohort.schemas import DocumentKind
from tallystick.records.cohort.vocabulary import Stage
from tallystick.records.cohort_history import CohortEntry, Detail, New, act_of_detail, payload, write_entries
from tallystick.suites.cohorts.chain import Chain, check_cohort, read_chain
from tallystick.suites.cohorts.definition import definition_digest
from tallystick.suites.cohorts.files import FileRefusedError, Files, open_files
from tallystick.suites.cohorts.history_codes import HistoryFinding
from tallystick.suites.cohorts.lifecycle import State, follow, outcomes_after, stage_after
from tallystick.suites.cohorts.reporting import Code, Report
from tallystick.suites.cohorts.validating import Options, validate
from tallystick.trust.jws import COHORT_ENTRY_TYP
from tallystick.trust.signing import Signer

__all__ = [
    "BrokenHistoryError",
    "InvalidCohortError",
    "Kept",
    "OpenCohort",
    "Where",
    "check_valid",
    "cohort_bytes",
    "create",
    "look",
    "opened",
    "path_below",
    "plain_folder",
    "read_cohort",
    "validated",
    "where_at",
]

_SHOWN: Final = 3
"""Findings that one error line names."""


class BrokenHistoryError(InputError):
    """A cohort that is not what its history tells, so that no act may follow."""


class InvalidCohortError(InputError):
    """What an act would write, or has read, is no valid cohort."""


@dataclass(frozen=True, slots=True)
class Where:
    """A cohort below a root: `path` is relative to it, as are the paths in the cohort. Its name is `cohort.json`."""

    root: Path
    path: str

    def __post_init__(self) -> None:
        """Only one name has a history beside it."""
        if self.path.rpartition("/")[2] != COHORT:
            raise InputError(f"{self.path}: a cohort with a history is a file named {COHORT}; give its path")

    @property
    def folder(self) -> Path:
        """The folder with the cohort, its history and what belongs to both."""
        return (self.root / self.path).parent


def where_at(root: Path, path: Path) -> Where:
    """The cohort at a path, relative to the root or absolute: a file `cohort.json`, or the folder that has it.

    Raises:
        InputError: it lies elsewhere.
    """
    below = path_below(root, path)
    return Where(root, below if below.rpartition("/")[2] == COHORT else f"{below}/{COHORT}".removeprefix("./"))


def path_below(root: Path, path: Path) -> str:
    """A path as the documents of a cohort write it: relative to the root, and inside it.

    Raises:
        InputError: it lies elsewhere.
    """
    if path.is_absolute():
        base = root.absolute()
        if not path.is_relative_to(base):
            raise InputError(f"{path} lies outside the root {base}; the root is --root, or where tally was started")
        path = path.relative_to(base)
    if ".." in path.parts:
        raise InputError(f"{path} leads out of the root; name a path below it")
    return path.as_posix()


@dataclass(frozen=True, slots=True)
class Kept:
    """A file below the cohort's folder that an act names."""

    folder: str
    name: str
    data: bytes


class OpenCohort:
    """A cohort whose history holds."""

    def __init__(self, where: Where, cohort: Cohort, chain: Chain, folder: CohortFolder | None = None) -> None:
        assert chain.state is not None  # a history that holds has a beginning
        self.where, self.cohort, self.chain, self._folder = where, cohort, chain, folder
        self.state: State = chain.state

    def keep(self, folder: str, name: str, data: bytes) -> None:
        """Put a file below the cohort's folder that the act to come names; as `CohortFolder.keep`."""
        self._held().keep(folder, name, data)

    def check_frozen(self, what: str) -> None:
        """Refuse `what` (such as `tally runs`) of a cohort that is not frozen, or was burned.

        Raises:
            InputError: it is so.
        """
        if self.state.stage is not Stage.FROZEN:
            raise InputError(f"{self.where.path}: the cohort is {self.state.stage}; {what} a frozen one only")

    @property
    def value(self) -> Node:
        """The whole document; what `commit` is given is another one, made of it."""
        return self.cohort.value

    def commit(self, detail: Detail, value: Node, signer: Signer, kept: Kept | None = None) -> CohortEntry:
        """Append an act and put the cohort after it in place; `kept` is written before, once it is clear that the act may come.

        Raises:
            LifecycleError: the act may not come now.
            CohortFolderError: the system refuses to write.
        """
        entry = _entry(detail, parse_cohort(value), signer, self.chain)
        follow(self.state, entry)
        if kept is not None:
            self.keep(kept.folder, kept.name, kept.data)
        self._held().write(cohort_bytes(value), write_entries((*self.chain.entries, entry)))
        return entry

    def _held(self) -> CohortFolder:
        if self._folder is None:
            raise RuntimeError("this cohort was opened for reading")
        return self._folder


@contextlib.contextmanager
def opened(where: Where) -> Iterator[OpenCohort]:
    """The cohort, for one act; nobody else acts on it meanwhile.

    Raises:
        BrokenHistoryError: its history does not hold, or leads to another cohort.
        InvalidCohortError: the file is no cohort.
        CohortFolderError: the system refuses.
    """
    with CohortFolder.open(plain_folder(where)) as folder:
        found = folder.snapshot()
        cohort = _sound(where, found, folder)
        folder.finish(found)
        yield cohort


def plain_folder(where: Where) -> Path:
    """The folder of a cohort that is about to be written.

    Raises:
        CohortFolderError: it lies behind a link.
    """
    plain(where.root, where.path)
    return where.folder


def look(where: Where) -> OpenCohort:
    """The cohort, for reading; errors as `opened`."""
    return _sound(where, read_snapshot(where.folder), None)


def _sound(where: Where, found: Snapshot, folder: CohortFolder | None) -> OpenCohort:
    if found.history is None:
        raise BrokenHistoryError(
            f"{where.folder / HISTORY}: there is none; tally cohort new makes a cohort with a history, "
            "and from-suite one that tally can also run and attach to"
        )
    cohort = read_cohort(found.cohort, where.path)
    chain = read_chain(found.history)
    if (drift := drift_of(found, chain)) is not None:
        raise BrokenHistoryError(f"{where.folder / PENDING}: {drift}; where nobody's act was killed, remove it")
    problems = chain.findings if chain.state is None else (*chain.findings, *check_cohort(chain.state, cohort))
    if problems:
        raise BrokenHistoryError(
            f"{where.path} is not what its history tells: {_named(problems)}; see: tally cohort validate --history"
        )
    return OpenCohort(where, cohort, chain, folder)


def _named(findings: tuple[HistoryFinding, ...]) -> str:
    shown = "; ".join(f"{one.task + ': ' if one.task else ''}{one.message}" for one in findings[:_SHOWN])
    more = len(findings) - _SHOWN
    return shown + (f"; and {more} more" if more > 0 else "")


def read_cohort(data: bytes | None, path: str) -> Cohort:
    """The cohort of these bytes.

    Raises:
        InvalidCohortError: there are none, or they are no cohort.
    """
    if data is None:
        raise InvalidCohortError(f"{path}: there is no such file")
    try:
        value = pyjson.read(data, strict=True)
    except PyJsonError as error:
        raise InvalidCohortError(f"{path} is no cohort: {error}") from None
    if errors := check(DocumentKind.COHORT, value, strict=True):
        said = "; ".join(f"{error.path}: {error.message}" for error in errors[:_SHOWN])
        raise InvalidCohortError(f"{path} is no cohort: {said}")
    return parse_cohort(value)


def create(where: Where, value: Node, detail: New, signer: Signer) -> CohortEntry:
    """Put a new cohort, which validates, with its first entry where there is none.

    Raises:
        InputError: there is one already.
    """
    with CohortFolder.open(plain_folder(where)) as folder:
        there = folder.snapshot()
        if there.cohort is not None or there.history is not None:
            raise InputError(f"{where.folder} holds a cohort already; name another folder")
        entry = _entry(detail, parse_cohort(value), signer, Chain((), None, ()))
        follow(None, entry)
        folder.write(cohort_bytes(value), write_entries((entry,)))
    return entry


def cohort_bytes(value: Json) -> bytes:
    """A cohort as its file."""
    return pyjson.pretty(value).encode() + b"\n"


def _entry(detail: Detail, cohort: Cohort, signer: Signer, chain: Chain) -> CohortEntry:
    """The signed entry of an act after which the cohort is this one."""
    state = chain.state
    unsigned = CohortEntry(
        seq=len(chain.entries),
        previous=chain.head,
        cohort_id=cohort.id,
        stage=stage_after(act_of_detail(detail), Stage.SCAFFOLD if state is None else state.stage),
        definition_digest=definition_digest(cohort),
        cohort_digest=pyjson.digest(cohort.value),
        outcomes_seen=outcomes_after(state, detail),
        detail=detail,
        signer_jwk=signer.public.jwk,
        kid=signer.public.kid,
        signature="",
    )
    return msgspec.structs.replace(unsigned, signature=signer.sign(COHORT_ENTRY_TYP, payload(unsigned)))


@dataclass(frozen=True, slots=True)
class _Overlay:
    """The files below a root, with the cohort as it is about to be, or as an act under way has it."""

    files: Files
    path: str
    cohort: bytes

    def read(self, path: str, label: str) -> bytes:
        """See `Files`."""
        if path != self.path:
            return self.files.read(path, label)
        try:
            self.files.read(path, label)  # the place has to be one that may be read, whatever it holds now
        except FileRefusedError as error:
            if error.code is not Code.FILE_MISSING:
                raise
        return self.cohort

    def digest(self, path: str, label: str) -> Digest:
        """See `Files`."""
        return self.files.digest(path, label)


def validated(where: Where, cohort: bytes | None, options: Options) -> Report:
    """What the validator says of a cohort with these bytes at its place, or with those that are there."""
    with open_files(where.root, compat=options.compat) as files:
        return validate(files if cohort is None else _Overlay(files, where.path, cohort), where.path, options)


def check_valid(where: Where, value: Json) -> None:
    """Refuse to write a cohort that a strict reader would not accept.

    Raises:
        InvalidCohortError: naming the first findings.
    """
    report = validated(where, cohort_bytes(value), Options())
    if not report.ok:
        raise InvalidCohortError(f"{where.path}: {report.first()}")
