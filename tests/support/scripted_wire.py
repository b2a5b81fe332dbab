"""How a scripted answer looks on the wire of each interface: one document, or the events of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.scripted_brain import Reply, reply

__all__ = ["Event", "Spoken", "chat", "generate", "messages", "responses"]

CREATED = 1_700_000_000
Event = tuple[str | None, Any]
"""Name of a server-sent event, or None, and its data."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """An answer as a document and as events; the client asked for the one or the other."""

    document: Any
    events: tuple[Event, ...]
    streams: bool


def _pieces(text: str, size: int = 17) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)] or [""]


def chat(script: str, body: Mapping[str, Any], number: int) -> Spoken:
    """OpenAI Chat Completions."""
    tools = [tool["function"]["name"] for tool in body.get("tools") or [] if "function" in tool]
    turn = sum(1 for message in body["messages"] if message["role"] == "assistant" and message.get("tool_calls"))
    said = reply(script, tools, turn, json.dumps(body["messages"]))
    base = {"id": f"chatcmpl-{number}", "created": CREATED, "model": body.get("model", "scripted")}
    usage = {"prompt_tokens": 100 + turn, "completion_tokens": 10, "total_tokens": 110 + turn}
    calls = [
        {"id": f"call_{number}_{at}", "type": "function", "function": {"name": call.name, "arguments": call.text}}
        for at, call in enumerate(said.calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": said.text}
    if calls:
        message["tool_calls"] = calls
    finish = "tool_calls" if calls else "stop"
    choice = {"index": 0, "finish_reason": finish, "message": message}
    document = {**base, "object": "chat.completion", "usage": usage, "choices": [choice]}

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> Event:
        choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
        return None, {**base, "object": "chat.completion.chunk", "choices": choices}

    events = [chunk({"role": "assistant", "content": ""}), *(chunk({"content": piece}) for piece in _pieces(said.text))]
    for at, call in enumerate(calls):
        start = {"index": at, "id": call["id"], "type": "function", "function": {"name": said.calls[at].name, "arguments": ""}}
        events.append(chunk({"tool_calls": [start]}))
        events += [
            chunk({"tool_calls": [{"index": at, "function": {"arguments": piece}}]}) for piece in _pieces(said.calls[at].text)
        ]
    events.append(chunk({}, finish))
    if (body.get("stream_options") or {}).get("include_usage"):
        events.append((None, {**base, "object": "chat.completion.chunk", "choices": [], "usage": usage}))
    events.append((None, "[DONE]"))
    return Spoken(document, tuple(events), bool(body.get("stream")))


def responses(script: str, body: Mapping[str, Any], number: int) -> Spoken:
    """OpenAI Responses."""
    given = (
        body["input"] if isinstance(body["input"], list) else [{"type": "message", "role": "user", "content": body["input"]}]
    )
    tools = [tool.get("name") or tool.get("type") for tool in body.get("tools") or []]
    kinds = [item.get("type") in {"function_call", "local_shell_call"} for item in given]
    turn = sum(1 for before, kind in zip([False, *kinds], kinds, strict=False) if kind and not before)
    said = reply(script, tools, turn, json.dumps(given))
    output = list(_response_items(said, number))
    usage = {
        "input_tokens": 100 + turn,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 110 + turn,
    }
    document = {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": CREATED,
        "model": body.get("model", "scripted"),
        "status": "completed",
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "temperature": 1,
        "top_p": 1,
        "usage": usage,
    }
    begun = {**document, "status": "in_progress", "output": [], "usage": None}
    events = [{"type": "response.created", "response": begun}, *_response_events(output)]
    events.append({"type": "response.completed", "response": document})
    numbered = tuple((event["type"], {**event, "sequence_number": at}) for at, event in enumerate(events))
    return Spoken(document, numbered, bool(body.get("stream")))


def _response_items(said: Reply, number: int) -> Iterator[dict[str, Any]]:
    if not said.calls:
        text = {"type": "output_text", "text": said.text, "annotations": []}
        yield {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed", "content": [text]}
    for at, call in enumerate(said.calls):
        names = {"id": f"fc_{number}_{at}", "call_id": f"call_{number}_{at}", "name": call.name}
        yield {"type": "function_call", **names, "arguments": call.text, "status": "completed"}


def _response_events(output: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for at, item in enumerate(output):
        place = {"item_id": item["id"], "output_index": at}
        if item["type"] == "message":
            text, part = item["content"][0]["text"], {"content_index": 0}
            empty = {"type": "output_text", "text": "", "annotations": []}
            yield {
                "type": "response.output_item.added",
                "output_index": at,
                "item": {**item, "status": "in_progress", "content": []},
            }
            yield {"type": "response.content_part.added", **place, **part, "part": empty}
            for piece in _pieces(text):
                yield {"type": "response.output_text.delta", **place, **part, "delta": piece, "logprobs": []}
            yield {"type": "response.output_text.done", **place, **part, "text": text, "logprobs": []}
            yield {"type": "response.content_part.done", **place, **part, "part": item["content"][0]}
        else:
            added = {**item, "status": "in_progress", "arguments": ""}
            yield {"type": "response.output_item.added", "output_index": at, "item": added}
            for piece in _pieces(item["arguments"]):
                yield {"type": "response.function_call_arguments.delta", **place, "delta": piece}
            done = {"name": item["name"], "arguments": item["arguments"]}
            yield {"type": "response.function_call_arguments.done", **place, **done}
        yield {"type": "response.output_item.done", "output_index": at, "item": item}


def messages(script: str, body: Mapping[str, Any], number: int) -> Spoken:
    """Anthropic Messages."""
    tools = [tool["name"] for tool in body.get("tools") or []]
    lists = [message["content"] for message in body["messages"] if message["role"] == "assistant"]
    turn = sum(1 for content in lists if isinstance(content, list) and any(part["type"] == "tool_use" for part in content))
    said = reply(script, tools, turn, json.dumps(body["messages"]))
    content: list[dict[str, Any]] = [{"type": "text", "text": said.text}]
    content += [
        {"type": "tool_use", "id": f"toolu_{number}_{at}", "name": call.name, "input": dict(call.arguments)}
        for at, call in enumerate(said.calls)
    ]
    usage = {"input_tokens": 100 + turn, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    stop = {"stop_reason": "tool_use" if said.calls else "end_turn", "stop_sequence": None}
    head = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body["model"]}
    document = {**head, "content": content, **stop, "usage": usage}
    begun = {**document, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
    for at, part in enumerate(content):
        events += _block_events(at, part)
    events += [{"type": "message_delta", "delta": stop, "usage": {"output_tokens": 10}}, {"type": "message_stop"}]
    return Spoken(document, tuple((event["type"], event) for event in events), bool(body.get("stream")))


def _block_events(at: int, part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    is_text = part["type"] == "text"
    empty = {"type": "text", "text": ""} if is_text else {**part, "input": {}}
    yield {"type": "content_block_start", "index": at, "content_block": empty}
    for piece in _pieces(part["text"] if is_text else json.dumps(part["input"])):
        delta = {"type": "text_delta", "text": piece} if is_text else {"type": "input_json_delta", "partial_json": piece}
        yield {"type": "content_block_delta", "index": at, "delta": delta}
    yield {"type": "content_block_stop", "index": at}


def generate(script: str, body: Mapping[str, Any], number: int, *, streams: bool) -> Spoken:
    """Google generateContent and streamGenerateContent."""
    tools = [declared["name"] for tool in body.get("tools") or [] for declared in tool.get("functionDeclarations") or []]
    models = [content for content in body["contents"] if content.get("role") == "model"]
    turn = sum(1 for content in models if any("functionCall" in part for part in content["parts"]))
    said = reply(script, tools, turn, json.dumps(body["contents"]))
    text = said.text
    if not said.calls and (body.get("generationConfig") or {}).get("responseMimeType") == "application/json":
        text = json.dumps(
            {"reasoning": "simple", "complexity_reasoning": "simple", "complexity_score": 10, "model_choice": "flash"}
        )
    parts: list[dict[str, Any]] = [{"functionCall": {"name": call.name, "args": dict(call.arguments)}} for call in said.calls]
    content = {"role": "model", "parts": parts or [{"text": text}]}
    document = {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 100 + turn, "candidatesTokenCount": 10, "totalTokenCount": 110 + turn},
        "modelVersion": "scripted",
        "responseId": f"r{number}",
    }
    return Spoken(document, ((None, document),), streams)
