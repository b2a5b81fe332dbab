"""Reading a repository of somebody else without running anything of it.

git runs in a scratch repository of our own and only there. Of a local repository the objects are borrowed (as alternates) and
the names of its refs copied; its configuration, hooks, attributes, filters and index are never looked at. A URL is cloned bare:
nothing is checked out, so no filter and no hook has a chance. What the objects hold is read with `ls-tree` and `cat-file`,
which apply no filter.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from tallystick.core.errors import InputError
from tallystick.recording.passing import passing_folder

__all__ = ["Commit", "Entry", "GitError", "Repository", "open_repository"]

SECONDS: Final = 600
"""For a clone; everything else takes milliseconds."""
REFS: Final = 100_000
REF_BYTES: Final = 4096
TREE_BYTES: Final = 64 * 1024 * 1024
"""Bytes of a listing of one commit."""
PROTOCOLS: Final = ("https", "http", "ssh", "git")

_URL: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE).match
_SCP: Final = re.compile(r"(?:[A-Za-z0-9._-]+@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?!/?/)[^:]+").fullmatch
_SETTINGS: Final = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "core.commitGraph=false",
    "credential.helper=",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
)
_FIXED: Final = tuple(word for setting in _SETTINGS for word in ("-c", setting))


class GitError(InputError):
    """A repository, or a commit of it, that cannot be read as wanted."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record of a commit's tree. `mode` is git's: 100644, 100755, 120000 (link) or 160000 (submodule)."""

    path: str
    mode: str
    oid: str
    size: int


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit and its first parent, by their full ids, and its message."""

    oid: str
    parent: str
    message: str


class Repository:
    """A scratch repository of ours at `folder` that has the objects of another one."""

    def __init__(self, folder: Path, program: str, search_path: str) -> None:
        self._folder, self._program, self._path = folder, program, search_path

    def commit(self, name: str) -> Commit:
        """The commit that `name` (an id, branch or tag) means.

        Raises:
            GitError: there is none, or it has no parent.
        """
        oid = self._resolve(f"{name}^{{commit}}")
        if oid is None:
            raise GitError(f"--fix {name[:80]!r}: the repository has no commit of that name; give a full id (git log shows it)")
        parent = self._resolve(f"{oid}^1^{{commit}}")
        if parent is None:
            raise GitError(f"commit {oid[:12]} has no parent here; a shallow clone is completed by: git fetch --unshallow")
        raw = self._git("cat-file", "commit", oid)
        return Commit(oid, parent, raw.partition(b"\n\n")[2].decode("utf-8", "replace"))

    def is_shallow(self) -> bool:
        """Whether older commits are missing, since the repository was cloned without them."""
        return (self._folder / "shallow").is_file()

    def _resolve(self, name: str) -> str | None:
        done = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", name)
        text = done.stdout.decode("ascii", "replace").strip()
        return text if done.returncode == 0 and re.fullmatch(r"[0-9a-f]{40,64}", text) else None

    def entries(self, oid: str) -> dict[str, Entry]:
        """Everything in the tree of a commit, by path.

        Raises:
            GitError: too much, or a path that is no text.
        """
        raw = self._git("ls-tree", "-r", "-z", "-l", "--full-tree", oid)
        if len(raw) > TREE_BYTES:
            raise GitError(f"commit {oid[:12]} lists more than {TREE_BYTES} bytes of paths")
        return {entry.path: entry for entry in map(_entry, raw.split(b"\0")[:-1])}

    def read(self, oids: list[str]) -> dict[str, bytes]:
        """Contents of blobs by their ids."""
        wanted = list(dict.fromkeys(oids))
        raw = self._git("cat-file", "--batch", given="".join(f"{oid}\n" for oid in wanted).encode())
        found: dict[str, bytes] = {}
        at = 0
        for oid in wanted:
            end = raw.index(b"\n", at)
            head = raw[at:end].split()
            if len(head) != 3 or head[1] != b"blob":  # noqa: PLR2004  # id, kind, size
                raise GitError(f"the object {oid[:12]} is missing; a partial clone is completed by: git fetch --refetch")
            size = int(head[2])
            found[oid] = raw[end + 1 : end + 1 + size]
            at = end + 2 + size
        return found

    def changes(self, paths: Sequence[str], most: int) -> list[tuple[str, tuple[str, ...]]]:
        """Commits up to HEAD that changed one of `paths`, children first, each with those of them that came before it.

        Merges are among them where the sides differ. Empty where HEAD has no commit.

        Raises:
            GitError: there are more than `most`.
        """
        if self._resolve("HEAD^{commit}") is None:
            return []
        line = (
            "rev-list",
            "--full-history",
            "--simplify-merges",
            "--topo-order",
            "--parents",
            f"--max-count={most + 1}",
            "HEAD",
        )
        rows = [
            row.split() for row in self._git(*line, "--", *(f":(literal,top){path}" for path in paths)).decode().splitlines()
        ]
        if len(rows) > most:
            raise GitError(f"more than {most} commits changed {paths[0][:200]}")
        return [(row[0], tuple(row[1:])) for row in rows]

    def blobs(self, names: Sequence[str]) -> list[tuple[str, int] | None]:
        """Id and size of the file at each `COMMIT:PATH`; None where there is none, or no file."""
        rows = self._git("cat-file", "--batch-check", given="".join(f"{name}\n" for name in names).encode()).splitlines()
        found = [row.split() for row in rows]
        return [(row[0].decode(), int(row[2])) if len(row) == 3 and row[1] == b"blob" else None for row in found]  # noqa: PLR2004  # id, kind, size

    def _git(self, *words: str, given: bytes = b"") -> bytes:
        done = self._run(*words, given=given)
        if done.returncode != 0:
            raise GitError(f"git {words[0]} failed: {_reason(done.stderr)}")
        return done.stdout

    def _run(self, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        line = [self._program, *_FIXED, f"--git-dir={self._folder}", *words]
        return _call(line, self._folder, self._path, given)


def _entry(raw: bytes) -> Entry:
    head, _, path = raw.partition(b"\t")
    mode, _, oid, size = head.decode("ascii").split()
    try:
        name = path.decode()
    except UnicodeDecodeError:
        raise GitError(f"the path {path[:80]!r} is not UTF-8, and a suite cannot hold it") from None
    return Entry(name, mode, oid, int(size) if size.isdigit() else 0)


@contextlib.contextmanager
def open_repository(source: str, search_path: str, *, cwd: Path) -> Iterator[Repository]:
    """A repository at a path or URL, read through a scratch repository that is removed at the end.

    Raises:
        GitError: no git, no repository there, or a URL of another kind.
    """
    program = shutil.which("git", path=search_path)
    if program is None:
        raise GitError("git is not installed; it is needed to read a repository")
    with passing_folder("git") as scratch:
        folder = scratch / "repo.git"
        place = _local(source, cwd)
        if place is None:
            _clone(program, source, folder, search_path)
        else:
            _borrow(program, place, folder, search_path)
        yield Repository(folder, program, search_path)


def _local(source: str, cwd: Path) -> Path | None:
    """The folder that `source` names, None where it is a URL of the network."""
    if _URL(source):
        parts = urlsplit(source)
        if parts.scheme.lower() in PROTOCOLS:
            return None
        if parts.scheme.lower() != "file" or parts.netloc not in ("", "localhost"):
            raise GitError(f"{source[:120]}: a repository is a folder, or a URL of {', '.join(('file', *PROTOCOLS))}")
        return Path(unquote(parts.path))
    place = cwd / source
    if not place.exists() and "::" in source:
        raise GitError(f"{source[:120]}: transport helpers are not used; give a folder or a URL")
    if not place.exists() and _SCP(source):
        return None
    return place


def _clone(program: str, url: str, folder: Path, search_path: str) -> None:
    line = [program, *_FIXED, "clone", "--bare", "--quiet", "--template=", "--no-recurse-submodules", "--", url, str(folder)]
    done = _call(line, folder.parent, search_path)
    if done.returncode != 0:
        raise GitError(f"cannot clone {url[:200]}: {_reason(done.stderr)}")


def _borrow(program: str, place: Path, folder: Path, search_path: str) -> None:
    """A scratch repository with the objects of `place` and the names of its refs; git never runs in `place`."""
    own, home = _git_home(place)
    line = [program, *_FIXED, "init", "--bare", "--quiet", "--template=", f"--object-format={_hash_of(home)}", str(folder)]
    done = _call(line, folder.parent, search_path)
    if done.returncode != 0:
        raise GitError(f"cannot make a scratch repository: {_reason(done.stderr)}")
    objects = (home / "objects").resolve()
    if "\n" in str(objects):
        raise GitError(f"{place}: a path with a line feed cannot be borrowed from")
    info = folder / "objects" / "info"
    info.mkdir(exist_ok=True)
    (info / "alternates").write_text(f"{objects}\n", encoding="utf-8", errors="surrogateescape")
    for name, data in _refs(own, home):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _git_home(place: Path) -> tuple[Path, Path]:
    """The folder with HEAD, and the one with `objects` and `refs`; for a worktree the latter is the main repository's."""
    dot = place / ".git"
    home = dot if dot.is_dir() else place
    if dot.is_file():  # a worktree or a submodule: `gitdir: PATH`
        home = place / dot.read_text(encoding="utf-8", errors="surrogateescape")[:REF_BYTES].removeprefix("gitdir:").strip()
    own, common = home, home / "commondir"
    if common.is_file():
        home = home / common.read_text(encoding="utf-8", errors="surrogateescape")[:REF_BYTES].strip()
    if not (home / "objects").is_dir() or not (home / "HEAD").is_file():
        raise GitError(f"{place}: no git repository; give the folder that has .git in it")
    return own, home


def _hash_of(home: Path) -> str:
    """The repository's hash, from the text of its configuration, which git is not given to read."""
    config = home / "config"
    text = config.read_bytes()[:65536] if config.is_file() else b""
    return "sha256" if re.search(rb"^\s*objectformat\s*=\s*\"?sha256", text, re.IGNORECASE | re.MULTILINE) else "sha1"


def _refs(own: Path, home: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of what refs need: HEAD, packed-refs, heads, tags, remotes; and where a shallow clone ends.

    Regular small files only.
    """
    for name in ("HEAD", "packed-refs", "shallow"):
        path = (own if name == "HEAD" else home) / name
        if path.is_file() and not path.is_symlink():
            yield name, path.read_bytes()
    count = 0
    for kind in ("heads", "tags", "remotes"):
        top = home / "refs" / kind
        for folder, _, names in os.walk(top):
            for name in names:
                path = Path(folder) / name
                status = path.lstat()
                count += 1
                if count > REFS:
                    raise GitError(f"{home}: more than {REFS} refs")
                if stat.S_ISREG(status.st_mode) and status.st_size <= REF_BYTES:
                    yield path.relative_to(home).as_posix(), path.read_bytes()


def _environment(home: Path, search_path: str) -> Mapping[str, str]:
    return {
        "PATH": search_path,
        "HOME": str(home),
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_ALLOW_PROTOCOL": ":".join(PROTOCOLS),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "/bin/false",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LFS_SKIP_SMUDGE": "1",
    }


def _call(line: list[str], folder: Path, search_path: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(  # noqa: S603  # git itself, found on the user's PATH
            line,
            cwd=folder,
            env=_environment(folder, search_path),
            input=given,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitError(f"git did not finish within {SECONDS} s") from None


def _reason(said: bytes) -> str:
    """The first two lines of what git says: the cause comes first, general advice last."""
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    return "; ".join(lines[:2])[:300] or "it says nothing"
