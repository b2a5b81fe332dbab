"""The versions of a cohort in the Git repository it lies in, read without running anything of that repository.

As in `flows.task_git`, git runs in a scratch repository of ours that borrows the objects; hooks, filters and configuration of
the cohort's own repository are never looked at. Versions are read in groups, so that a long history needs no more memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.core import limits
from tallystick.flows.cohort.folder import COHORT, HISTORY, Snapshot
from tallystick.flows.task_git import GitError, Repository, open_repository
from tallystick.suites.cohorts.history_codes import HistoryFinding
from tallystick.suites.cohorts.lifecycle import State
from tallystick.suites.cohorts.versions import Row, Version, compare_versions

__all__ = ["GitProof", "git_proof", "repository_of"]

_GROUP_BYTES: Final = 64 * 1024 * 1024
"""Bytes of versions that are read at once."""


@dataclass(frozen=True, slots=True)
class GitProof:
    """What the repository shows, oldest version first; the last row is the files as they are now."""

    rows: tuple[Row, ...]
    findings: tuple[HistoryFinding, ...]
    shallow: bool = False
    """Whether the clone lacks older commits, so that earlier versions may be missing."""

    @property
    def commits(self) -> int:
        """Commits that changed the cohort."""
        return len(self.rows) - 1


def repository_of(folder: Path) -> Path | None:
    """The work tree that a folder lies in: the nearest one with `.git` in it."""
    place = folder.resolve()
    return next((each for each in (place, *place.parents) if (each / ".git").exists()), None)


def git_proof(folder: Path, now: Snapshot, state: State | None, search_path: str) -> GitProof | None:
    """The cohort in `folder` through the commits up to HEAD; None where it lies in no repository.

    Raises:
        GitError: git is not installed, or the repository cannot be read, or has too much of it.
    """
    top = repository_of(folder)
    if top is None:
        return None
    inside = folder.resolve().relative_to(top)
    paths = [(inside / name).as_posix() for name in (COHORT, HISTORY)]
    if any("\n" in path for path in paths):
        raise GitError(f"{folder}: a path with a line feed cannot be looked up in a repository")
    with open_repository(str(top), search_path, cwd=Path()) as repository:
        log = repository.changes(paths, limits.COHORT_COMMITS)[::-1]
        shallow = repository.is_shallow()
        rows, findings = compare_versions(_versions(repository, log, paths, now), _uses(log), state)
    return GitProof(rows, findings, shallow=shallow)


def _uses(log: list[tuple[str, tuple[str, ...]]]) -> Counter[str]:
    """How often each commit is a parent; the last one is also that of the files as they are now."""
    return Counter(parent for _, parents in log for parent in parents) + Counter(commit for commit, _ in log[-1:])


def _versions(
    repository: Repository, log: list[tuple[str, tuple[str, ...]]], paths: list[str], now: Snapshot
) -> Iterator[Version]:
    names = [f"{commit}:{path}" for commit, _ in log for path in paths]
    blobs = repository.blobs(names)
    _check_bytes(blobs)
    pairs = list(zip(blobs[::2], blobs[1::2], strict=True))
    for group in _groups(pairs):
        wanted = [blob[0] for place in group for blob in pairs[place] if blob is not None]
        data = repository.read(wanted) if wanted else {}
        for place in group:
            cohort, history = (None if blob is None else data[blob[0]] for blob in pairs[place])
            yield Version(*log[place], cohort, history)
    yield Version("", tuple(commit for commit, _ in log[-1:]), now.cohort, now.history)


def _check_bytes(blobs: list[tuple[str, int] | None]) -> None:
    sizes = [blob[1] for blob in blobs if blob is not None]
    if sum(sizes) > limits.COHORT_VERSIONS_BYTES:
        raise GitError(f"all versions of the cohort have {sum(sizes)} bytes; at most {limits.COHORT_VERSIONS_BYTES} are read")
    if max(sizes, default=0) > max(limits.PYJSON_BYTES, limits.COHORT_HISTORY_BYTES):
        raise GitError(f"a version of the cohort has {max(sizes)} bytes")


def _groups(pairs: list[tuple[tuple[str, int] | None, tuple[str, int] | None]]) -> Iterator[list[int]]:
    """Places of versions that are read together: at least one, and not many more bytes than the bound."""
    group: list[int] = []
    size = 0
    for place, pair in enumerate(pairs):
        group.append(place)
        size += sum(blob[1] for blob in pair if blob is not None)
        if size >= _GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group
