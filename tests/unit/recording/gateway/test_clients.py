"""The providers' own client libraries use the gateway as if it were the provider; what they did is recorded, and replayed."""

from __future__ import annotations

import openai

from tests.unit.recording.gateway.conftest import TOKEN, MakeBench

ASK = [{"role": "user", "content": "Fix calc.py"}]


def test_openai_chat(bench: MakeBench) -> None:
    one = bench()
    live = one.open()
    with openai.OpenAI(api_key=TOKEN, base_url=f"{live.url}/v1") as client:
        answer = client.chat.completions.create(model="scripted", messages=ASK)
    assert answer.choices[0].message.content == "Fix calc"
    traffic = live.close()
    print(traffic)
    again = one.replay(traffic)
    with openai.OpenAI(api_key=TOKEN, base_url=f"{again.url}/v1") as client:
        assert client.chat.completions.create(model="scripted", messages=ASK) == answer
    replayed = again.close()
    assert replayed.events == traffic.events
    assert one.provider.accepts == 1
