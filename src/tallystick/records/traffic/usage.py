"""What a provider says in its answer: tokens, the model that answered, the answer's name, and whether a cache gave it.

| | input | output | cache_read | cache_write | reasoning |
|---|---|---|---|---|---|
| Chat Completions | prompt_tokens | completion_tokens | ..._details.cached_tokens | | ..._details.reasoning_tokens |
| Responses | input_tokens | output_tokens | ..._details.cached_tokens | | ..._details.reasoning_tokens |
| Messages | input_tokens + both caches | output_tokens | cache_read_input_tokens | cache_creation_input_tokens | |
| generateContent | prompt... + toolUsePrompt... | candidates... + thoughts... | cachedContent... | | thoughts... |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from tallystick.core.exact import MAX_INT
from tallystick.records.traffic.answers import parts_of
from tallystick.records.traffic.cassette import Api, Usage

__all__ = ["CACHE_HEADERS", "Answered", "from_cache", "read_answer"]

_NAME_CHARS: Final = 256
CACHE_HEADERS: Final = ("cf-aig-cache-status", "helicone-cache", "x-cache", "x-litellm-cache-hit", "x-portkey-cache-status")
"""Response caches between the gateway and a model: a hit is no second attempt at anything."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What an answer says of itself; None where it does not. `cached`: another answer was given again."""

    usage: Usage | None = None
    model: str | None = None
    answer_id: str | None = None
    cached: bool = False


def read_answer(api: Api, content_type: str, data: bytes, headers: Iterable[tuple[str, str]] = ()) -> Answered:
    """Read the body of an answer, streamed or not; what is malformed says nothing. `headers` only tell of caches."""
    found = _Found()
    reader = _READERS.get(api)
    if reader is not None:
        for part in parts_of(content_type, data):
            reader(part, found)
    usage = _USAGES[api](found.usage) if reader is not None and found.usage else None
    return Answered(usage, found.model, found.answer_id, from_cache(headers))


class _Found:
    """Gathers over the parts of a stream: the last word on usage counts, the first on names."""

    def __init__(self) -> None:
        self.usage: dict[str, Any] = {}
        self.model: str | None = None
        self.answer_id: str | None = None

    def take(self, usage: object, model: object, answer_id: object) -> None:
        if isinstance(usage, dict):
            self.usage |= {name: value for name, value in usage.items() if value is not None}
        self.model = self.model or _name(model)
        self.answer_id = self.answer_id or _name(answer_id)


def _name(value: object) -> str | None:
    return value[:_NAME_CHARS] if isinstance(value, str) and value else None


def _chat(part: dict[str, Any], found: _Found) -> None:
    found.take(part.get("usage"), part.get("model"), part.get("id"))


def _responses(part: dict[str, Any], found: _Found) -> None:
    inner = part.get("response")
    body = inner if isinstance(inner, dict) else part if part.get("object") == "response" else {}
    found.take(body.get("usage"), body.get("model"), body.get("id"))


def _messages(part: dict[str, Any], found: _Found) -> None:
    inner = part.get("message")
    if part.get("type") == "message_start" and isinstance(inner, dict):
        part = inner
    found.take(part.get("usage"), part.get("model"), part.get("id"))


def _generate(part: dict[str, Any], found: _Found) -> None:
    found.take(part.get("usageMetadata"), part.get("modelVersion"), part.get("responseId"))


_READERS: Final[dict[Api, Callable[[dict[str, Any], _Found], None]]] = {
    "openai.chat": _chat,
    "openai.responses": _responses,
    "anthropic.messages": _messages,
    "google.generate": _generate,
}


def _count(usage: object, *names: str) -> int:
    """A count at a path of members; 0 where there is none."""
    for name in names:
        usage = usage.get(name) if isinstance(usage, dict) else None
    return usage if type(usage) is int and 0 <= usage <= MAX_INT // 8 else 0


def _openai(asked: str, answered: str) -> Callable[[dict[str, Any]], Usage]:
    def usage_of(usage: dict[str, Any]) -> Usage:
        return Usage(
            input=_count(usage, asked),
            output=_count(usage, answered),
            cache_read=_count(usage, f"{asked}_details", "cached_tokens"),
            reasoning=_count(usage, f"{answered}_details", "reasoning_tokens"),
        )

    return usage_of


def _anthropic(usage: dict[str, Any]) -> Usage:
    read, write = _count(usage, "cache_read_input_tokens"), _count(usage, "cache_creation_input_tokens")
    return Usage(
        input=_count(usage, "input_tokens") + read + write,
        output=_count(usage, "output_tokens"),
        cache_read=read,
        cache_write=write,
    )


def _google(usage: dict[str, Any]) -> Usage:
    thoughts = _count(usage, "thoughtsTokenCount")
    return Usage(
        input=_count(usage, "promptTokenCount") + _count(usage, "toolUsePromptTokenCount"),
        output=_count(usage, "candidatesTokenCount") + thoughts,
        cache_read=_count(usage, "cachedContentTokenCount"),
        reasoning=thoughts,
    )


_USAGES: Final[dict[Api, Callable[[dict[str, Any]], Usage]]] = {
    "openai.chat": _openai("prompt_tokens", "completion_tokens"),
    "openai.responses": _openai("input_tokens", "output_tokens"),
    "anthropic.messages": _anthropic,
    "google.generate": _google,
}


def from_cache(headers: Iterable[tuple[str, str]]) -> bool:
    """Whether header fields of an answer say that a response cache gave it."""
    return any(name.lower() in CACHE_HEADERS and value.strip().lower().startswith(("hit", "true")) for name, value in headers)
