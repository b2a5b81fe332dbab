"""What a mount would show that an agent must not see: refused where somebody has to decide, else covered by a mask.

Refused are the kernel's folders, a home folder as a whole, keys and state, and every file that is one of the suite's graders,
solutions or cheats. Masked are, anywhere below a mount: copies of this package (its suites have answers in them), folders of
state, and git histories, which belong to no agent's identity and may hold what was removed.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tallystick.core.digest import Digest, Hasher, sha256
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET
from tallystick.records.paths import workspace_path_problem
from tallystick.records.tree import TreeRecord, file_record, link_record
from tallystick.runner.derived import REWRITTEN_BYTES, Environment
from tallystick.runner.environments import of_system
from tallystick.sandbox.layout import account_home

__all__ = ["Exposure", "Shown", "of_kernel"]

_PROGRAM_FILES: Final = 100_000
"""Files of a mounted program, and folders: a large node_modules has fifty thousand."""
_MASKS: Final = 500
"""Masks of one mount; each is a mount of its own in every sandbox."""
_PACKAGE: Final = "tallystick"
_DISTRIBUTIONS: Final = ("tallystick-*.dist-info", "tallystick-*.whl", "tallystick-*.tar.gz")
_STATE: Final = ".tally"
_HISTORY: Final = ".git"
_SITES: Final = frozenset({"site-packages", "dist-packages"})
_CONDA: Final = frozenset({"envs", "pkgs"})
"""Other environments and unpacked packages in a conda installation."""
_INSTALLED: Final = frozenset({"bin", "include", "lib", "lib32", "lib64", "share"})
"""Folders of an installed Python. Nobody keeps a suite there, and reading them all would take seconds."""
_CHUNK: Final = 1 << 20
_THREADS: Final = 4
"""Files that are hashed side by side: hashing leaves the lock to others."""
_BATCH: Final = 64
"""Files handed to a thread at once; most are small."""
_LESS: Final = "give it only the files that the agent needs"


@dataclass(frozen=True, slots=True)
class Shown:
    """What one mount shows: the files and links that make up its identity, and paths inside the sandbox to be masked."""

    records: tuple[TreeRecord, ...] = ()
    masks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exposure:
    """What may not be shown.

    `answers`: digests of files. `never`: folders that are not mounted whole, nor anything above them. `hidden`: folders of
    which nothing may be mounted, and which are masked below a mount.
    """

    answers: frozenset[Digest] = frozenset()
    never: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    _real_never: tuple[Path, ...] = field(init=False, default=())
    _real_hidden: frozenset[Path] = field(init=False, default=frozenset())

    def __post_init__(self) -> None:
        """Resolve links once; the account's home counts whatever the caller says."""
        object.__setattr__(self, "_real_never", tuple(path.resolve() for path in (*self.never, Path(account_home()))))
        object.__setattr__(self, "_real_hidden", frozenset(path.resolve() for path in self.hidden))

    def check(self, path: Path, what: str, instead: str = _LESS) -> None:
        """Refuse to mount `path`, which came as `what`; `instead` says what to do (both words for the message).

        Raises:
            InputError: it is or holds something that may not be shown.
        """
        real = path.resolve()
        if real in {Path("/"), Path("/usr")} or of_kernel(real):
            raise InputError(f"{what} {path} would show the agent all of {real}; {instead}")
        for folder in self._real_never:
            if folder.is_relative_to(real):
                held = "" if folder == real else f", with {folder} in it"
                raise InputError(f"{what} {path} would show the agent the whole folder {real}{held}; {instead}")
        for folder in (real, *real.parents):
            if folder in self._real_hidden or _is_private(folder):
                raise InputError(f"{what} {path} lies in {folder}, where keys, records or answers are; {instead}")

    def program(self, source: Path, target: str, name: str, environment: Environment | None = None) -> Shown:
        """Read all of a program's file or folder `source`, seen at `target`; records get paths below `name`.

        What follows only from where an `environment` was made is no part of them.

        Raises:
            InputError: a file cannot be read or is an answer, or there are too many.
        """
        if source.is_file():
            return Shown((self._file(source, name),))
        todo: list[tuple[Path, str]] = []
        masks: list[str] = []
        for folder, names in self._walk(source, target, masks, frozenset()):
            inside = folder.relative_to(source)
            todo += [(folder / each, (inside / each).as_posix()) for each in names]
            if len(todo) > _PROGRAM_FILES:
                raise InputError(f"{source} has more than {_PROGRAM_FILES} files; mount a smaller folder")
        batches = [todo[start : start + _BATCH] for start in range(0, len(todo), _BATCH)]
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="hash") as pool:
            found = list(
                pool.map(lambda batch: [self._record(path, inside, name, environment) for path, inside in batch], batches)
            )
        return Shown(tuple(record for batch in found for record in batch if record is not None), tuple(dict.fromkeys(masks)))

    def python(self, prefix: Path, target: str) -> Shown:
        """Look through an installed Python, which belongs to no identity; packages installed for it are masked.

        Raises:
            InputError: it holds an answer, or too many files.
        """
        masks: list[str] = []
        others = _CONDA if (prefix / "conda-meta").is_dir() else frozenset()
        for folder, names in self._walk(prefix, target, masks, _SITES | others):
            if folder == prefix or folder.relative_to(prefix).parts[0] not in _INSTALLED:
                for each in names:
                    self._record(folder / each, each, "python", None)
        return Shown(masks=tuple(dict.fromkeys(masks)))

    def masks_of_system(self) -> tuple[str, ...]:
        """Hidden folders that lie in what every sandbox shows."""
        return tuple(sorted(str(path) for path in self._real_hidden if of_system(path)))

    def _walk(self, top: Path, target: str, masks: list[str], others: frozenset[str]) -> Iterator[tuple[Path, list[str]]]:
        """Folders with the names of their files and links. What is masked is noted in `masks` and not entered."""
        # The first run makes its state folder after this.
        masks += [f"{target}/{each.relative_to(top).as_posix()}" for each in self._real_hidden if each.is_relative_to(top)]
        for count, (folder, folders, files) in enumerate(os.walk(top)):
            here = Path(folder)
            links = [each for each in folders if (here / each).is_symlink()]
            real = sorted(set(folders) - set(links))
            private = {each for each in real if each in others or self._is_masked(here / each)}
            private |= {each for each in files if _is_distribution(each)}
            masks += [f"{target}/{(here / each).relative_to(top).as_posix()}" for each in sorted(private)]
            folders[:] = [each for each in real if each not in private and each != "__pycache__"]
            if count > _PROGRAM_FILES or len(masks) > _MASKS:
                most = f"{_MASKS} things to hide" if len(masks) > _MASKS else f"{_PROGRAM_FILES} folders"
                raise InputError(f"{top} has more than {most}; mount a smaller folder")
            yield here, sorted({*files, *links} - private)

    def _is_masked(self, folder: Path) -> bool:
        return folder.name == _HISTORY or folder in self._real_hidden or _is_private(folder)

    def _record(self, path: Path, inside: str, name: str, environment: Environment | None) -> TreeRecord | None:
        """The record of a file or link; None for what is no part of a program, such as sockets."""
        link = path.is_symlink()
        if workspace_path_problem(f"{name}/{inside}") or (
            environment is not None and environment.leaves_out(inside, link=link)
        ):
            return None
        if link:
            return link_record(f"{name}/{inside}", str(path.readlink()))
        if not path.is_file():
            return None
        record = self._file(path, f"{name}/{inside}")
        if environment is None or record.size is UNSET or not environment.rewrites(inside, record.size):
            return record
        data = environment.rewritten(inside, _read(path))
        return file_record(record.path, sha256(data), len(data), executable=record.mode == "0755")

    def _file(self, path: Path, name: str) -> TreeRecord:
        record = _hashed(path, name)
        if record.digest in self.answers:
            raise InputError(
                f"{path} is a grader, solution or cheat of this suite and would be shown to the agent; leave it out"
            )
        return record


def of_kernel(path: Path) -> bool:
    """Whether an absolute path belongs to the kernel's file systems; programs may lie in /dev/shm."""
    return path.parts[1:2] in {("proc",), ("sys",), ("dev",)} and Path("/dev/shm") not in path.parents  # noqa: S108 - not written to


def _is_private(folder: Path) -> bool:
    """Whether this is a state folder or a copy of this package; a clone of its repository is none, but has one in it."""
    if folder.name != _PACKAGE:
        return folder.name == _STATE or _is_distribution(folder.name)
    return folder.parent.name in _SITES or (folder / "__init__.py").is_file() or (folder / "suites/packaged").is_dir()


def _is_distribution(name: str) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in _DISTRIBUTIONS)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(REWRITTEN_BYTES)
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(f"cannot read {path} of the agent's program: {error.strerror}")


def _hashed(path: Path, name: str) -> TreeRecord:
    hasher, size = Hasher(), 0
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                hasher.update(chunk)
                size += len(chunk)
    except OSError as error:
        raise _unreadable(path, error) from None
    return file_record(name, hasher.digest(), size, executable=os.access(path, os.X_OK))
