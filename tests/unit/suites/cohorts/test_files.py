"""Reading below a root: what is followed, what is not, and how each refusal reads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tallystick.core.digest import sha256
from tallystick.core.errors import InputError
from tallystick.core.limits import PYJSON_BYTES
from tallystick.suites.cohorts.files import FileRefusedError, folder_of, open_files
from tallystick.suites.cohorts.reporting import Code
from tallystick.suites.cohorts.samples import Shape, sample
from tallystick.suites.cohorts.validating import Options, validate
from tests.support.cohorts import told, write


def refused(root: Path, path: str, *, compat: bool = False) -> FileRefusedError:
    with open_files(root, compat=compat) as files, pytest.raises(FileRefusedError) as caught:
        files.read(path, "A file")
    assert str(caught.value).startswith("A file: ")
    return caught.value


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root" / "folder").mkdir(parents=True)
    (tmp_path / "root" / "folder" / "a.json").write_bytes(b"{}")
    (tmp_path / "outside.json").write_bytes(b"{}")
    return tmp_path / "root"


@pytest.mark.parametrize("compat", [True, False])
def test_bytes_and_digest(root: Path, *, compat: bool) -> None:
    with open_files(root, compat=compat) as files:
        assert files.read("folder/a.json", "A file") == b"{}"
        assert files.digest("folder/a.json", "A file") == sha256(b"{}")


@pytest.mark.parametrize("compat", [True, False])
@pytest.mark.parametrize("path", ["", "/etc/hostname", "../outside.json", "folder/../folder/a.json", "a\0b"])
def test_unsafe_paths(root: Path, path: str, *, compat: bool) -> None:
    error = refused(root, path, compat=compat)
    assert (error.code, str(error)) == (Code.PATH_UNSAFE, f"A file: unsafe path {path!r}")


@pytest.mark.parametrize("compat", [True, False])
@pytest.mark.parametrize("path", ["b.json", "folder", "folder/a.json/b", "nowhere/a.json"])
def test_files_that_are_not_there(root: Path, path: str, *, compat: bool) -> None:
    error = refused(root, path, compat=compat)
    assert (error.code, str(error)) == (Code.FILE_MISSING, f"A file: referenced file does not exist: {path}")


@pytest.mark.parametrize("compat", [True, False])
def test_a_fifo_is_no_file_and_nobody_waits_for_it(root: Path, *, compat: bool) -> None:
    os.mkfifo(root / "pipe")
    assert refused(root, "pipe", compat=compat).code == Code.FILE_MISSING


@pytest.mark.parametrize("compat", [True, False])
def test_a_file_that_is_too_large(root: Path, *, compat: bool) -> None:
    with (root / "large").open("wb") as file:
        file.truncate(PYJSON_BYTES + 1)
    assert refused(root, "large", compat=compat).code == Code.FILE_UNREADABLE


@pytest.mark.parametrize("compat", [True, False])
def test_a_name_that_no_file_system_has(root: Path, *, compat: bool) -> None:
    assert refused(root, "a" * 300, compat=compat).code == Code.FILE_UNREADABLE


def test_links(root: Path) -> None:
    (root / "inside").symlink_to("folder")
    (root / "out").symlink_to("../outside.json")
    (root / "round").symlink_to("round")
    with open_files(root, compat=True) as files:
        assert files.read("inside/a.json", "A file") == b"{}"
    assert refused(root, "out", compat=True).code == Code.PATH_ESCAPES
    assert refused(root, "round", compat=True).code in {Code.FILE_UNREADABLE, Code.FILE_MISSING}
    for path in ("inside/a.json", "out", "round"):
        assert refused(root, path).code == Code.SYMLINK


def test_a_repository_inside(root: Path) -> None:
    (root / ".git").mkdir()
    with open_files(root, compat=False) as files:
        files.read("folder/a.json", "A file")
    (root / "folder" / ".git").write_text("gitdir: elsewhere")
    assert refused(root, "folder/a.json").code == Code.NESTED_REPOSITORY


@pytest.mark.parametrize(
    "path", ["folder//a.json", "./folder/a.json", "folder/a.json/", "folder\\a.json", "fo\u200blder", "e\u0301"]
)
def test_second_spellings(root: Path, path: str) -> None:
    error = refused(root, path)
    assert error.code == Code.PATH_SPELLING
    assert str(error).isprintable()


def test_a_root_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="name a folder with --root"), open_files(tmp_path / "no", compat=False):
        pass


def test_files_beside_a_document() -> None:
    assert folder_of("a/b/c.json", "d.txt") == "a/b/d.txt"
    assert folder_of("c.json", "d.txt") == "d.txt"


def descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_no_file_stays_open(root: Path) -> None:
    before = descriptors()
    with open_files(root, compat=False) as files:
        for path in ("folder/a.json", "folder", "folder/b.json", "folder/a.json/b"):
            try:
                files.read(path, "A file")
            except FileRefusedError:
                continue
        assert descriptors() <= before + 2
    assert descriptors() == before


def test_a_document_that_was_not_fetched(tmp_path: Path) -> None:
    write(sample(Shape(attempts=0)), tmp_path)
    plan = tmp_path / "cohort/0000/plan.json"
    plan.write_text(f"version https://git-lfs.github.com/spec/v1\noid sha256:{'1' * 64}\nsize 12\n")
    for compat in (True, False):
        with open_files(tmp_path, compat=compat) as files:
            report = validate(files, "cohort/cohort.json", Options(compat=compat))
        assert told(report) == ["lfs-pointer"]
        assert report.findings[0].message.startswith("cannot load JSON from cohort/0000/plan.json: ")
