"""Reading a repository of somebody else: what it holds comes out, what it would run does not run."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tallystick.flows.task_git import GitError, open_repository
from tests.unit.flows.repositories import BASE, CART, ENVIRONMENT, FIX, MENDED, MESSAGE, commit, git, shop

PATH = ENVIRONMENT["PATH"]


def test_a_commit_and_its_files(tmp_path: Path) -> None:
    oid = shop(tmp_path / "r")
    git(tmp_path / "r", "tag", "v1")
    with open_repository("r", PATH, cwd=tmp_path) as repository:
        for name in (oid, oid[:8], "main", "v1", "HEAD"):
            found = repository.commit(name)
            assert (found.oid, found.message) == (oid, MESSAGE)
        before, after = repository.entries(found.parent), repository.entries(found.oid)
        assert set(before) == set(BASE)
        cart = before["shop/cart.py"].oid, after["shop/cart.py"].oid
        assert list(repository.read([*cart, *cart]).values()) == [CART.encode(), MENDED.encode()]


@pytest.mark.parametrize("place", ["r/.git", "bare.git", "worktree", "URL"])
def test_other_forms_of_a_repository(tmp_path: Path, place: str) -> None:
    oid = shop(tmp_path / "r")
    git(tmp_path / "r", "gc", "-q")
    git(tmp_path, "clone", "-q", "--bare", "r", "bare.git")
    git(tmp_path / "r", "worktree", "add", "-q", "../worktree")
    source = (tmp_path / "r").as_uri() if place == "URL" else place
    with open_repository(source, PATH, cwd=tmp_path) as repository:
        assert repository.commit(oid).oid == oid


def test_a_sha256_repository(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    folder.mkdir()
    git(folder, "init", "-q", "--object-format=sha256", "-b", "main")
    oid = shop(folder)
    with open_repository("r", PATH, cwd=tmp_path) as repository:
        assert repository.commit("main").oid == oid


@pytest.mark.parametrize(
    ("source", "fix", "says"),
    [
        ("nowhere", "main", "no git repository"),
        ("r", "nonsense", "no commit of that name"),
        ("r", "--all", "no commit of that name"),
        ("r", "main^", "no parent"),
        ("ext::sh -c touch% ran", "main", "transport helpers"),
        ("ftp://example.org/r", "main", "a repository is a folder, or a URL"),
        ("file://elsewhere/r", "main", "a repository is a folder, or a URL"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, source: str, fix: str, says: str) -> None:
    shop(tmp_path / "r")
    with pytest.raises(GitError, match=says), open_repository(source, PATH, cwd=tmp_path) as repository:
        repository.commit(fix)


def test_a_shallow_clone_is_told_how_to_become_complete(tmp_path: Path) -> None:
    oid = shop(tmp_path / "r")
    git(tmp_path, "clone", "-q", "--depth", "1", (tmp_path / "r").as_uri(), "shallow")
    with (
        pytest.raises(GitError, match="unshallow"),
        open_repository("shallow", PATH, cwd=tmp_path) as repository,
    ):
        repository.commit(oid)


def hostile(folder: Path, ran: Path) -> str:
    """A repository in which every setting, hook and attribute that can start a program starts one."""
    command = f"touch {ran}"
    oid = commit(folder, {**BASE, ".gitattributes": "* filter=evil diff=evil merge=evil text\n"}, "Begin\n") and commit(
        folder, FIX
    )
    for name in (
        "post-checkout",
        "pre-commit",
        "reference-transaction",
        "post-index-change",
        "fsmonitor-watchman",
        "pre-auto-gc",
    ):
        hook = folder / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\n{command}\n")
        hook.chmod(0o755)
    (folder / ".git" / "info").mkdir(exist_ok=True)
    (folder / ".git" / "info" / "attributes").write_text("* filter=evil diff=evil\n")
    (folder / ".git" / "info" / "grafts").write_text("")
    with (folder / ".git" / "config").open("a") as config:
        config.write(
            f"""
[core]
	fsmonitor = {command}
	sshCommand = {command}
	pager = {command}
	editor = {command}
	alternateRefsCommand = {command}
	gitProxy = {command}
	hooksPath = {folder}/.git/hooks
[filter "evil"]
	clean = {command}
	smudge = {command}
	process = {command}
	required = true
[diff "evil"]
	command = {command}
	textconv = {command}
[diff]
	external = {command}
[uploadpack]
	packObjectsHook = {command}
[credential]
	helper = !{command}
[remote "origin"]
	url = ext::sh -c {command}
	uploadpack = {command}
	promisor = true
[extensions]
	partialClone = origin
[alias]
	rev-parse = !{command}
	ls-tree = !{command}
	cat-file = !{command}
[gpg]
	program = {command}
[log]
	showSignature = true
[include]
	path = {folder}/evil.config
"""
        )
    return oid


@pytest.mark.parametrize("how", ["path", "URL"])
def test_a_hostile_repository_runs_nothing(tmp_path: Path, how: str) -> None:
    ran = tmp_path / "ran"
    oid = hostile(tmp_path / "r", ran)
    source = "r" if how == "path" else (tmp_path / "r").as_uri()
    with open_repository(source, PATH, cwd=tmp_path) as repository:
        found = repository.commit(oid)
        entries = repository.entries(found.oid)
        contents = repository.read([entry.oid for entry in entries.values()])
    assert contents[entries["shop/cart.py"].oid] == MENDED.encode()
    assert not ran.exists()
    subprocess.run(["git", "status"], cwd=tmp_path / "r", env=ENVIRONMENT, capture_output=True, check=False)
    assert ran.exists()  # the traps are real


def test_a_missing_object_is_not_fetched(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    oid = hostile(tmp_path / "r", ran)
    shutil.rmtree(next(path for path in (tmp_path / "r/.git/objects").iterdir() if path.name == oid[:2]))
    with pytest.raises(GitError), open_repository("r", PATH, cwd=tmp_path) as repository:
        repository.commit(oid)
    assert not ran.exists()
