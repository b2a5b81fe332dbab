"""Which interface, provider, model and parameters a request has."""

import json
from typing import Any

import pytest

from tallystick.records.traffic.apis import api_of, model_of, params_of, provider_of
from tallystick.records.traffic.cassette import Api
from tallystick.records.traffic.foreign import read_json


@pytest.mark.parametrize(
    ("method", "path", "api", "provider"),
    [
        ("POST", "/v1/chat/completions", "openai.chat", "openai"),
        ("POST", "/openai/deployments/x/chat/completions", "openai.chat", "openai"),
        ("POST", "/v1/responses", "openai.responses", "openai"),
        ("POST", "/v1/messages", "anthropic.messages", "anthropic"),
        ("POST", "/v1beta/models/gemini-2.5-pro:generateContent", "google.generate", "google"),
        ("POST", "/v1beta/models/gemini-2.5-pro:streamGenerateContent", "google.generate", "google"),
        ("GET", "/v1/messages", "other", "anthropic"),
        ("POST", "/v1/messages/count_tokens", "other", "anthropic"),
        ("POST", "/v1beta/models/gemini-2.5-pro:countTokens", "other", "google"),
        ("GET", "/v1beta/models", "other", None),
        ("GET", "/v1beta/models/x", "other", "google"),
        ("GET", "/v1/models", "other", "openai"),
        ("DELETE", "/v1/responses/resp_1", "other", "openai"),
        ("HEAD", "/", "other", None),
        ("POST", "/v1/embeddings", "other", "openai"),
    ],
)
def test_calls_and_whose_they_are(method: str, path: str, api: Api, provider: str | None) -> None:
    assert api_of(method, path) == api
    assert provider_of(api, path) == (provider or ("google" if "v1beta" in path else None))


def of(body: Any) -> Any:
    return read_json(json.dumps(body).encode())


@pytest.mark.parametrize(
    ("api", "path", "body", "model"),
    [
        ("openai.chat", "/v1/chat/completions", {"model": "m"}, "m"),
        ("google.generate", "/v1beta/models/g-2.5:generateContent", {"model": "other"}, "g-2.5"),
        ("google.generate", "/v1beta/x:generateContent", {}, None),
        ("openai.chat", "/", {"model": 1}, None),
        ("openai.chat", "/", {"model": ""}, None),
        ("openai.chat", "/", [], None),
        ("other", "/", {"model": "m"}, None),
        ("anthropic.messages", "/", {"model": "m" * 999}, "m" * 256),
        ("openai.chat", "/", {"model": "\ud800"}, None),
    ],
)
def test_the_model_that_is_asked(api: Api, path: str, body: Any, model: str | None) -> None:
    assert model_of(api, path, of(body)) == model


def test_parameters_are_sorted_json_texts() -> None:
    body = {"temperature": 0.5, "max_tokens": 10, "messages": [], "tool_choice": {"type": "auto"}, "stream": True, "seed": None}
    assert params_of("openai.chat", of(body)) == (
        ("max_tokens", "10"),
        ("seed", "null"),
        ("stream", "true"),
        ("temperature", "0.5"),
        ("tool_choice", '{"type":"auto"}'),
    )
    google = {"generationConfig": {"temperature": 1, "thinkingConfig": {"a": 1}}, "toolConfig": {}, "contents": []}
    assert [name for name, _ in params_of("google.generate", of(google))] == [
        "generationConfig.temperature",
        "generationConfig.thinkingConfig",
        "toolConfig",
    ]


def test_a_name_that_is_no_text_is_left_out() -> None:
    body = {"generationConfig": {"\ud800": 1, "seed": 1}, "toolConfig": {"a": "\udfff"}}
    assert params_of("google.generate", of(body)) == (("generationConfig.seed", "1"), ("toolConfig", '{"a":"\\udfff"}'))


def test_parameters_are_bounded() -> None:
    found = params_of("openai.chat", of({"response_format": "x" * 9999}))
    assert len(found[0][1]) == 4096
    assert found[0][1].endswith("…")
    many = params_of("google.generate", of({"generationConfig": {str(n): n for n in range(999)}}))
    assert len(many) <= 64
    assert params_of("google.generate", of({"generationConfig": 1, "safetySettings": []})) == (("safetySettings", "[]"),)
    assert params_of("openai.chat", of([])) == ()
    assert params_of("other", of({"temperature": 1})) == ()
