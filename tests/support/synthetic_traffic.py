"""Recorded runs in memory: attempts that asked a model, with everything that follows from it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from tallystick.core.digest import Digest
from tallystick.records.base import UNSET, digest_of
from tallystick.records.blobs import MemoryBlobs
from tallystick.records.bundle import Observed
from tallystick.records.evidence import Agent, Config
from tallystick.records.traffic.apis import api_of
from tallystick.records.traffic.bodies import Bodies
from tallystick.records.traffic.cassette import Call, Cassette
from tallystick.records.traffic.normal import normalise
from tallystick.records.traffic.prices import Price, PriceTable
from tallystick.records.traffic.retries import retries
from tallystick.records.traffic.rules import EMPTY_RULES, RuleSet
from tallystick.records.traffic.told import cost_in, model_and_params
from tallystick.records.traffic.totals import totals_of
from tallystick.records.traffic.usage import read_answer
from tallystick.verify.ports import VerifyOptions
from tests.support import synthetic as s

__all__ = ["ASKING", "CONFIG", "KNOWN", "PRICES", "Talk", "observe", "recorded_run"]

PRICES: Final = PriceTable(name="tiny", as_of="2026-01-01", prices=(Price(model="m", input=2, output=10),))
RULES: Final = digest_of(EMPTY_RULES)
ASKING: Final = Agent(adapter="command", name="asking", self_test=False, argv=("asking",), model="m", rules=RULES)
CONFIG: Final = Config(sandbox="bwrap", network="gateway", policy="v1", recording="cassette", prices=digest_of(PRICES))
KNOWN: Final[dict[str, Any]] = {"rules": {RULES: EMPTY_RULES}, "prices": {digest_of(PRICES): PRICES}}
"""What the reader has, as members of `VerifyOptions`."""

CHAT: Final = "/v1/chat/completions"


@dataclass
class Talk:
    """The calls of one attempt, as a gateway would keep them. `name` makes its answers its own."""

    name: str
    blobs: MemoryBlobs
    rules: RuleSet = EMPTY_RULES
    calls: list[Call] = field(default_factory=list)
    _bodies: Bodies = field(default_factory=Bodies)

    def ask(self, text: str, status: int = 200, *, path: str = CHAT, answer: bytes | None = None) -> None:
        """One call; a repeated text is a repeated request."""
        body = json.dumps({"messages": [{"content": text, "role": "user"}], "model": "m", "pad": "x" * 400}).encode()
        told, part = self._bodies.cut(body)
        self.blobs.put(part)
        said = self._said() if answer is None else answer
        api = api_of("POST", path)
        found = read_answer(api, "application/json", said)
        model, params = model_and_params(api, path, body)
        usage = UNSET if found.usage is None else found.usage
        by = UNSET if found.model is None else found.model
        self.calls.append(
            Call(
                call=len(self.calls),
                api=api,
                method="POST",
                path=path,
                query="",
                headers=(),
                request=normalise(self.rules, "POST", path, "", (), body).digest,
                body=told,
                status=status,
                answer_headers=(("content-type", "application/json"),),
                answer=self.blobs.put(said),
                answer_bytes=len(said),
                complete=True,
                streamed=False,
                model=model,
                answered_by=by,
                params=params,
                usage=usage,
                cost_usd=cost_in(PRICES, usage, by, model),
            )
        )

    def _said(self) -> bytes:
        usage = {"completion_tokens": 5, "prompt_tokens": 10}
        return json.dumps({"id": f"{self.name}-{len(self.calls)}", "model": "m", "usage": usage}).encode()

    @property
    def cassette(self) -> Cassette:
        marked = zip(self.calls, retries(self.calls), strict=True)
        calls = tuple(msgspec.structs.replace(call, retry_of=earlier) for call, earlier in marked)
        return Cassette(rules=digest_of(self.rules), calls=calls)


def observe(part: s.AttemptParts) -> None:
    """Let what is measured beside the receipt follow from the recording."""
    assert part.cassette is not None
    found = totals_of(part.cassette)
    part.observed = Observed(
        wall_ms=1500,
        calls=found.calls,
        input_tokens=found.input_tokens,
        output_tokens=found.output_tokens,
        cost_usd=found.cost_usd,
    )


def recorded_run(attempts: int = 1, config: Config = CONFIG, rules: RuleSet = EMPTY_RULES) -> s.Run:
    """An honest recorded run of the tiny suite: three calls an attempt, the second one failed and made again."""
    agent = msgspec.structs.replace(ASKING, rules=digest_of(rules))
    run = s.honest_run(attempts, agent=agent)
    run.config = config
    for part in run.parts:
        talk = Talk(f"{part.task.id}-{part.attempt.index}", run.blobs, rules)
        talk.ask("begin")
        talk.ask("go on", 503, answer=b"{}")
        talk.ask("go on")
        talk.ask("count", path="/v1/messages/count_tokens")
        part.cassette = talk.cassette
        observe(part)
    return run


def known(**members: Any) -> VerifyOptions:
    """The options of a reader who has rules and prices."""
    return VerifyOptions(**(KNOWN | members))


def part_of(cassette: Cassette, number: int) -> Digest:
    """The blob of a request."""
    return cassette.calls[number].body.part
