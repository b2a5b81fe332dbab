"""The `.git` that agents find, and the repository of a cohort, judged by git itself."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tallystick.records.blobs import MemoryBlobs
from tallystick.records.tree import Tree, file_record, link_record, make_tree
from tallystick.runner.gitseed import bare_repository, git_files
from tallystick.runner.workspace import filler

BLOBS = MemoryBlobs()
ENV = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "HOME": "/nonexistent"}


def tree(**files: bytes) -> Tree:
    return make_tree([file_record(path, BLOBS.put(data), len(data)) for path, data in files.items()])


def laid_out(base: Tree, folder: Path) -> Path:
    folder.mkdir()
    fd = os.open(folder, os.O_RDONLY)
    try:
        filler(base, BLOBS, git_files(base, BLOBS))(fd)
    finally:
        os.close(fd)
    return folder


def git(folder: Path, *words: str) -> str:
    command = ["git", "-c", f"safe.directory={folder}", "-C", str(folder), *words]
    return subprocess.run(command, env=ENV, capture_output=True, text=True, check=True).stdout


ODD = make_tree(
    [
        file_record("a.b", BLOBS.put(b"1"), 1),
        file_record("a/b", BLOBS.put(b"2"), 1, executable=True),
        file_record("a0", BLOBS.put(b""), 0),
        file_record("deep/er/and/deeper/file", BLOBS.put(b"3\n" * 9000), 18000),
        file_record("name with spaces \u00e9\U0001f600", BLOBS.put(b"4"), 1),
        file_record("x" * 180, BLOBS.put(b"\0\xff"), 2),
        link_record("link", "a/b"),
    ]
)


def check(folder: Path) -> None:
    assert git(folder, "status", "--porcelain", "--ignored") == ""
    assert git(folder, "diff", "HEAD") == ""
    assert git(folder, "fsck", "--strict", "--full") == ""
    assert len(git(folder, "log", "--format=%H", "--all").split()) == 1


def test_git_finds_one_commit_and_a_clean_workspace(tmp_path: Path) -> None:
    folder = laid_out(ODD, tmp_path / "w")
    check(folder)
    assert git(folder, "branch", "--show-current") == "main\n"
    assert git(folder, "remote") == ""
    assert git(folder, "log", "-1", "--format=%an <%ae> %at %s") == "Tallystick <tally@localhost> 1700000000 base workspace\n"
    assert not (folder / ".git/hooks").exists()


def test_the_commit_is_the_one_git_would_make(tmp_path: Path) -> None:
    folder = laid_out(ODD, tmp_path / "w")
    seeded = git(folder, "rev-parse", "HEAD^{tree}")
    (folder / ".git/index").unlink()
    git(folder, "add", "-A")
    assert git(folder, "write-tree") == seeded


def test_an_agent_can_commit(tmp_path: Path) -> None:
    folder = laid_out(ODD, tmp_path / "w")
    (folder / "a0").write_text("changed")
    assert git(folder, "status", "--porcelain") == " M a0\n"
    git(folder, "commit", "-aqm", "mine")
    git(folder, "checkout", "-q", "HEAD~1")
    assert (folder / "a0").read_text() == ""


def test_an_empty_workspace_is_clean(tmp_path: Path) -> None:
    check(laid_out(make_tree([]), tmp_path / "w"))


def test_equal_trees_give_equal_bytes() -> None:
    assert git_files(ODD, BLOBS) == git_files(make_tree(list(ODD.records)), BLOBS)


NAMES = st.text(st.sampled_from("ab-.0_ "), min_size=1, max_size=4).filter(
    lambda name: name.strip(" .") == name and name != ".git"
)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.lists(NAMES, min_size=1, max_size=3).map("/".join), st.binary(max_size=30), max_size=8))
def test_any_workspace_is_clean(tmp_path: Path, files: dict[str, bytes]) -> None:
    kept = {path: data for path, data in files.items() if not any(other.startswith(f"{path}/") for other in files)}
    check(laid_out(tree(**kept), tmp_path / os.urandom(8).hex()))


def bare(folder: Path, branches: dict[str, Tree]) -> tuple[Path, dict[str, str]]:
    made = bare_repository(branches, BLOBS)
    for path, data in made.files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder, dict(made.revisions)


def test_a_repository_has_a_branch_for_each_tree(tmp_path: Path) -> None:
    branches = {"001-one": tree(a=b"1"), "002-odd": ODD, "003-one-again": tree(a=b"1"), "004-empty": tree()}
    folder, revisions = bare(tmp_path / "source.git", branches)
    assert git(folder, "fsck", "--strict", "--full") == ""
    refs = git(folder, "for-each-ref", "--format=%(refname:short) %(objectname)").splitlines()
    assert refs == [f"{name} {revision}" for name, revision in revisions.items()]
    assert git(folder, "symbolic-ref", "HEAD") == "refs/heads/001-one\n"
    assert revisions["001-one"] == revisions["003-one-again"]
    assert all(len(revision) == 40 for revision in revisions.values())
    assert git(folder, "rev-list", "--all", "--count") == "3\n"


def test_a_clone_holds_the_workspace_that_agents_get(tmp_path: Path) -> None:
    folder, revisions = bare(tmp_path / "source.git", {"task": ODD})
    found = laid_out(ODD, tmp_path / "workspace")
    assert git(found, "rev-parse", "HEAD") == f"{revisions['task']}\n"
    clone = tmp_path / "clone"
    git(tmp_path, "-c", f"safe.directory={folder}", "clone", "-q", "--no-local", str(folder), str(clone))
    assert sorted(path.relative_to(clone) for path in clone.rglob("*") if ".git" not in path.parts) == sorted(
        path.relative_to(found) for path in found.rglob("*") if ".git" not in path.parts
    )
    assert (clone / "a" / "b").stat().st_mode & 0o111


def test_nothing_but_the_trees_decides_a_revision(tmp_path: Path) -> None:
    one = bare_repository({"x": ODD}, BLOBS).revisions
    assert one == bare_repository({"x": ODD}, BLOBS).revisions
    assert one["x"] != bare_repository({"x": tree(a=b"1")}, BLOBS).revisions["x"]
