"""The folder of one run: which attempts are finished, which were begun and cut off.

    <state>/runs/<name>/run.json               what the run is (records.state.RunState)
    <state>/runs/<name>/lock                   held while a process works on it
    <state>/runs/<name>/begun/<task>.<i>.<n>   one byte for every time the attempt was started after its n-th finished try
    <state>/runs/<name>/calls/<task>.<i>       calls to models of the try under way, a line each (records.traffic.cassette.Call)
    <state>/runs/<name>/calls/<task>.<i>.paid  those of the try that came farthest before it was cut off
    <state>/runs/<name>/attempts/<task>.<i>.json   a finished attempt (records.state.FinishedAttempt)

An attempt counts as finished when its file is there. That file, and the folder of a run, appear whole or not at all.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import itertools
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from tallystick.core import c1, limits
from tallystick.core.digest import Digest
from tallystick.core.errors import InputError, TallyError
from tallystick.recording.durable import SCRATCH, StoreError, failing_clearly, sweep, write_durably
from tallystick.records.base import part_from_tree, write
from tallystick.records.evidence import Attempt
from tallystick.records.state import FinishedAttempt, RunState, parse_finished, parse_run_state
from tallystick.records.traffic.cassette import Call

__all__ = ["RunBusyError", "RunFolder", "all_runs", "find_run", "new_run"]


class RunBusyError(TallyError):
    """Another process is working on the same run."""

    exit_code = 2


class RunFolder:
    """One run on disk."""

    def __init__(self, path: Path, state: RunState) -> None:
        self.path = path
        self.state = state

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the run for this process.

        Raises:
            RunBusyError: another process holds it.
        """
        with contextlib.ExitStack() as stack:
            with failing_clearly(self.path):
                lock = stack.enter_context((self.path / "lock").open("a", encoding="ascii"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise RunBusyError(
                    f"another process is working on the run in {self.path}; wait for it, or start a second run with --fresh"
                ) from None
            for folder in (self.path, self.path / "attempts"):
                sweep(folder)
            yield

    def _name(self, task_id: str, attempt: Attempt) -> str:
        return f"{task_id}.{attempt.index}"

    def begin(self, task_id: str, attempt: Attempt, tries: int = 0) -> int:
        """Note that the attempt starts now, after `tries` finished ones; returns how many starts since then had no end."""
        path = self.path / "begun" / f"{self._name(task_id, attempt)}.{tries}"
        with failing_clearly(path.parent), path.open("ab") as marker:
            before = marker.tell()
            marker.write(b"x")
            return before

    def forget_begun(self, task_id: str, attempt: Attempt) -> None:
        """The starts so far are accounted for in a finished attempt."""
        for path in (self.path / "begun").glob(f"{self._name(task_id, attempt)}.*"):
            with suppress(FileNotFoundError):
                path.unlink()

    def note_call(self, task_id: str, attempt: Attempt, call: Call) -> None:
        """Keep a call of the try that is under way: whoever is killed does not pay for it again."""
        path = self._calls(task_id, attempt)
        with failing_clearly(path.parent):
            path.parent.mkdir(exist_ok=True)
            with path.open("ab") as file:
                file.write(c1.encode(call) + b"\n")

    def paid_calls(self, task_id: str, attempt: Attempt) -> tuple[Call, ...]:
        """The calls of the try that came farthest before it was cut off, as far as they form the beginning of a cassette."""
        path = self._calls(task_id, attempt)
        paid = path.with_name(f"{path.name}.paid")
        with failing_clearly(path.parent):
            last, before = _calls_in(path), _calls_in(paid)
            if len(last) > len(before):
                path.replace(paid)
            else:
                path.unlink(missing_ok=True)
        return max(last, before, key=len)

    def forget_calls(self, task_id: str, attempt: Attempt) -> None:
        """The try ended; what it said stands in its cassette."""
        path = self._calls(task_id, attempt)
        for each in (path, path.with_name(f"{path.name}.paid")):
            each.unlink(missing_ok=True)

    def _calls(self, task_id: str, attempt: Attempt) -> Path:
        return self.path / "calls" / self._name(task_id, attempt)

    def finish(self, task_id: str, finished: FinishedAttempt) -> None:
        """Store a finished attempt durably."""
        attempt = finished.receipt.attempt
        write_durably(self.path / "attempts" / f"{self._name(task_id, attempt)}.json", write(finished))
        self.forget_begun(task_id, attempt)
        self.forget_calls(task_id, attempt)

    def finished(self, task_id: str, attempt: Attempt) -> FinishedAttempt | None:
        """What is stored of the attempt, or None.

        Raises:
            StoreError: the file is there but cannot be read back.
        """
        path = self.path / "attempts" / f"{self._name(task_id, attempt)}.json"
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"cannot read {path}: {error.strerror}") from None
        try:
            return parse_finished(data)
        except InputError as error:
            raise StoreError(f"{path} is damaged ({error}); remove it to run that attempt again") from None


def _calls_in(path: Path) -> tuple[Call, ...]:
    """The calls of a file, in the order of their numbers, up to the first gap; a line that was cut off is none."""
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return ()
    found: dict[int, Call] = {}
    for line in lines:
        with suppress(InputError):
            call = part_from_tree(c1.decode(line, limits.DOCUMENT_BYTES), Call, "call")
            found[call.call] = call
    whole = itertools.takewhile(found.__contains__, itertools.count())
    return tuple(found[number] for number in whole)


def all_runs(state_folder: Path) -> Iterator[RunFolder]:
    """Every run of a state folder that can be read, by the name of its folder; one that a kill left half made is none."""
    folder = state_folder / "runs"
    if not folder.is_dir():
        return
    for path in sorted(each for each in folder.iterdir() if not each.name.startswith(SCRATCH)):
        with suppress(OSError, InputError):
            yield RunFolder(path, parse_run_state((path / "run.json").read_bytes()))


def find_run(state_folder: Path, run_id: Digest, suite_version: str, tasks: tuple[str, ...], attempts: int) -> RunFolder | None:
    """The newest run folder of exactly this run, or None.

    A suite under another name is another run, though its hash is the same: what was tried before a cohort was frozen of a
    packaged suite is no attempt at the cohort.
    """
    same = [
        run
        for run in all_runs(state_folder)
        if run.state.run_id == run_id
        and run.state.suite_version == suite_version
        and run.state.tasks == tasks
        and run.state.attempts == attempts
    ]
    return max(same, key=lambda run: run.state.ordinal, default=None)


def new_run(state_folder: Path, state: RunState) -> RunFolder:
    """Make the folder of a run; its ordinal is the next free one, whatever `state` says."""
    parent = state_folder / "runs"
    try:
        parent.mkdir(parents=True, exist_ok=True)
        _sweep_folders(parent)
        for ordinal in range(1, 1_000_000):
            path = parent / _folder_name(state, ordinal)
            if path.exists():
                continue
            numbered = msgspec.structs.replace(state, ordinal=ordinal)
            if _make_whole(path, numbered):
                return RunFolder(path, numbered)
    except OSError as error:
        raise StoreError(f"cannot write below {parent}: {error.strerror}; name another folder with --state") from None
    raise StoreError(f"too many runs below {parent}; remove old ones")


def _folder_name(state: RunState, ordinal: int) -> str:
    name = f"{state.suite_version}-{state.agent.name[:40]}-{state.run_id[7:15]}-{ordinal}"
    return "".join(char if char.isalnum() or char in "._-" else "_" for char in name)


def _make_whole(path: Path, state: RunState) -> bool:
    """Make the folder under a scratch name and rename it; False when another process has just taken the name."""
    scratch, held = _claim_folder(path.parent)
    try:
        (scratch / "begun").mkdir()
        (scratch / "attempts").mkdir()
        write_durably(scratch / "run.json", write(state))
        scratch.rename(path)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno == errno.ENOTEMPTY:
            return False
        raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        os.close(held)
    return True


def _claim_folder(parent: Path) -> tuple[Path, int]:
    """A new scratch folder, locked. One that was swept between its making and its locking is gone: another one."""
    while True:
        path = parent / f"{SCRATCH}{secrets.token_hex(8)}"
        path.mkdir()
        with suppress(FileNotFoundError):
            held = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            fcntl.flock(held, fcntl.LOCK_EX)
            if os.fstat(held).st_nlink:
                return path, held
            os.close(held)


def _sweep_folders(parent: Path) -> None:
    """Remove the unfinished run folders of killed processes; a living process holds a lock on its own."""
    for path in parent.glob(f"{SCRATCH}*"):
        with suppress(OSError):
            held = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(held)
