"""The runner's side of a grader script's questions: JSON lines in, answers out, everything bounded.

The grader is trusted code that handles untrusted answers; the subject is never asked anything but argv and stdin.
Specification: docs/spec/suite.md, "Grader scripts".
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO

import msgspec

from tallystick.core import limits
from tallystick.core.errors import TallyError
from tallystick.records.evidence import TestOutcome
from tallystick.sandbox.spec import Outcome

__all__ = ["READ_BYTES", "AskSubject", "Conversation", "GraderProtocolError", "SubjectRequest"]

LINE_BYTES = 16 << 20
"""Bytes of one line from the grader: eight MiB of stdin in base64, and the rest."""
READ_BYTES = 8 << 20
"""Bytes of a submitted file that a grader or the inspector is given: no source is as long, and both hold it in memory."""
QUESTIONS = 2000
"""Runs and reads one grader script may ask for."""
TESTS = limits.TESTS
NOTES_CHARS = 100_000


class GraderProtocolError(TallyError):
    """A grader script broke the protocol: the task is at fault, not the agent."""


class _Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="op", tag="run"):
    argv: list[str]
    stdin: str
    timeout_ms: int


class _Read(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="op", tag="read"):
    path: str


class _Test(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="op", tag="test"):
    id: str
    outcome: str
    note: str = ""


class _Done(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="op", tag="done"):
    pass


_decoder = msgspec.json.Decoder(_Run | _Read | _Test | _Done)


@dataclass(frozen=True, slots=True)
class SubjectRequest:
    """What a grader asks the subject to run."""

    argv: tuple[str, ...]
    stdin: bytes
    timeout_ms: int


AskSubject = Callable[[SubjectRequest], Outcome]
ReadSubject = Callable[[str], bytes | None]


@dataclass
class Conversation:
    """One grader script's run: answers its questions, collects what it reports."""

    ask: AskSubject
    read: ReadSubject
    tests: list[TestOutcome] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    done: bool = False
    problem: str | None = None
    _questions: int = 0

    def talk(self, reader: BinaryIO, writer: BinaryIO) -> None:
        """Serve the grader until it says `done` or goes away."""
        try:
            while not self.done:
                line = reader.readline(LINE_BYTES + 1)
                if not line:
                    return
                answer = self._handle(line)
                if answer is not None:
                    writer.write(answer + b"\n")
                    writer.flush()
        except GraderProtocolError as error:
            self.problem = str(error)
        except (BrokenPipeError, ConnectionError):
            self.problem = "the grader script ended in the middle of an answer"

    def _handle(self, line: bytes) -> bytes | None:
        if len(line) > LINE_BYTES:
            raise GraderProtocolError(f"the grader script sent a line of more than {LINE_BYTES} bytes")
        try:
            message = _decoder.decode(line)
        except msgspec.DecodeError as error:
            raise GraderProtocolError(f"the grader script sent something that is not its protocol: {error}") from None
        if isinstance(message, _Run):
            return self._run(message)
        if isinstance(message, _Read):
            return self._answer_read(message)
        if isinstance(message, _Test):
            self._test(message)
        else:
            self.done = True
        return None

    def _count(self) -> None:
        self._questions += 1
        if self._questions > QUESTIONS:
            raise GraderProtocolError(f"the grader script asked more than {QUESTIONS} questions")

    def _run(self, message: _Run) -> bytes:
        self._count()
        try:
            stdin = base64.b64decode(message.stdin, validate=True)
        except (binascii.Error, ValueError):
            raise GraderProtocolError("the grader script sent a stdin that is not base64") from None
        if not message.argv or any("\0" in word for word in message.argv):
            raise GraderProtocolError("the grader script sent an empty argv, or one with a NUL")
        outcome = self.ask(SubjectRequest(tuple(message.argv), stdin, max(1, message.timeout_ms)))
        truncated = outcome.stdout.total > len(outcome.stdout.data) or outcome.stderr.total > len(outcome.stderr.data)
        return msgspec.json.encode(
            {
                "exit": outcome.exit,
                "signal": outcome.signal,
                "limit": outcome.limit,
                "stdout": base64.b64encode(outcome.stdout.data).decode(),
                "stderr": base64.b64encode(outcome.stderr.data).decode(),
                "truncated": truncated,
            }
        )

    def _answer_read(self, message: _Read) -> bytes:
        self._count()
        content = self.read(message.path)
        if content is not None and len(content) > READ_BYTES:
            return msgspec.json.encode({"content": None, "too_large": True})
        return msgspec.json.encode({"content": None if content is None else base64.b64encode(content).decode()})

    def _test(self, message: _Test) -> None:
        if len(self.tests) >= TESTS:
            raise GraderProtocolError(f"the grader script reported more than {TESTS} tests")
        try:
            outcome = msgspec.convert({"id": message.id, "outcome": message.outcome}, TestOutcome)
        except msgspec.ValidationError as error:
            raise GraderProtocolError(f"the grader script reported a test that cannot stand: {error}") from None
        if any(test.id == outcome.id for test in self.tests):
            raise GraderProtocolError(f"the grader script reported the test {outcome.id} twice")
        self.tests.append(outcome)
        if message.note and sum(map(len, self.notes)) < NOTES_CHARS:
            self.notes.append(f"{message.id}: {message.note}")
