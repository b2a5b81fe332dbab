"""What a grader script may ask of the runner, and what ends the conversation."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterable

import pytest

from tallystick.runner import conversation as module
from tallystick.runner.conversation import READ_BYTES, Conversation, SubjectRequest
from tallystick.sandbox.spec import Outcome
from tests.support.fake_sandbox import ended

FILES = {"a.py": b"x = 1\n", "big": bytes(READ_BYTES + 1), "just": bytes(READ_BYTES)}
DONE = {"op": "done"}


def run(argv: list[str], **members: object) -> dict[str, object]:
    return {"op": "run", "argv": argv, "stdin": "", "timeout_ms": 1000} | members


def talked(
    lines: Iterable[object], answer: Outcome | None = None
) -> tuple[Conversation, list[dict[str, object]], list[SubjectRequest]]:
    """Play `lines` (documents, or bytes as they are); the conversation, its answers, and what the subject was asked."""
    asked: list[SubjectRequest] = []

    def ask(request: SubjectRequest) -> Outcome:
        asked.append(request)
        return answer or ended(0, stdout=b"hi", stderr=b"oh")

    text = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    writer, conversation = io.BytesIO(), Conversation(ask=ask, read=FILES.get)
    conversation.talk(io.BytesIO(text), writer)
    return conversation, [json.loads(line) for line in writer.getvalue().splitlines()], asked


def test_a_run_is_asked_and_answered() -> None:
    line = run(["python3", "m.py"], stdin=base64.b64encode(b"\0in").decode(), timeout_ms=0)
    conversation, answers, asked = talked([line, DONE])
    assert asked == [SubjectRequest(("python3", "m.py"), b"\0in", 1)]
    assert answers == [
        {
            "exit": 0,
            "signal": None,
            "limit": None,
            "stdout": base64.b64encode(b"hi").decode(),
            "stderr": base64.b64encode(b"oh").decode(),
            "truncated": False,
        }
    ]
    assert conversation.done
    assert conversation.problem is None


def test_cut_output_and_limits_are_told() -> None:
    _, answers, _ = talked([run(["x"]), DONE], ended(None, limit="wall", stdout=b"ab", total=9))
    assert (answers[0]["truncated"], answers[0]["limit"], answers[0]["exit"]) == (True, "wall", None)


def test_reads() -> None:
    _, answers, _ = talked([{"op": "read", "path": path} for path in ("a.py", "none", "big", "just")])
    assert answers[0] == {"content": base64.b64encode(b"x = 1\n").decode()}
    assert answers[1] == {"content": None}
    assert answers[2] == {"content": None, "too_large": True}
    assert len(str(answers[3]["content"])) > READ_BYTES


def test_reports_are_kept_in_order_with_their_notes() -> None:
    lines = [{"op": "test", "id": name, "outcome": "pass", "note": note} for name, note in (("b", "why"), ("a", ""))]
    conversation, answers, _ = talked([*lines, DONE])
    assert [(test.id, test.outcome) for test in conversation.tests] == [("b", "pass"), ("a", "pass")]
    assert conversation.notes == ["b: why"]
    assert answers == []


def test_what_comes_after_done_is_not_read() -> None:
    conversation, answers, asked = talked([DONE, b"garbage\n", run(["x"])])
    assert (conversation.done, conversation.problem, answers, asked) == (True, None, [], [])


def test_a_script_that_goes_away_is_not_done() -> None:
    conversation, _, _ = talked([run(["x"])])
    assert not conversation.done
    assert conversation.problem is None


@pytest.mark.parametrize(
    "line",
    [
        b"hello\n",
        b"[]\n",
        b"\xff\n",
        {"op": "sing"},
        {"op": "done", "more": 1},
        {"op": "run", "argv": ["x"]},
        run([]),
        run(["a\0b"]),
        run(["x"], stdin="%%%"),
        run(["x"], stdin="YQ"),
        run(["x"], timeout_ms="1"),
        run("sh"),  # type: ignore[arg-type]
        {"op": "read"},
        {"op": "test", "id": "A B", "outcome": "pass"},
        {"op": "test", "id": "a", "outcome": "passed"},
        {"op": "test", "id": "", "outcome": "pass"},
        b'{"op":"done"',
    ],
    ids=repr,
)
def test_misuse_ends_the_conversation(line: object) -> None:
    conversation, answers, asked = talked([line, DONE])
    assert conversation.problem is not None
    assert "the grader script" in conversation.problem
    assert "\n" not in conversation.problem
    assert (conversation.done, answers, asked) == (False, [], [])


def test_a_test_is_reported_once() -> None:
    line = {"op": "test", "id": "a", "outcome": "pass"}
    conversation, _, _ = talked([line, line, DONE])
    assert conversation.problem is not None
    assert "twice" in conversation.problem


def test_questions_are_bounded() -> None:
    conversation, answers, _ = talked([{"op": "read", "path": "none"}] * (module.QUESTIONS + 1))
    assert len(answers) == module.QUESTIONS
    assert conversation.problem is not None


def test_reports_are_bounded() -> None:
    conversation, _, _ = talked([{"op": "test", "id": f"t{n}", "outcome": "pass"} for n in range(module.TESTS // 10)])
    assert conversation.problem is None
    assert len(conversation.tests) == module.TESTS // 10


def test_a_line_is_bounded() -> None:
    conversation, _, _ = talked([b'{"op":"' + b"x" * module.LINE_BYTES + b'"}\n', DONE])
    assert conversation.problem is not None
    assert str(module.LINE_BYTES) in conversation.problem


class Gone(io.BytesIO):
    """A writer whose reader has gone away."""

    def write(self, data: object) -> int:
        raise BrokenPipeError


def test_a_script_that_does_not_wait_for_the_answer() -> None:
    conversation = Conversation(ask=lambda request: ended(), read=FILES.get)  # noqa: ARG005
    conversation.talk(io.BytesIO(json.dumps(run(["x"])).encode() + b"\n"), Gone())
    assert conversation.problem is not None
    assert not conversation.done
