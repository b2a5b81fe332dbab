"""What a request asks: which interface, which provider, which model, with which parameters."""

from __future__ import annotations

import re
from typing import Final, Literal, get_args

from tallystick.records.traffic.cassette import Api, Pairs
from tallystick.records.traffic.foreign import JsonValue, write_json

__all__ = ["PROVIDERS", "Provider", "api_of", "model_of", "params_of", "provider_of"]

Provider = Literal["openai", "anthropic", "google"]
PROVIDERS: Final[tuple[Provider, ...]] = get_args(Provider)

_ENDINGS: Final[tuple[tuple[str, Api], ...]] = (
    ("/chat/completions", "openai.chat"),
    ("/responses", "openai.responses"),
    ("/messages", "anthropic.messages"),
    (":generateContent", "google.generate"),
    (":streamGenerateContent", "google.generate"),
)
_OF_API: Final[dict[Api, Provider]] = {
    "openai.chat": "openai",
    "openai.responses": "openai",
    "anthropic.messages": "anthropic",
    "google.generate": "google",
}
_GOOGLE: Final = re.compile(r"/v1(?:alpha|beta)\d?/|:[A-Za-z]+$").search
_ANTHROPIC: Final = re.compile(r"/v1/(?:messages|organizations|complete)(?:/|$)").search
_MODEL_IN_PATH: Final = re.compile(r"/(?:models|tunedModels)/([^/:]+):[A-Za-z]+$").search

_MODEL_CHARS: Final = 256
_VALUE_CHARS: Final = 4096
_PARAMS: Final[dict[Api, tuple[str, ...]]] = {
    "openai.chat": (
        *("frequency_penalty", "logit_bias", "logprobs", "max_completion_tokens", "max_tokens", "modalities", "n"),
        *("parallel_tool_calls", "presence_penalty", "reasoning_effort", "response_format", "seed", "service_tier", "stop"),
        *("stream", "temperature", "tool_choice", "top_logprobs", "top_p", "verbosity"),
    ),
    "openai.responses": (
        *("background", "include", "max_output_tokens", "max_tool_calls", "parallel_tool_calls", "reasoning", "service_tier"),
        *("store", "stream", "temperature", "text", "tool_choice", "top_logprobs", "top_p", "truncation"),
    ),
    "anthropic.messages": (
        *("context_management", "max_tokens", "output_config", "service_tier", "stop_sequences", "stream", "temperature"),
        *("thinking", "tool_choice", "top_k", "top_p"),
    ),
    "google.generate": ("generationConfig", "safetySettings", "toolConfig"),
    "other": (),
}


def api_of(method: str, path: str) -> Api:
    """The interface of a call, by the end of its path, so that gateways below a prefix and Azure's paths are known too."""
    if method == "POST":
        for ending, api in _ENDINGS:
            if path.endswith(ending):
                return api
    return "other"


def provider_of(api: Api, path: str) -> Provider | None:
    """Whose interface a call speaks. A call that asks no model is told by its path; None where the path does not tell."""
    if api != "other":
        return _OF_API[api]
    if _GOOGLE(path):
        return "google"
    if _ANTHROPIC(path):
        return "anthropic"
    return "openai" if path.startswith("/v1/") else None


def model_of(api: Api, path: str, body: JsonValue) -> str | None:
    """The model that a call asks for, or None."""
    if api == "google.generate":
        found = _MODEL_IN_PATH(path)
        return found[1][:_MODEL_CHARS] if found else None
    model = body.get("model") if isinstance(body, dict) and api != "other" else None
    return model[:_MODEL_CHARS] if isinstance(model, str) and model and _is_text(model[:_MODEL_CHARS]) else None


def params_of(api: Api, body: JsonValue) -> Pairs:
    """The parameters of a call that change its answer, sorted by name, values as JSON text. Too long ones are cut, with `…`.

    A name that is no Unicode text (JSON can escape one half of a pair) is left out, as such a model is: no document holds it.
    """
    if not isinstance(body, dict):
        return ()
    found: dict[str, JsonValue] = {name: body[name] for name in _PARAMS[api] if name in body}
    config = found.pop("generationConfig", None)
    if isinstance(config, dict):
        found |= {
            f"generationConfig.{name}"[:_MODEL_CHARS]: value for name, value in list(config.items())[:40] if _is_text(name)
        }
    return tuple((name, _cut(write_json(value))) for name, value in sorted(found.items()))


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _cut(text: str) -> str:
    return text if len(text) <= _VALUE_CHARS else text[: _VALUE_CHARS - 1] + "…"
