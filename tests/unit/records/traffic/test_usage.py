"""Usage, model and name of an answer, for every interface, streamed and not, whole and malformed."""

import json
from typing import Any, Final

import pytest

from tallystick.records.traffic.answers import is_stream
from tallystick.records.traffic.cassette import Api, Usage
from tallystick.records.traffic.usage import Answered, read_answer

PLAIN: Final = "application/json; charset=utf-8"
STREAM: Final = "text/event-stream; charset=utf-8"


def sse(*events: Any, end: str = "\n", names: bool = True) -> bytes:
    """A stream of events."""
    lines = []
    for event in events:
        if names and isinstance(event, dict) and "type" in event:
            lines.append(f"event: {event['type']}")
        lines += [f"data: {event if isinstance(event, str) else json.dumps(event)}", ""]
    return (end.join(lines) + end).encode()


CHAT_USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 64, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 8},
}
CHAT = {"id": "chatcmpl-1", "object": "chat.completion", "model": "gpt-x-2026", "choices": [{"index": 0}], "usage": CHAT_USAGE}
CHUNK = {
    "id": "chatcmpl-1",
    "object": "chat.completion.chunk",
    "model": "gpt-x-2026",
    "choices": [{"delta": {}}],
    "usage": None,
}
RESPONSE_USAGE = {
    "input_tokens": 100,
    "input_tokens_details": {"cached_tokens": 64},
    "output_tokens": 20,
    "output_tokens_details": {"reasoning_tokens": 8},
}
RESPONSE = {"id": "resp_1", "object": "response", "model": "gpt-x-2026", "status": "completed", "usage": RESPONSE_USAGE}
MESSAGE_USAGE = {
    "input_tokens": 10,
    "cache_creation_input_tokens": 30,
    "cache_read_input_tokens": 60,
    "output_tokens": 1,
    "service_tier": "standard",
}
MESSAGE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x", "content": [], "usage": MESSAGE_USAGE}
GOOGLE_USAGE = {
    "promptTokenCount": 90,
    "toolUsePromptTokenCount": 10,
    "candidatesTokenCount": 12,
    "thoughtsTokenCount": 8,
    "cachedContentTokenCount": 64,
    "totalTokenCount": 120,
}
GOOGLE = {"candidates": [], "modelVersion": "gemini-x", "responseId": "r1", "usageMetadata": GOOGLE_USAGE}

OPENAI = Usage(input=100, output=20, cache_read=64, reasoning=8)
ANTHROPIC = Usage(input=100, output=20, cache_read=60, cache_write=30)

WHOLE: Final[dict[str, tuple[Api, str, bytes, Answered]]] = {
    "chat": ("openai.chat", PLAIN, json.dumps(CHAT).encode(), Answered(OPENAI, "gpt-x-2026", "chatcmpl-1")),
    "chat streamed": (
        "openai.chat",
        STREAM,
        sse(CHUNK, CHUNK, {**CHUNK, "choices": [], "usage": CHAT_USAGE}, "[DONE]"),
        Answered(OPENAI, "gpt-x-2026", "chatcmpl-1"),
    ),
    "chat streamed without usage": (
        "openai.chat",
        STREAM,
        sse(CHUNK, "[DONE]"),
        Answered(None, "gpt-x-2026", "chatcmpl-1"),
    ),
    "responses": ("openai.responses", PLAIN, json.dumps(RESPONSE).encode(), Answered(OPENAI, "gpt-x-2026", "resp_1")),
    "responses streamed": (
        "openai.responses",
        STREAM,
        sse(
            {"type": "response.created", "response": {**RESPONSE, "usage": None}},
            {"type": "response.output_text.delta", "delta": "x"},
            {"type": "response.completed", "response": RESPONSE},
        ),
        Answered(OPENAI, "gpt-x-2026", "resp_1"),
    ),
    "responses cut short": (
        "openai.responses",
        STREAM,
        sse({"type": "response.incomplete", "response": RESPONSE}),
        Answered(OPENAI, "gpt-x-2026", "resp_1"),
    ),
    "messages": (
        "anthropic.messages",
        PLAIN,
        json.dumps({**MESSAGE, "usage": {**MESSAGE_USAGE, "output_tokens": 20}}).encode(),
        Answered(ANTHROPIC, "claude-x", "msg_1"),
    ),
    "messages streamed": (
        "anthropic.messages",
        STREAM,
        sse(
            {"type": "message_start", "message": MESSAGE},
            {"type": "ping"},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 20}},
            {"type": "message_stop"},
        ),
        Answered(ANTHROPIC, "claude-x", "msg_1"),
    ),
    "generate": (
        "google.generate",
        PLAIN,
        json.dumps(GOOGLE).encode(),
        Answered(OPENAI, "gemini-x", "r1"),
    ),
    "generate streamed": (
        "google.generate",
        STREAM,
        sse({**GOOGLE, "usageMetadata": {"promptTokenCount": 90}}, GOOGLE),
        Answered(OPENAI, "gemini-x", "r1"),
    ),
    "generate streamed as a list": (
        "google.generate",
        PLAIN,
        json.dumps([{"modelVersion": "gemini-x"}, GOOGLE]).encode(),
        Answered(OPENAI, "gemini-x", "r1"),
    ),
    "other": ("other", PLAIN, json.dumps(CHAT).encode(), Answered()),
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_answers(name: str) -> None:
    api, content_type, data, said = WHOLE[name]
    assert read_answer(api, content_type, data) == said


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_a_stream_end_in_three_ways(end: str) -> None:
    data = sse(CHUNK, {**CHUNK, "usage": CHAT_USAGE}, end=end)
    assert read_answer("openai.chat", STREAM, data).usage == OPENAI
    assert read_answer("openai.chat", "", b"\xef\xbb\xbf" + data if end == "\n" else data).answer_id == (
        None if end == "\n" else "chatcmpl-1"
    )


def test_data_of_one_event_may_stand_on_several_lines() -> None:
    text = json.dumps(CHAT, indent=1)
    data = "".join(f"data:{line}\n" for line in text.splitlines()) + ": a comment\nid: 7\nretry: 1\n\n"
    assert read_answer("openai.chat", STREAM, data.encode()).usage == OPENAI


ERRORS: Final[dict[Api, Any]] = {
    "openai.chat": {"error": {"message": "slow down", "type": "rate_limit_error", "code": None}},
    "openai.responses": {"error": {"message": "x", "type": "server_error"}},
    "anthropic.messages": {"type": "error", "error": {"type": "overloaded_error", "message": "x"}, "request_id": "req_1"},
    "google.generate": {"error": {"code": 429, "message": "x", "status": "RESOURCE_EXHAUSTED"}},
}


@pytest.mark.parametrize("api", ERRORS)
def test_errors_say_nothing(api: Api) -> None:
    assert read_answer(api, PLAIN, json.dumps(ERRORS[api]).encode()) == Answered()
    assert read_answer(api, STREAM, sse(ERRORS[api])) == Answered()


def test_a_failed_response_and_an_error_within_a_stream() -> None:
    failed = {"type": "response.failed", "response": {**RESPONSE, "status": "failed", "usage": None, "error": {"code": "x"}}}
    assert read_answer("openai.responses", STREAM, sse(failed)) == Answered(None, "gpt-x-2026", "resp_1")
    broken = sse({"type": "message_start", "message": MESSAGE}, {"type": "error", "error": {"type": "overloaded_error"}})
    assert read_answer("anthropic.messages", STREAM, broken).usage == Usage(input=100, output=1, cache_read=60, cache_write=30)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<html>bad gateway</html>",
        b"null",
        b"[1,null,[]]",
        b'{"usage":',
        b"[" * 100_000,
        b"data: " + b"[" * 5000,
        b"data\ndata:\n\ndata: {}\n\n",
        b"\xff\xfe\x00",
        json.dumps({"usage": [], "usageMetadata": "x", "message": 1, "response": [], "model": 1, "id": {}}).encode(),
    ],
)
@pytest.mark.parametrize("api", ERRORS)
@pytest.mark.parametrize("content_type", [PLAIN, STREAM, ""])
def test_malformed_answers_say_nothing(api: Api, content_type: str, data: bytes) -> None:
    assert read_answer(api, content_type, data) == Answered()


@pytest.mark.parametrize("count", [-1, 1.5, "100", True, None, [], 2**53, 10**400])
def test_what_is_no_count_counts_nothing(count: Any) -> None:
    usage = {"prompt_tokens": count, "completion_tokens": 20, "prompt_tokens_details": count}
    said = read_answer("openai.chat", PLAIN, json.dumps({"usage": usage}).encode())
    assert said.usage in {Usage(input=0, output=20), None}


def test_names_are_bounded() -> None:
    said = read_answer("openai.chat", PLAIN, json.dumps({"model": "m" * 999, "id": "i" * 999}).encode())
    assert (len(said.model or ""), len(said.answer_id or "")) == (256, 256)


@pytest.mark.parametrize(
    ("headers", "cached"),
    [
        ((), False),
        ((("x-cache", "MISS"), ("age", "3")), False),
        ((("X-Cache", "Hit from somewhere"),), True),
        ((("cf-aig-cache-status", "HIT"),), True),
        ((("x-litellm-cache-hit", "True"),), True),
    ],
)
def test_an_answer_of_a_cache_says_so(headers: tuple[tuple[str, str], ...], cached: bool) -> None:  # noqa: FBT001
    assert read_answer("openai.chat", PLAIN, b"{}", headers).cached is cached


def test_what_is_a_stream() -> None:
    assert is_stream("Text/Event-Stream;charset=utf-8", b"")
    assert not is_stream("application/json", b"data: x")
    assert is_stream("", b"\n data: x")
    assert not is_stream("", b"{}")
