"""The compiled form of a suite: `suite.json` (C1, records.task.Suite), and the contents of its files.

    <folder>/suite.json
    <folder>/blobs/sha256/<hex>     every file content that a tree names, once

A `suite.json` may also lie beside the authoring form that it was made from; then contents are read from there, where modes
and names no longer matter: trees come from the document, and what is read is checked against its digest. Of a drawn suite
nothing else is needed: its contents are drawn again when they are asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from tallystick.core import limits
from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET, write
from tallystick.records.blobs import BlobReader, MissingBlobError
from tallystick.records.task import Suite, parse_suite
from tallystick.records.tree import Tree
from tallystick.suites.integrity import check_suite, partials_of
from tallystick.suites.loaded import FileBlobs, LoadedSuite, SuiteError, read_checked
from tallystick.suites.reading import open_regular

__all__ = ["SUITE_FILE", "CompiledBlobs", "read_compiled", "write_beside", "write_compiled"]

SUITE_FILE: Final = "suite.json"
BLOBS: Final = Path("blobs") / "sha256"


class CompiledBlobs:
    """The blobs of a compiled folder, read when asked for and checked against their digest."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / BLOBS

    def read(self, digest: Digest) -> bytes:
        """The bytes of `digest`; raises `MissingBlobError`."""
        return read_checked(self._folder / digest.removeprefix("sha256:"), digest)


class BesideBlobs:
    """Blobs read from the authoring form beside a `suite.json`; the index is made on the first read."""

    def __init__(self, folder: Path, document: Suite, trees: dict[Digest, Tree]) -> None:
        self._folder = folder
        self._document = document
        self._trees = trees
        self._files: FileBlobs | None = None

    def read(self, digest: Digest) -> bytes:
        """The bytes of `digest`; raises `MissingBlobError`."""
        if self._files is None:
            places = _places(self._folder, self._document)
            files = {
                record.digest: place / record.path
                for place, tree in places
                for record in self._trees[tree].records
                if record.digest is not UNSET
            }
            self._files = FileBlobs(files, str(self._folder))
        return self._files.read(digest)


class DrawnBlobs:
    """The contents of a drawn suite whose files lie nowhere: drawn again on the first read."""

    def __init__(self, document: Suite) -> None:
        self._document = document
        self._drawn: BlobReader | None = None

    def read(self, digest: Digest) -> bytes:
        """The bytes of `digest`; raises `MissingBlobError`, also where the families make something else by now."""
        if self._drawn is None:
            from tallystick.suites.families.drawing import drawn_again  # noqa: PLC0415  # most readers need no contents

            try:
                self._drawn = drawn_again(self._document).blobs
            except InputError as error:
                raise MissingBlobError(digest, f"the families here ({error})") from None
        return self._drawn.read(digest)


def _places(folder: Path, document: Suite) -> Iterator[tuple[Path, Digest]]:
    """(folder of the authoring form, its tree) of every part of every task and cheat."""
    homes = {task.id: folder / task.tier / task.id for task in document.tasks}
    for task in document.tasks:
        yield homes[task.id] / "workspace", task.workspace
        if task.grader is not UNSET:
            yield homes[task.id] / "grader", task.grader
        if task.solution is not UNSET:
            yield homes[task.id] / "solution", task.solution.tree
    for cheat in document.cheats:
        yield homes[cheat.task_id] / "cheats" / cheat.name, cheat.overlay.tree
    for partial in partials_of(document):
        yield homes[partial.task_id] / "partials" / partial.name, partial.overlay.tree


def read_compiled(file: Path, origin: Literal["packaged", "reader"] = "reader") -> LoadedSuite:
    """The suite of a `suite.json`; every hash in it is computed again.

    Raises:
        InputError: it cannot be read, is no suite document, or breaks a rule of suites.
    """
    try:
        with open_regular(file) as stream:
            data = stream.read(limits.SUITE_BYTES + 1)
    except OSError as error:
        raise SuiteError(f"{file}: cannot be read ({error.strerror})") from None
    try:
        document = parse_suite(data)
        trees = check_suite(document)
    except InputError as error:
        raise SuiteError(f"{file}: {error}") from error
    return LoadedSuite(document, _blobs(file.parent, document, trees), origin, trees)


def _blobs(folder: Path, document: Suite, trees: dict[Digest, Tree]) -> BlobReader:
    if (folder / BLOBS).is_dir():
        return CompiledBlobs(folder)
    return BesideBlobs(folder, document, trees) if document.drawn_from is UNSET else DrawnBlobs(document)


def write_compiled(suite: LoadedSuite, out: Path) -> None:
    """Write the compiled form into `out`, a new or empty folder. Equal suites make equal files.

    Raises:
        SuiteError: `out` has something in it, or cannot be written.
        MissingBlobError: a content cannot be read.
    """
    try:
        if out.exists() and any(out.iterdir()):
            raise SuiteError(f"{out}: not empty; name a new folder")
        blobs = out / BLOBS
        blobs.mkdir(parents=True, exist_ok=True)
        for digest in _contents(suite):
            (blobs / digest.removeprefix("sha256:")).write_bytes(suite.blobs.read(digest))
        _write_document(suite, out)
    except OSError as error:
        raise SuiteError(f"{out}: cannot be written ({error.strerror})") from None


def write_beside(suite: LoadedSuite, folder: Path) -> Path:
    """Write `suite.json` into the authoring folder that `suite` was compiled from, and return its path.

    Raises:
        SuiteError: a task's id or tier differs from its folders, so that its contents could not be found again.
    """
    beside = BesideBlobs(folder, suite.document, suite.trees)
    for digest in _contents(suite):
        try:
            beside.read(digest)
        except MissingBlobError as error:
            raise SuiteError(f"{folder}: {error}; ids and tiers must be the names of their folders") from None
    try:
        return _write_document(suite, folder)
    except OSError as error:
        raise SuiteError(f"{folder}: cannot be written ({error.strerror})") from None


def _write_document(suite: LoadedSuite, folder: Path) -> Path:
    path = folder / SUITE_FILE
    temporary = path.with_name(f".{SUITE_FILE}.new")
    temporary.write_bytes(write(suite.document, limits.SUITE_BYTES))
    os.replace(temporary, path)  # noqa: PTH105  # atomic: a reader sees the old document or the new one
    return path


def _contents(suite: LoadedSuite) -> list[Digest]:
    """Digests of all file contents of a suite, sorted."""
    return sorted({r.digest for tree in suite.trees.values() for r in tree.records if r.digest is not UNSET})
