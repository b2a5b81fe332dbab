"""What the commits of a repository show of a cohort that lies in it, with a signed history and without one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tallystick.core import pyjson
from tallystick.flows.cohort.acting import burn, exclude
from tallystick.flows.cohort.folder import read_snapshot
from tallystick.flows.cohort.git_history import GitProof, git_proof
from tests.support.cohort_lives import PATH, Life, bare, begun, frozen

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs another program: git")
pytestmark = needs_git


def git(folder: Path, *words: str) -> str:
    line = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main", *words]
    return subprocess.run(line, cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder: Path, message: str = "as it is") -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD").strip()


def repository(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    return folder


def proof(life: Life) -> GitProof:
    found = git_proof(life.where.folder, read_snapshot(life.where.folder), None, PATH)
    assert found is not None
    return found


def alone(life: Life) -> list[str]:
    """The codes that Git alone shows, where nobody kept a history."""
    return list(dict.fromkeys(finding.code.value for finding in proof(life).findings))


def write(life: Life, value: dict[str, object]) -> None:
    """A cohort file written by hand, without any history."""
    life.cohort_file.write_text(pyjson.pretty(value))
    life.history_file.unlink(missing_ok=True)


def test_no_repository_no_proof(tmp_path: Path) -> None:
    life = begun(tmp_path)
    assert git_proof(life.where.folder, read_snapshot(life.where.folder), None, PATH) is None
    assert life.judge().git is None


def test_every_commit_with_its_digests(tmp_path: Path) -> None:
    life = frozen(repository(tmp_path))
    first = commit(tmp_path)
    life.attach(0)
    (tmp_path / "elsewhere").write_text("not of the cohort")
    second = commit(tmp_path)
    (tmp_path / "elsewhere").write_text("again")
    commit(tmp_path)
    burn(life.where, "seen", life.author)
    found = life.judge()
    assert found.ok
    assert found.git is not None
    assert [row.commit for row in found.git.rows] == [first, second, ""]
    assert [row.shown.stage for row in found.git.rows if row.shown] == ["frozen", "frozen", "burned"]
    assert {row.shown.computed for row in found.git.rows if row.shown} == {life.value["definition_digest"]}
    assert [row.shown.entries for row in found.git.rows if row.shown] == [3, 4, 5]


def test_a_repository_without_commits(tmp_path: Path) -> None:
    life = begun(repository(tmp_path))
    found = proof(life)
    assert (found.commits, found.findings) == (0, ())


def test_a_refreeze_under_the_same_id(tmp_path: Path) -> None:
    life = frozen(repository(tmp_path))
    commit(tmp_path)
    life.lie(lambda value: value["tasks"][0].update(difficulty="large"), recorded=True)
    write(life, life.value)
    assert alone(life) == ["refrozen", "git-history-rewritten"]
    commit(tmp_path)
    assert "refrozen" in alone(life)


def test_a_definition_that_is_changed_and_put_back(tmp_path: Path) -> None:
    life = frozen(repository(tmp_path))
    kept = life.cohort_file.read_bytes()
    commit(tmp_path)
    life.lie(lambda value: value["tasks"][0].update(difficulty="large"), recorded=True)
    changed = commit(tmp_path)
    life.cohort_file.write_bytes(kept)
    commit(tmp_path)
    assert life.codes() == ["refrozen"]
    assert changed[:12] in life.judge().findings[0].message


def test_stages_that_go_back(tmp_path: Path) -> None:
    life = frozen(repository(tmp_path))
    commit(tmp_path)
    write(life, bare(life.source, "collecting"))
    assert "stage-backwards" in alone(life)


def test_targets_that_are_lowered_before_the_freeze(tmp_path: Path) -> None:
    life = begun(repository(tmp_path))
    write(life, {**life.value, "minimum_final_tasks": 9})
    commit(tmp_path)
    write(life, {**life.value, "minimum_final_tasks": 5})
    assert alone(life) == ["target-lowered"]


def test_outcomes_that_no_commit_shows_the_freeze_before(tmp_path: Path) -> None:
    life = begun(repository(tmp_path))
    write(life, bare(life.source, "collecting"))
    commit(tmp_path)
    write(life, life.source.cohort)
    assert alone(life) == ["outcome-before-freeze"]


def test_an_outcome_that_is_dropped_or_excluded_late(tmp_path: Path) -> None:
    life = begun(repository(tmp_path))
    write(life, {**bare(life.source, "frozen"), "definition_digest": life.source.cohort["definition_digest"]})
    commit(tmp_path)
    write(life, life.source.cohort)
    commit(tmp_path)
    assert alone(life) == []
    value = life.value
    value["tasks"][0]["evidence"] = {"status": "excluded", "attempts": [], "exclusion_reason": "it failed"}
    value["tasks"][1]["evidence"]["attempts"].pop()
    write(life, value)
    assert sorted(alone(life)) == ["exclusion-not-recorded", "outcome-dropped"]


def test_a_recorded_exclusion_is_no_finding(tmp_path: Path) -> None:
    life = frozen(repository(tmp_path))
    life.attach(0)
    commit(tmp_path)
    exclude(life.where, life.value["tasks"][0]["id"], "its grader was wrong", life.author)
    assert life.codes() == []
    commit(tmp_path)
    assert life.codes() == []


def test_a_history_that_is_cut_or_forked(tmp_path: Path) -> None:
    life = frozen(repository(tmp_path))
    frozen_at = (life.cohort_file.read_bytes(), life.history_file.read_bytes())
    life.attach(0)
    commit(tmp_path)
    for path, data in zip((life.cohort_file, life.history_file), frozen_at, strict=True):
        path.write_bytes(data)
    assert life.codes() == ["git-history-rewritten", "outcome-dropped"]
    commit(tmp_path)
    life.attach(1)
    commit(tmp_path)
    assert life.codes() == ["git-history-rewritten", "outcome-dropped"]


def test_two_branches_that_each_went_on(tmp_path: Path) -> None:
    life = frozen(repository(tmp_path))
    commit(tmp_path)
    git(tmp_path, "checkout", "-q", "-b", "side")
    life.attach(0)
    commit(tmp_path)
    git(tmp_path, "checkout", "-q", "main")
    life.attach(1)
    commit(tmp_path)
    assert life.codes() == []
    git(tmp_path, "merge", "-q", "-s", "ours", "side", "-m", "both")
    assert life.codes() == ["git-history-rewritten", "outcome-dropped"]


def test_a_file_that_is_deleted_and_comes_back(tmp_path: Path) -> None:
    life = frozen(repository(tmp_path))
    commit(tmp_path)
    life.cohort_file.unlink()
    life.history_file.unlink()
    commit(tmp_path)
    value = bare(life.source, "frozen")
    value["tasks"][0]["difficulty"] = "large"
    write(life, {**value, "definition_digest": life.source.cohort["definition_digest"]})
    life.lie(lambda value: value.update(title="Another"), recorded=True)
    assert alone(life) == ["git-cohort-deleted", "refrozen", "git-history-rewritten"]


def test_a_version_that_cannot_be_read_makes_nobody_forget(tmp_path: Path) -> None:
    life = frozen(repository(tmp_path))
    kept = life.cohort_file.read_bytes()
    commit(tmp_path)
    life.cohort_file.write_text("{")
    commit(tmp_path)
    life.cohort_file.write_bytes(kept)
    assert life.codes() == ["git-version-unreadable"]


def test_the_head_of_a_worktree_is_its_own(tmp_path: Path) -> None:
    main = repository(tmp_path / "main")
    life = frozen(main)
    commit(main)
    git(main, "worktree", "add", "-q", str(tmp_path / "side"), "-b", "side")
    there = Life(tmp_path / "side", life.source, life.author, life.reviewer)
    there.attach(0)
    second = commit(there.root)
    found = there.judge()
    assert found.git is not None
    assert found.ok
    assert [row.commit for row in found.git.rows][1:] == [second, ""]


def test_a_shallow_clone_says_so(tmp_path: Path) -> None:
    main = repository(tmp_path / "main")
    life = frozen(main)
    commit(main)
    life.attach(0)
    commit(main)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{main}", "clone")
    found = Life(tmp_path / "clone", life.source).judge()
    assert found.ok
    assert found.git is not None
    assert found.git.shallow
    assert found.git.commits == 1


def test_a_hostile_repository_runs_nothing(tmp_path: Path) -> None:
    life = frozen(repository(tmp_path))
    commit(tmp_path)
    mark = tmp_path.parent / f"{tmp_path.name}-ran"
    hook = f"!touch {mark}"
    for name in ("core.fsmonitor", "core.pager", "core.sshCommand", "alias.rev-list", "diff.external", "core.editor"):
        git(tmp_path, "config", name, hook.removeprefix("!") if not name.startswith("alias") else hook)
    assert life.codes() == []
    assert not mark.exists()


def test_a_worktree_of_a_shallow_clone_says_so(tmp_path: Path) -> None:
    life = begun(repository(tmp_path / "whole"))
    commit(life.root)
    commit(life.root, "again")
    git(tmp_path, "clone", "-q", "--depth", "1", (tmp_path / "whole").as_uri(), "part")
    git(tmp_path / "part", "worktree", "add", "-q", str(tmp_path / "tree"))
    for name, shallow in (("whole", False), ("part", True), ("tree", True)):
        folder = tmp_path / name / "cohort"
        found = git_proof(folder, read_snapshot(folder), None, PATH)
        assert found is not None
        assert found.shallow is shallow
