"""Patches of workspaces, judged by `git apply`: what it makes of the base is what the candidate is."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tallystick.flows.cohort import patches
from tallystick.flows.cohort.patches import candidate_patch
from tallystick.records.blobs import MemoryBlobs
from tallystick.records.tree import Tree, TreeRecord, file_record, link_record, make_tree

ENV = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "HOME": "/nonexistent"}
BLOBS = MemoryBlobs()


def file(path: str, data: bytes, *, executable: bool = False) -> TreeRecord:
    return file_record(path, BLOBS.put(data), len(data), executable=executable)


def tree(*records: TreeRecord) -> Tree:
    return make_tree(list(records))


def lay_out(base: Tree, folder: Path) -> None:
    for record in base.records:
        path = folder / record.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(record.target, str):
            path.symlink_to(record.target)
        else:
            path.write_bytes(BLOBS.read(record.digest))  # type: ignore[arg-type]  # a file has one
            path.chmod(0o755 if record.mode == "0755" else 0o644)


def read(folder: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = ("link", str(path.readlink()))
        elif path.is_file():
            found[name] = (bool(path.stat().st_mode & 0o111), path.read_bytes())
    return found


def applied(base: Tree, final: Tree, folder: Path) -> tuple[dict[str, object], dict[str, object]]:
    """What git makes of the base, and what it should be."""
    for name, content in (("base", base), ("final", final)):
        (folder / name).mkdir()
        lay_out(content, folder / name)
    patch = candidate_patch(base, final, BLOBS)
    if patch:
        subprocess.run(["git", "apply", "-"], input=patch, cwd=folder / "base", env=ENV, check=True, capture_output=True)
    return read(folder / "base"), read(folder / "final")


BASE = tree(
    file("a.py", b"one\ntwo\nthree\n"),
    file("gone.txt", b"gone\n"),
    file("no-end", b"a\nb"),
    file("run.sh", b"#!/bin/sh\n"),
    file("kept.txt", b"kept\n"),
    link_record("link", "a.py"),
    file("swap", b"a file\n"),
    file("name with space", b"1\n"),
    file("d/e/f.txt", b"deep\n"),
)
FINAL = tree(
    file("a.py", b"one\n2\nthree\nfour\n"),
    file("no-end", b"a\nb\nc"),
    file("run.sh", b"#!/bin/sh\n", executable=True),
    file("kept.txt", b"kept\n"),
    link_record("link", "run.sh"),
    link_record("swap", "a.py"),
    file("name with space", b"2\n"),
    file("d/e/f.txt", b""),
    file("new/dir/x.txt", "Größe\n".encode()),
    file('odd"name\\é', b"odd\n"),
    file("empty", b""),
    file("carriage", b"a\r\nb\r\n"),
)


def test_git_makes_the_candidate_of_it(tmp_path: Path) -> None:
    found, wanted = applied(BASE, FINAL, tmp_path)
    assert found == wanted


def test_and_back(tmp_path: Path) -> None:
    found, wanted = applied(FINAL, BASE, tmp_path)
    assert found == wanted


LINES = st.lists(
    st.sampled_from(["a", "b", "", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "\\ No newline at end of file"]), max_size=6
)
TEXTS = st.tuples(LINES, st.booleans()).map(lambda made: ("\n".join(made[0]) + ("\n" if made[1] else "")).encode())
TREES = st.dictionaries(st.sampled_from(["x", "y", "z/w", "q q"]), TEXTS, max_size=4)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TREES, TREES)
def test_any_texts(tmp_path_factory: pytest.TempPathFactory, before: dict[str, bytes], after: dict[str, bytes]) -> None:
    made = (tree(*(file(path, data) for path, data in each.items())) for each in (before, after))
    found, wanted = applied(*made, tmp_path_factory.mktemp("patch"))  # type: ignore[call-arg]
    assert found == wanted


def test_equal_trees_have_none() -> None:
    assert candidate_patch(BASE, BASE, BLOBS) == b""


def test_bytes_that_are_no_text_are_named() -> None:
    patch = candidate_patch(tree(), tree(file("x", b"\xff\0"), file("y", b"a\0b")), BLOBS).decode()
    assert "Binary files /dev/null and b/x differ" in patch
    assert "Binary files /dev/null and b/y differ" in patch


def test_a_file_that_is_not_here_or_too_long_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = tree(file_record("x", "sha256:" + "0" * 64, 3))  # type: ignore[arg-type]
    assert "Binary files a/x and /dev/null differ" in candidate_patch(missing, tree(), BLOBS).decode()
    monkeypatch.setattr(patches, "TEXT_BYTES", 3)
    assert "Binary files /dev/null and b/x differ" in candidate_patch(tree(), tree(file("x", b"long\n")), BLOBS).decode()


def test_a_patch_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patches, "PATCH_BYTES", 10)
    patch = candidate_patch(tree(), tree(file("a", b"first\n"), file("b", b"second\n")), BLOBS).decode()
    assert "+first" in patch
    assert "+second" not in patch
    assert "Binary files /dev/null and b/b differ" in patch
