r"""What a grader script may do: ask about the subject, report outcomes.

    from tally_grader import subject, test

    r = subject.run(["python3", "-m", "shop", "total"], stdin=b"3 4\n")
    with test("totals"):
        assert r.stdout == b"7\n", r.stdout

A grader runs in a sandbox of its own, without any file of the workspace. Each
question goes as one JSON line to the runner, which starts a new subject sandbox
on the submitted bytes. The subject is untrusted: compare output with values
that only the grader knows, never an exit code alone.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple

__all__ = ["GraderError", "Result", "report", "subject", "test"]

# Bounds of one protocol line and its parts, in bytes or characters. The runner
# caps a subject's output well below the answer limit.
MAX_ANSWER_BYTES = 64 << 20
MAX_STDIN_BYTES = 8 << 20
MAX_ARGV_BYTES = 128 << 10
MAX_NOTE_CHARS = 1000
MAX_TESTS = 1000
MAX_TIMEOUT_S = 600.0
_TEST_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class GraderError(Exception):
    """The grader script misused this module; the message says how to mend it."""


class ChannelError(GraderError):
    """The runner went away or answered something that is not the protocol."""


class Result(NamedTuple):
    """What one run of the subject left: exactly one of exit, signal, limit tells how it ended."""

    exit: int | None
    signal: int | None
    limit: str | None
    stdout: bytes
    stderr: bytes
    truncated: bool


class Channel:
    """JSON lines to the runner and back; one question at a time."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self._reader = reader
        self._writer = writer
        self._lock = threading.Lock()

    def send(self, message: dict[str, Any]) -> None:
        """Write one line that expects no answer."""
        try:
            self._writer.write(json.dumps(message).encode("ascii") + b"\n")
            self._writer.flush()
        except (OSError, ValueError) as error:
            raise ChannelError("the runner closed the grader's channel") from error

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Write one line and read the line that answers it."""
        with self._lock:
            self.send(message)
            line = self._reader.readline(MAX_ANSWER_BYTES + 1)
        if not line.endswith(b"\n"):
            size = "too long" if len(line) > MAX_ANSWER_BYTES else "missing or cut short"
            op = message["op"]
            raise ChannelError(f"the runner's answer to {op!r} is {size}")
        try:
            answer = json.loads(line)
        except ValueError as error:
            raise ChannelError("the runner's answer is not JSON") from error
        if not isinstance(answer, dict):
            raise ChannelError("the runner's answer is not a JSON object")
        return answer


class _State:
    """One grader process has one channel and one list of reported ids."""

    def __init__(self) -> None:
        self.channel: Channel | None = None
        self.reported: set[str] = set()


_state = _State()


def connect(channel: Channel) -> None:
    """Bind this module to the runner; run_grader.py does it before the script starts."""
    _state.channel = channel
    _state.reported = set()


def _channel() -> Channel:
    if _state.channel is None:
        raise GraderError("no runner: graders are started by run_grader.py, not by hand")
    return _state.channel


def _bytes_of(answer: dict[str, Any], name: str) -> bytes:
    try:
        return base64.b64decode(answer[name], validate=True)
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise ChannelError(f"the runner's answer has no base64 member {name!r}") from error


def _checked_argv(argv: Any) -> list[str]:
    if isinstance(argv, (str, bytes)) or not argv:
        raise GraderError(f"argv must be a non-empty list of strings, not {argv!r}")
    for part in argv:
        if not isinstance(part, str) or "\0" in part:
            raise GraderError(f"argv holds {part!r}: every part is a string without NUL")
    if sum(len(part.encode("utf-8")) for part in argv) > MAX_ARGV_BYTES:
        raise GraderError(f"argv is over {MAX_ARGV_BYTES} bytes: send data on stdin")
    return list(argv)


class Subject:
    """The submitted workspace, behind the runner."""

    def run(self, argv: Sequence[str], stdin: bytes = b"", timeout_s: float = 10) -> Result:
        """Run `argv` in a new subject sandbox on the submitted bytes; nothing carries over."""
        if not isinstance(stdin, (bytes, bytearray)):
            raise GraderError("stdin must be bytes: encode the text first")
        if len(stdin) > MAX_STDIN_BYTES:
            raise GraderError(f"stdin is over {MAX_STDIN_BYTES} bytes")
        if not 0 < timeout_s <= MAX_TIMEOUT_S:
            raise GraderError(f"timeout_s must be above 0 and at most {MAX_TIMEOUT_S:.0f}")
        answer = _channel().ask(
            {
                "op": "run",
                "argv": _checked_argv(argv),
                "stdin": base64.b64encode(stdin).decode("ascii"),
                "timeout_ms": max(1, round(timeout_s * 1000)),
            }
        )
        return Result(
            exit=answer.get("exit"),
            signal=answer.get("signal"),
            limit=answer.get("limit"),
            stdout=_bytes_of(answer, "stdout"),
            stderr=_bytes_of(answer, "stderr"),
            truncated=bool(answer.get("truncated")),
        )

    def read(self, path: str) -> bytes | None:
        """Content of a submitted file, as data; None where there is no such file.

        A file over 8 MiB raises GraderError: the test that asked for it errs.
        """
        if not path or not path.isprintable():
            raise GraderError(f"path {path!r}: name a file of the workspace")
        answer = _channel().ask({"op": "read", "path": path})
        if answer.get("too_large"):
            raise GraderError(f"{path} is too large to be read")
        if answer.get("content") is None:
            return None
        return _bytes_of(answer, "content")


subject = Subject()


def _claim(test_id: Any) -> None:
    if not isinstance(test_id, str) or not _TEST_ID.fullmatch(test_id):
        raise GraderError(f"test id {test_id!r}: use a-z, 0-9, '_' and '-', at most 64")
    if test_id in _state.reported:
        raise GraderError(f"test {test_id!r} is reported twice: every id once")
    if len(_state.reported) >= MAX_TESTS:
        raise GraderError(f"more than {MAX_TESTS} tests reported")
    _state.reported.add(test_id)


def _emit(test_id: str, outcome: str, note: str) -> None:
    # A note may quote what the subject printed, and a lone surrogate is no text for the runner.
    note = str(note).encode("utf-8", "backslashreplace").decode("utf-8")
    if len(note) > MAX_NOTE_CHARS:
        note = note[: MAX_NOTE_CHARS - 3] + "..."
    _channel().send({"op": "test", "id": test_id, "outcome": outcome, "note": note})


def report(test_id: str, passed: bool, note: str = "") -> None:
    """Report one outcome; every id once."""
    _claim(test_id)
    _emit(test_id, "pass" if passed else "fail", note)


class test:  # noqa: N801 - reads as a statement in grader scripts
    """`with test("id"):` passes if the block ends, fails on AssertionError, else errs.

    The block's exception ends there, so that later tests still report; only a
    broken channel and exits go on upwards.
    """

    def __init__(self, test_id: str) -> None:
        self._id = test_id

    def __enter__(self) -> None:
        _claim(self._id)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if kind is None:
            _emit(self._id, "pass", "")
            return False
        if issubclass(kind, ChannelError):
            return False
        if issubclass(kind, AssertionError):
            _emit(self._id, "fail", str(error) or _where(trace))
        else:
            _emit(self._id, "error", f"{kind.__name__}: {error}")
        return issubclass(kind, Exception)


def _where(trace: TracebackType | None) -> str:
    """The line of the innermost frame: what a bare `assert` can say."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"assertion failed at line {trace.tb_lineno if trace else 0}"
