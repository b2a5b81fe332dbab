"""The providers' own client libraries use the gateway as if it were the provider; what they did is recorded, and replayed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anthropic
import openai
import pytest
from google import genai
from google.genai import types

from tallystick.recording.gateway import Traffic
from tests.unit.recording.gateway.conftest import KEY, TOKEN, Attempt, Bench, MakeBench

ASK: Any = [{"role": "user", "content": "Fix calc.py"}]
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PARAMETERS = {"type": "object", "properties": {"command": {"type": "string"}}}
CHAT_TOOLS: Any = [{"type": "function", "function": {"name": "bash", "parameters": PARAMETERS}}]
RESPONSE_TOOLS: Any = [{"type": "function", "name": "bash", "parameters": PARAMETERS, "strict": False}]
MESSAGE_TOOLS: Any = [{"name": "bash", "input_schema": PARAMETERS}]


def openai_client(attempt: Attempt, **options: Any) -> openai.OpenAI:
    return openai.OpenAI(api_key=TOKEN, base_url=f"{attempt.url}/v1", **options)


def anthropic_client(attempt: Attempt, **options: Any) -> anthropic.Anthropic:
    return anthropic.Anthropic(api_key=TOKEN, base_url=attempt.url, **options)


def genai_client(attempt: Attempt) -> genai.Client:
    return genai.Client(api_key=TOKEN, vertexai=False, http_options=types.HttpOptions(base_url=attempt.url))


def chat(attempt: Attempt) -> Any:
    with openai_client(attempt) as client:
        answer = client.chat.completions.create(model="scripted", messages=ASK, tools=CHAT_TOOLS, temperature=0.5)
        call = answer.choices[0].message.tool_calls[0]  # type: ignore[index]
        told = [*ASK, answer.choices[0].message, {"role": "tool", "tool_call_id": call.id, "content": "calc.py"}]
        return answer, client.chat.completions.create(model="scripted", messages=told, tools=CHAT_TOOLS)


def chat_streamed(attempt: Attempt) -> Any:
    with openai_client(attempt) as client:
        options: Any = {"include_usage": True}
        return list(client.chat.completions.create(model="scripted", messages=ASK, stream=True, stream_options=options))


def chat_with_image(attempt: Attempt) -> Any:
    url = f"data:image/png;base64,{PIXEL}"
    content: Any = [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url": url}}]
    with openai_client(attempt) as client:
        return client.chat.completions.create(model="scripted", messages=[{"role": "user", "content": content}])


def responses(attempt: Attempt) -> Any:
    with openai_client(attempt) as client:
        return client.responses.create(model="scripted", input="Fix calc.py", tools=RESPONSE_TOOLS)


def responses_streamed(attempt: Attempt) -> Any:
    with openai_client(attempt) as client:
        return list(client.responses.create(model="scripted", input="Fix calc.py", tools=RESPONSE_TOOLS, stream=True))


def messages(attempt: Attempt) -> Any:
    with anthropic_client(attempt) as client:
        return client.messages.create(model="scripted", max_tokens=100, messages=ASK, tools=MESSAGE_TOOLS)


def messages_streamed(attempt: Attempt) -> Any:
    options: Any = {"model": "scripted", "max_tokens": 100, "messages": ASK, "tools": MESSAGE_TOOLS}
    with anthropic_client(attempt) as client, client.messages.stream(**options) as stream:
        return stream.get_final_message()


def messages_with_image(attempt: Attempt) -> Any:
    source: Any = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    content: Any = [{"type": "image", "source": source}, {"type": "text", "text": "What is this?"}]
    with anthropic_client(attempt) as client:
        return client.messages.create(model="scripted", max_tokens=100, messages=[{"role": "user", "content": content}])


def count_tokens(attempt: Attempt) -> Any:
    with anthropic_client(attempt) as client:
        return client.messages.count_tokens(model="scripted", messages=ASK)


def models(attempt: Attempt) -> Any:
    with openai_client(attempt) as client:
        return list(client.models.list())


def generate(attempt: Attempt) -> Any:
    declared = types.FunctionDeclaration(name="bash", parameters_json_schema=PARAMETERS)
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declared])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    with genai_client(attempt) as client:
        answer = client.models.generate_content(model="scripted", contents="Fix calc.py", config=config)
        return answer.function_calls


def generate_streamed(attempt: Attempt) -> Any:
    with genai_client(attempt) as client:
        return [chunk.text for chunk in client.models.generate_content_stream(model="scripted", contents="Fix calc.py")]


USES: list[tuple[Callable[[Attempt], Any], str, bool]] = [
    (chat, "openai.chat", False),
    (chat_streamed, "openai.chat", True),
    (chat_with_image, "openai.chat", False),
    (responses, "openai.responses", False),
    (responses_streamed, "openai.responses", True),
    (messages, "anthropic.messages", False),
    (messages_streamed, "anthropic.messages", True),
    (messages_with_image, "anthropic.messages", False),
    (count_tokens, "other", False),
    (models, "other", False),
    (generate, "google.generate", False),
    (generate_streamed, "google.generate", True),
]


@pytest.mark.parametrize(("use", "api", "streamed"), USES, ids=lambda value: getattr(value, "__name__", None))
def test_a_client_is_recorded_and_replayed(
    bench: MakeBench, use: Callable[[Attempt], Any], api: str, *, streamed: bool
) -> None:
    one = bench()
    live = one.open()
    answer = use(live)
    traffic = live.close()
    call = cassette_of(traffic).calls[0]
    assert (call.api, call.status, call.complete, call.streamed) == (api, 200, True, streamed)
    if api != "other":
        assert (traffic.usage.input, traffic.usage.output) == (100, 10) if len(traffic.events) == 1 else (201, 20)
        assert traffic.cost_usd
    assert (traffic.problems, traffic.failure, traffic.divergence) == ((), None, None)
    assert live.turns.ticks == len(traffic.events)
    assert_same_again(one, traffic, use, answer)


def assert_same_again(one: Bench, traffic: Traffic, use: Callable[[Attempt], Any], answer: Any) -> None:
    """Replayed, a client gets the same answers, the journal is the same, and nobody is called."""
    accepts = one.provider.accepts
    again = one.replay(traffic)
    assert use(again) == answer
    replayed = again.close()
    assert replayed.events == traffic.events
    assert (replayed.cassette, replayed.usage, replayed.cost_usd) == (traffic.cassette, traffic.usage, traffic.cost_usd)
    assert (replayed.divergence, replayed.problems, replayed.spans) == (None, (), 0)
    assert one.provider.accepts == accepts


def cassette_of(traffic: Traffic) -> Any:
    assert traffic.cassette is not None
    return traffic.cassette


def test_replay_alone_has_nothing_to_call_with(bench: MakeBench) -> None:
    one = bench()
    live = one.open()
    answer = chat(live)
    traffic = live.close()
    one.gateway = None  # a gateway in which no attempt is live
    accepts = one.provider.accepts
    again = one.replay(traffic)
    assert chat(again) == answer
    assert one.gateway is not None
    assert not one.gateway.calls_providers  # type: ignore[unreachable]
    assert one.provider.accepts == accepts


def test_the_real_key_is_put_in_and_kept_out(bench: MakeBench) -> None:
    one = bench()
    live = one.open()
    chat(live)
    messages(live)
    generate(live)
    traffic = live.close()
    headers = [seen.headers for seen in one.provider.seen]
    assert headers[0]["authorization"] == f"Bearer {KEY}"
    assert headers[2]["x-api-key"] == KEY
    assert headers[3]["x-goog-api-key"] == KEY
    assert not any(TOKEN in str(seen) for seen in one.provider.seen)
    assert {seen["accept-encoding"] for seen in headers} == {"identity"}
    one.store.flush()
    kept = b"".join(path.read_bytes() for path in one.store._folder.rglob("*") if path.is_file()) + repr(traffic).encode()
    assert KEY.encode() not in kept
    assert TOKEN.encode() not in kept


def test_clients_try_again_and_the_replay_does_not_wait(bench: MakeBench) -> None:
    """429 with a time to wait, then 503: the client's own retries, marked; replayed without the wait."""
    one = bench(faults={0: "429", 1: "503"})
    live = one.open()
    with openai_client(live, max_retries=3) as client:
        answer = client.chat.completions.create(model="scripted", messages=ASK)
    traffic = live.close()
    calls = cassette_of(traffic).calls
    assert [call.status for call in calls] == [429, 503, 200]
    assert [call.retry_of for call in calls[1:]] == [0, 1]
    assert (traffic.failure, traffic.usage.output) == (None, 10)

    def use(attempt: Attempt) -> Any:
        with openai_client(attempt, max_retries=3) as client:
            return client.chat.completions.create(model="scripted", messages=ASK)

    assert_same_again(one, traffic, use, answer)


def test_a_last_call_that_failed_is_the_failure_of_the_attempt(bench: MakeBench) -> None:
    one = bench(faults={0: "503"})
    live = one.open()
    with openai_client(live, max_retries=0) as client, pytest.raises(openai.InternalServerError):
        client.chat.completions.create(model="scripted", messages=ASK)
    assert live.close().failure == "call 0: the provider answered 503"


def test_errors_of_the_provider_reach_the_agent_as_they_are(bench: MakeBench) -> None:
    one = bench()
    live = one.open()
    with openai_client(live) as client, pytest.raises(openai.NotFoundError, match="not found"):
        client.images.generate(model="scripted", prompt="a cat")
    assert [event.members["status"] for event in live.close().events] == [404]


def test_params_and_models_are_read_from_the_wire(bench: MakeBench) -> None:
    live = bench().open()
    chat(live)
    call = cassette_of(live.close()).calls[0]
    assert (call.model, call.answered_by) == ("scripted", "scripted")
    assert ("temperature", "0.5") in call.params
    assert json.loads(str(call.cost_usd)) == 0.00012
