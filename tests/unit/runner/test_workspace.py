"""Filling and sealing are inverse, and what leaves the workspace is not taken along."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.recording.blobs import BlobStore
from tallystick.records.blobs import MemoryBlobs
from tallystick.records.tree import file_record, link_record, make_tree
from tallystick.runner.workspace import REFUSALS_LISTED, Sealed, escape, filler, seal, seal_records
from tallystick.sandbox.spec import Limits

LIMITS = Limits(
    wall_ms=1000,
    memory_bytes=1 << 20,
    processes=10,
    file_bytes=1 << 20,
    workspace_bytes=1 << 20,
    workspace_files=1000,
    output_bytes=1000,
)
BLOBS = MemoryBlobs()
TREE = make_tree(
    [
        file_record("a", BLOBS.put(b"one"), 3),
        file_record("d/run", BLOBS.put(b"#!/bin/sh\n"), 10, executable=True),
        link_record("d/link", "../a"),
        file_record("n\u00e4me", BLOBS.put(b""), 0),
    ]
)


def sealed(folder: Path, store: BlobStore) -> Sealed:
    fd = os.open(folder, os.O_RDONLY)
    try:
        return seal(fd, LIMITS, store)
    finally:
        os.close(fd)


def filled(folder: Path) -> Path:
    folder.mkdir()
    fd = os.open(folder, os.O_RDONLY)
    try:
        filler(TREE, BLOBS, {".git/HEAD": b"ref: refs/heads/main\n"})(fd)
    finally:
        os.close(fd)
    return folder


def test_what_was_filled_is_sealed(tmp_path: Path) -> None:
    store = BlobStore(tmp_path / "blobs")
    found = sealed(filled(tmp_path / "w"), store)
    assert found == Sealed(TREE, (), 0), ".git does not survive, everything else does"
    assert store.read(TREE.records[0].digest) == b"one"  # type: ignore[arg-type]


def test_modes_are_two(tmp_path: Path) -> None:
    work = filled(tmp_path / "w")
    (work / "a").chmod(0o4640)
    (work / "d/run").chmod(0o500)
    assert sealed(work, BlobStore(tmp_path / "blobs")).tree == TREE


def test_refusals_are_listed_to_a_bound_and_counted_beyond(tmp_path: Path) -> None:
    work = filled(tmp_path / "w")
    for number in range(REFUSALS_LISTED + 20):
        os.mkfifo(work / f"fifo{number:03d}")
    found = sealed(work, BlobStore(tmp_path / "blobs"))
    assert found.tree == TREE
    assert len(found.refused) == REFUSALS_LISTED
    assert found.refused_total == REFUSALS_LISTED + 20
    assert found.refused[0].path == "fifo000"


@pytest.mark.parametrize("target", ["/etc/passwd", "/", "..", "../../x", "d/../../x", "d/../a"])
def test_links_that_leave(target: str) -> None:
    found = seal_records([link_record("link", target)])
    assert (found.tree.records, [each.reason for each in found.refused], found.refused_total) == ((), ["link_leaves"], 1)


@pytest.mark.parametrize(("path", "target"), [("link", "a"), ("d/link", "../a"), ("d/e/link", "../../.gitignore")])
def test_links_that_stay(path: str, target: str) -> None:
    assert seal_records([link_record(path, target)]).refused_total == 0


@given(st.binary(min_size=1, max_size=60))
def test_any_name_can_be_written_down(name: bytes) -> None:
    text = escape(name)
    assert text.isascii()
    assert text.isprintable()
    hexed = [text[i + 1 : i + 3] for i, char in enumerate(text) if char == "%"]
    assert all(len(pair) == 2 and pair == pair.upper() for pair in hexed)


def test_different_names_are_written_differently() -> None:
    assert len({escape(name) for name in (b"a%0A", b"a\n", b"a%250A", "a\u00e9".encode(), b"a")}) == 5
