"""Recorded model traffic for forgers: calls taken out, put in and rewritten, with all that goes with them if they want it.

What follows from a call (normalised request, model, parameters, usage, cost) is derived as the product derives it: an attentive
liar has the product too.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from tallystick.core.exact import to_num
from tallystick.records.base import UNSET
from tallystick.records.traffic.normal import normalise
from tallystick.records.traffic.rules import EMPTY_RULES
from tallystick.records.traffic.told import cost_in, model_and_params
from tallystick.records.traffic.usage import read_answer
from tallystick.suites.prices import load_prices
from tests.support.forge import Forgery
from tests.support.forge_json import copied, plain

__all__ = ["Tape"]

Call = dict[str, Any]
_TOLD: Final = ("request", "status", "answer", "complete")


@dataclass
class Tape:
    """The recording of one attempt of a forgery. Changes reach the journal with `retell`, and the totals with `recount`."""

    forgery: Forgery
    task: str
    attempt: int = 1

    @property
    def document(self) -> dict[str, Any]:
        return self.forgery.cassette(self.task, self.attempt)

    @property
    def calls(self) -> list[Call]:
        return self.document["calls"]

    @property
    def events(self) -> list[dict[str, Any]]:
        return self.forgery.receipt(self.task, self.attempt)["events"]

    @property
    def observed(self) -> dict[str, Any]:
        return self.forgery.result(self.task, self.attempt)["observed"]

    def body(self, number: int) -> bytes:
        said = self.calls[number]["body"]
        base = b"" if "base" not in said else self.body(said["base"])
        end = len(base) - said.get("suffix", 0)
        return base[: said.get("prefix", 0)] + self.forgery.blobs[said["part"]] + base[end:]

    def answer(self, number: int) -> Any:
        return json.loads(self.forgery.blobs[self.calls[number]["answer"]])

    def whole(self) -> None:
        """Keep every body whole, so that calls can change places."""
        for number, body in enumerate([self.body(number) for number in range(len(self.calls))]):
            self._put_body(self.calls[number], body)

    def _put_body(self, call: Call, body: bytes) -> None:
        digest = self.forgery.put(body)
        call["body"] = {"part": digest, "prefix": 0, "size": len(body), "suffix": 0, "whole": digest}

    def set_body(self, number: int, change: Callable[[Any], Any]) -> None:
        """Another request, and what follows from it. Bodies have to be whole."""
        said = json.loads(self.body(number))
        change(said)
        body, call = json.dumps(said).encode(), self.calls[number]
        self._put_body(call, body)
        model, params = model_and_params(call["api"], call["path"], body)
        call |= {"model": model, "params": [list(pair) for pair in params]}
        self.normalise(number)

    def normalise(self, number: int) -> None:
        call = self.calls[number]
        headers = tuple((name, value) for name, value in call["headers"])
        found = normalise(EMPTY_RULES, call["method"], call["path"], call["query"], headers, self.body(number))
        call["request"] = found.digest

    def set_answer(self, number: int, change: Callable[[Any], Any], *, follow: bool = True) -> None:
        """Another answer; with `follow` also what follows from it."""
        said = self.answer(number)
        change(said)
        self.put_answer(number, json.dumps(said).encode(), follow=follow)

    def put_answer(self, number: int, data: bytes, *, follow: bool = True) -> None:
        call = self.calls[number]
        call |= {"answer": self.forgery.put(data), "answer_bytes": len(data)}
        if follow:
            found = read_answer(call["api"], "application/json", data)
            usage = UNSET if found.usage is None else found.usage
            by = UNSET if found.model is None else found.model
            members = {
                "usage": usage if usage is UNSET else plain(usage),
                "answered_by": by,
                "cost_usd": cost_in(load_prices(None), usage, by, call.get("model", UNSET)),
            }
            for name, value in members.items():
                call.pop(name, None)
                if value is not UNSET:
                    call[name] = value

    def renumber(self) -> None:
        for number, call in enumerate(self.calls):
            call["call"] = number

    def retell(self) -> None:
        """Write the journal's calls anew, as the recording has them."""
        receipt = self.forgery.receipt(self.task, self.attempt)
        calls = [event for event in self.events if event["kind"].startswith("model.")]
        at = (
            self.events.index(calls[0])
            if calls
            else next(place for place, event in enumerate(self.events) if event["kind"] == "agent.end")
        )
        told = []
        for call in self.calls:
            event = {name: call[name] for name in _TOLD} | {"call": call["call"], "kind": "model.other", "seq": 0}
            if call["api"] != "other":
                event |= {"api": call["api"], "kind": "model.call"}
            told.append(event)
        events = [*self.events[:at], *told, *itertools.islice(self.events, at + len(calls), None)]
        receipt["events"] = [event | {"seq": place} for place, event in enumerate(events)]

    def recount(self) -> None:
        """State what the recording adds up to, here and in the totals."""
        calls = [call for call in self.calls if call["api"] != "other"]
        used = [call["usage"] for call in calls if "usage" in call]
        self.observed.update(
            calls=len(calls),
            input_tokens=sum(one["input"] for one in used),
            output_tokens=sum(one["output"] for one in used),
            cost_usd=to_num(sum((Fraction(call["cost_usd"]) for call in calls if "cost_usd" in call), Fraction(0))),
        )
        self.forgery.recount()

    def follow(self) -> None:
        """Journal and totals as the recording has them."""
        self.renumber()
        self.retell()
        self.recount()

    def copy_from(self, other: Tape) -> None:
        """Have a recording of its own, with the same calls as another attempt."""
        own = self.forgery.put(f"recording of {self.task} {self.attempt}".encode())
        self.forgery.open_as(own, copied(other.document))
        self.forgery.link(self.task, self.attempt, "cassette")["digest"] = own
