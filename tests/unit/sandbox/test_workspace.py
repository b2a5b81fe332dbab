"""Writing below a directory fd: exact bytes and times, never through a link."""

# ruff: noqa: PTH115, PTH208

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.sandbox.spec import SandboxError
from tallystick.sandbox.workspace import MTIME_S, FillError, fill_workspace, remove, write_file, write_link


@pytest.fixture
def dirfd(tmp_path: Path) -> Iterator[int]:
    fd = os.open(tmp_path, os.O_RDONLY)
    yield fd
    os.close(fd)


def test_files_get_bytes_mode_and_times_whatever_the_umask(dirfd: int, tmp_path: Path) -> None:
    old = os.umask(0o077)
    try:
        write_file(dirfd, "a/b/c.sh", 0o755, b"\0x" * 100_000)
    finally:
        os.umask(old)
    path = tmp_path / "a/b/c.sh"
    assert path.read_bytes() == b"\0x" * 100_000
    assert path.stat().st_mode & 0o7777 == 0o755
    assert (tmp_path / "a").stat().st_mode & 0o7777 == 0o755
    for entry in (path, path.parent, path.parent.parent, tmp_path):
        assert entry.stat().st_mtime_ns == MTIME_S * 10**9


def test_a_file_replaces_a_link_instead_of_following_it(dirfd: int, tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("safe")
    write_link(dirfd, "link", "victim")
    write_file(dirfd, "link", 0o644, b"new")
    assert (tmp_path / "victim").read_text() == "safe"
    assert not (tmp_path / "link").is_symlink()


def test_a_link_in_the_middle_of_a_path_is_not_followed(dirfd: int, tmp_path: Path) -> None:
    write_link(dirfd, "out", "/tmp")
    for call in (lambda: write_file(dirfd, "out/x", 0o644, b""), lambda: remove(dirfd, "out/x")):
        with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
            call()


def test_a_link_has_its_target_and_time(dirfd: int, tmp_path: Path) -> None:
    write_link(dirfd, "d/link", "../x")
    assert os.readlink(tmp_path / "d/link") == "../x"
    assert (tmp_path / "d/link").lstat().st_mtime == MTIME_S


def test_remove_takes_empty_folders_along(dirfd: int, tmp_path: Path) -> None:
    write_file(dirfd, "a/b/c", 0o644, b"")
    write_file(dirfd, "a/d", 0o644, b"")
    remove(dirfd, "a/b/c")
    assert sorted(os.listdir(tmp_path / "a")) == ["d"]
    remove(dirfd, "a/d")
    assert os.listdir(tmp_path) == []


def test_remove_of_what_is_not_there_fails(dirfd: int) -> None:
    with pytest.raises(FileNotFoundError):
        remove(dirfd, "nothing")


def test_what_the_file_system_refuses_is_said_in_one_line(dirfd: int) -> None:
    def fill(fd: int) -> None:
        write_file(fd, "a", 0o644, b"")
        os.mkdir("a/b", dir_fd=fd)

    with pytest.raises(FillError, match=r"^cannot write .* 'a/b' Not a directory; ") as raised:
        fill_workspace(fill, dirfd)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("target", ["", "a\0b", "x" * 4096, "é" * 2048, "\udcff"])
def test_targets_that_no_link_can_have_are_refused(dirfd: int, target: str) -> None:
    with pytest.raises(SandboxError, match="target of a link"):
        write_link(dirfd, "link", target)


def test_the_longest_target_is_written(dirfd: int, tmp_path: Path) -> None:
    write_link(dirfd, "n" * 255, "x" * 4095)
    assert len(os.readlink(tmp_path / ("n" * 255))) == 4095


@pytest.mark.parametrize(
    "path", ["", "/", "/etc/x", "a//b", "../x", "a/../b", ".", "a/.", "a\0b", "n" * 256, "é" * 128 + "/x", "\ud800"]
)
def test_paths_that_leave_or_say_nothing_are_refused(dirfd: int, path: str) -> None:
    with pytest.raises(SandboxError):
        write_file(dirfd, path, 0o644, b"")


@given(st.lists(st.sampled_from(["", ".", "..", "a", "b"]), min_size=1, max_size=5))
def test_no_path_writes_outside(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    base = tmp_path_factory.mktemp("outer")
    (base / "inner").mkdir()
    fd = os.open(base / "inner", os.O_RDONLY)
    try:
        write_file(fd, "/".join(parts), 0o644, b"x")
    except SandboxError:
        assert {"", ".", ".."} & set(parts)
    finally:
        os.close(fd)
    assert os.listdir(base) == ["inner"]
