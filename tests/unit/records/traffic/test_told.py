"""What a call says of itself, of requests and answers that nobody means."""

import json

import pytest

from tallystick.core.exact import MAX_INT
from tallystick.records.base import UNSET
from tallystick.records.traffic.cassette import Usage
from tallystick.records.traffic.prices import Price, PriceTable
from tallystick.records.traffic.told import cost_in, model_and_params

CHAT = "/v1/chat/completions"
PRICES = PriceTable(name="tests", as_of="2026-11-01", prices=(Price(model="m", input=1, output=2),))


def test_a_body_that_is_compared_as_text_still_tells_its_model() -> None:
    """More values than are compared as JSON, and fewer than are read."""
    body = json.dumps({"model": "m", "n": 2, "messages": [0] * 300_000}).encode()
    assert model_and_params("openai.chat", CHAT, body) == ("m", (("n", "2"),))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"model":1}', b'{"model":"\\ud800"}', b'{"model":"a\\udc00b"}'])
def test_what_tells_no_model(body: bytes) -> None:
    assert model_and_params("openai.chat", CHAT, body) == (UNSET, ())


def test_the_model_that_answered_goes_before_the_one_that_was_asked_for() -> None:
    usage = Usage(input=1_000_000, output=0)
    assert cost_in(PRICES, usage, "m", "unknown") == cost_in(PRICES, usage, "unknown", "m") == 1
    assert cost_in(PRICES, usage, "unknown", UNSET) is UNSET
    assert cost_in(None, usage, "m", "m") is cost_in(PRICES, UNSET, "m", "m") is UNSET


def test_a_cost_that_no_document_can_hold_is_none() -> None:
    assert cost_in(PRICES, Usage(input=MAX_INT // 8, output=0), "m", UNSET) is UNSET
