"""The fuzz target for model traffic: bytes that an agent or a provider sent, and patterns that somebody wrote.

    python -m tests.fuzz.traffic [--seconds N] [--seed N]

Beyond ending in domain errors only: equal texts have equal digests, and whatever was cut comes back.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Final, get_args

import msgspec

from tallystick.records.blobs import MemoryBlobs
from tallystick.records.traffic.apis import api_of, model_of, params_of, provider_of
from tallystick.records.traffic.bodies import Bodies, restore_all
from tallystick.records.traffic.cassette import Api
from tallystick.records.traffic.difference import first_difference
from tallystick.records.traffic.foreign import object_of
from tallystick.records.traffic.leaks import LeakWatch
from tallystick.records.traffic.normal import normalise
from tallystick.records.traffic.patterns import compile_pattern, pattern_problem
from tallystick.records.traffic.secrets import find_secrets
from tallystick.records.traffic.usage import read_answer
from tests.fuzz.target import mutations
from tests.unit.records.samples import CALL
from tests.unit.records.traffic.requests import RULES
from tests.unit.records.traffic.test_usage import WHOLE

REQUESTS: Final = (
    b'{"model":"m","messages":[{"role":"user","content":"id 12345678-1234-4234-8234-123456789abc"}],"temperature":0.5}',
    b'{"messages":[{"content":[{"tool_use_id":"b"},{"tool_use_id":"a","cache_control":{}}]}],"max_tokens":1e3}',
    b'{"input":[{"output":"Ran 2 tests in 0.003s, session ID 93468"}],"reasoning":{"effort":"low"}}',
    b'{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"temperature":1}}',
)
PATTERNS: Final = tuple(rule.pattern.encode() for rule in RULES.rules if hasattr(rule, "pattern"))
SEEDS: Final = [*REQUESTS, *PATTERNS, *(data for _, _, data, _ in WHOLE.values())]


def one_request(data: bytes, other: bytes) -> None:
    """Everything that is done with the body of a request."""
    text = data.decode("utf-8", "replace")
    one, two = (normalise(RULES, "POST", text[:40], text[:40], ((text[:20], text[:20]),), body) for body in (data, other))
    if (one.text == two.text) != (one.digest == two.digest):
        raise AssertionError("digests do not follow the texts")
    said = first_difference(one, two)
    if not said.isprintable() or len(said) > 400:
        raise AssertionError(f"a difference of more than a line: {said!r}")
    for api in get_args(Api):
        body = object_of(data)
        msgspec.json.encode((model_of(api, text, body), params_of(api, body), provider_of(api_of("POST", text), text)))
    watch = LeakWatch()
    watch.asked(one)
    watch.answered("text/event-stream", other)


def one_exchange(data: bytes, other: bytes) -> None:
    """Bodies cut and put together, answers read, patterns taken or refused."""
    writer, blobs, calls = Bodies(), MemoryBlobs(), []
    sent = [data * 20, other, data * 20 + other, other + data * 20]
    for number, body in enumerate(sent):
        said, part = writer.cut(body)
        blobs.put(part)
        calls.append(msgspec.structs.replace(CALL, call=number, body=said))
    if list(restore_all(calls, blobs.read)) != sent:
        raise AssertionError("a body did not come back")
    for api in get_args(Api):
        for content_type in ("text/event-stream", "application/json"):
            read_answer(api, content_type, data)
    find_secrets(data, (other[:20],))
    pattern = data.decode("latin-1")[:100]
    if pattern_problem(pattern) is None:
        compile_pattern(pattern).sub("", other.decode("latin-1"))


def main() -> int:
    """Mutate the seeds for a while."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    end, count, rng = time.monotonic() + options.seconds, 0, random.Random(options.seed)
    for data in mutations(SEEDS, rng):
        other = rng.choice(SEEDS)
        try:
            one_request(data, other)
            one_exchange(data, other)
        except Exception:
            print(f"with {data!r} and {other!r}", file=sys.stderr)
            raise
        count += 1
        if time.monotonic() > end:
            break
    print(f"{count} inputs with seed {options.seed}, nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
