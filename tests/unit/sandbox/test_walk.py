"""The walk over a hostile folder on the host's own file system, also while somebody changes it."""

# ruff: noqa: PTH104, PTH208, PTH211

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.sandbox.spec import Limits
from tallystick.sandbox.walk import FoundFile, FoundLink, Refused, walk
from tallystick.sandbox.workspace import write_file
from tests.support.ordinary import ordinary_user

LIMITS = Limits(1000, 1 << 20, 10, 1 << 20, 1 << 20, 100, 1 << 10)


def _walk(folder: Path, limits: Limits = LIMITS) -> dict[bytes, bytes | tuple[bytes] | str]:
    """{path: content, target or Refused} of a folder."""
    seen: dict[bytes, bytes | tuple[bytes] | str] = {}
    fd = os.open(folder, os.O_RDONLY)
    try:
        for found in walk(fd, limits):
            match found:
                case FoundFile():
                    seen[found.path] = os.read(found.fd, found.size)
                case FoundLink():
                    seen[found.path] = (found.target,)
                case Refused():
                    seen[found.path] = found.reason
    finally:
        os.close(fd)
    return seen


def test_the_order_is_that_of_names_and_empty_folders_are_silent(tmp_path: Path) -> None:
    for name in ("b", "a/z", "a-/y", "c/d/e"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "empty").mkdir()
    assert list(_walk(tmp_path)) == [b"a/z", b"a-/y", b"b", b"c/d/e"]


def test_no_descriptor_stays_open_when_the_walk_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/f").write_text("x")
    fd = os.open(tmp_path, os.O_RDONLY)
    before = len(os.listdir("/proc/self/fd"))
    walker = walk(fd, LIMITS)
    next(walker)
    walker.close()
    assert len(os.listdir("/proc/self/fd")) == before
    os.close(fd)


def test_too_many_entries_end_the_walk(tmp_path: Path) -> None:
    for n in range(101):
        (tmp_path / f"{n:03}").touch()
    assert _walk(tmp_path) == {b"": "too many files"}


def test_folders_count_as_entries(tmp_path: Path) -> None:
    for n in range(60):
        (tmp_path / f"{n:02}").mkdir()
        (tmp_path / f"{n:02}/f").touch()
    assert list(_walk(tmp_path).values())[-1] == "too many files"


def test_bytes_are_counted_over_all_files(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).write_bytes(b"x" * (400 << 10))
    assert _walk(tmp_path)[b"c"] == "is too large"


def test_a_link_with_a_target_that_no_document_holds(tmp_path: Path) -> None:
    os.symlink(b"\xff", os.fsencode(tmp_path) + b"/l")
    os.symlink(b"a\nb", os.fsencode(tmp_path) + b"/m")
    assert _walk(tmp_path) == {b"l": "link target is not UTF-8", b"m": "link target has a control character"}


def test_swapping_a_folder_for_a_link_while_walking_leaks_nothing(tmp_path: Path) -> None:
    """Somebody swaps `work/d` and a link to a secret folder as fast as possible; the walk sees one or the other."""
    secret, work = tmp_path / "secret", tmp_path / "work"
    for folder, text in ((secret, "secret"), (work, "")):
        folder.mkdir()
        (folder / "f").write_text(text)
    (work / "d").mkdir()
    (work / "d/f").write_text("mine")
    os.symlink(secret, work / "link")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            os.rename(work / "d", work / "x")
            os.rename(work / "link", work / "d")
            os.rename(work / "d", work / "link")
            os.rename(work / "x", work / "d")

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        for _ in range(300):
            assert b"secret" not in _walk(work).values()
    finally:
        stop.set()
        thread.join()


def test_modes_are_mended_only_below_the_folder() -> None:
    with ordinary_user() as folder:
        outside = folder / "outside"
        outside.touch(mode=0)
        work = folder / "work"
        work.mkdir()
        os.symlink(outside, work / "l")
        (work / "f").touch(mode=0)
        assert _walk(work) == {b"l": (os.fsencode(outside),), b"f": b""}
        assert outside.stat().st_mode & 0o777 == 0


_NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="/\0", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12
)


@given(st.dictionaries(_NAMES.filter(lambda n: n.lower() not in {".", "..", ".git"}), st.binary(max_size=50), max_size=8))
def test_what_was_written_is_found(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> None:
    folder = tmp_path_factory.mktemp("w")
    fd = os.open(folder, os.O_RDONLY)
    for name, data in files.items():
        write_file(fd, f"d/{name}", 0o644, data)
    os.close(fd)
    assert _walk(folder) == {f"d/{name}".encode(): data for name, data in files.items()}
