"""A real recorded run: a small agent that asks a scripted model on this machine, twice at each of two tasks, in the sandbox.

Three of its four attempts pass. At the second attempt at `write_file` the model is lazy, in the first at `shorten` the provider
is overloaded once and asked again.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tallystick.flows.models import ModelWays
from tallystick.flows.run import RunDone, RunRequest, run
from tallystick.recording.upstream import Upstream
from tallystick.records.evidence import Attempt
from tallystick.records.task import Suite, Task, hash_suite
from tallystick.runner.adapters import CommandAdapter, Launch
from tallystick.runner.closure import Program, script_program
from tallystick.suites.loaded import LoadedSuite, index_trees
from tallystick.suites.prices import load_prices
from tests.support.scripted_provider import Fault, ScriptedProvider
from tests.support.tiny import SUITE

__all__ = ["ATTEMPTS", "KEY", "MODEL", "RECORDED", "SHORTEN", "WRITE", "Asking", "record", "ways_to"]

WRITE: Final = "write_file"
SHORTEN: Final = "shorten"
ATTEMPTS: Final = ((WRITE, 1), (WRITE, 2), (SHORTEN, 1), (SHORTEN, 2))
"""All of them, in order."""
MODEL: Final = "scripted-1"
KEY: Final = "sk-of-nobody-0123456789"
LAZY: Final = (WRITE, 2)
OVERLOADED: Final = (SHORTEN, 1)

_TASKS: Final = tuple(task for task in SUITE.tasks if task.id in {WRITE, SHORTEN})
RECORDED: Final = LoadedSuite(
    Suite(version="recorded-v1", suite_hash=hash_suite(_TASKS), tasks=_TASKS, trees=SUITE.document.trees),
    SUITE.blobs,
    "reader",
    index_trees(SUITE.document.trees),
)
"""The two tasks of the tiny suite that a model of one line can solve."""

AGENT: Final = textwrap.dedent(
    """
    import json, os, subprocess, sys, urllib.error, urllib.request
    base, model = os.environ["OPENAI_BASE_URL"], os.environ["TALLY_MODEL"]
    headers = {"authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "content-type": "application/json"}

    def ask(path, body=None, tries=3):
        data = None if body is None else json.dumps(body).encode()
        for left in reversed(range(tries)):
            try:
                with urllib.request.urlopen(urllib.request.Request(base + path, data, headers)) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if left == 0 or error.code not in (429, 503):
                    raise SystemExit(f"the model is not there: {error.code}")

    tools = [{"type": "function", "function": {"name": "shell", "parameters": {"type": "object"}}}]
    said = [{"role": "system", "content": "Work step by step. " * 20}, {"role": "user", "content": sys.stdin.read()}]
    ask("/models")
    decided = json.dumps({"name": "plan", "text": "one model, one shell"}).encode()
    urllib.request.urlopen(urllib.request.Request(os.environ["TALLY_DECISIONS"], decided, headers))
    while True:
        answer = ask("/chat/completions", {"model": model, "temperature": 0.5, "messages": said, "tools": tools})
        message = answer["choices"][0]["message"]
        said.append(message)
        if not message.get("tool_calls"):
            break
        for call in message["tool_calls"]:
            command = json.loads(call["function"]["arguments"])["command"]
            done = subprocess.run(command, capture_output=True, text=True)
            said.append({"role": "tool", "tool_call_id": call["id"], "content": done.stdout + done.stderr})
    """
)


@dataclass
class Asking(CommandAdapter):
    """The agent, and which mood its model is in at each attempt: a lazy one looks and does nothing."""

    provider: ScriptedProvider | None = None
    source: str = AGENT
    model: str = MODEL
    moods: dict[tuple[str, int], str] = field(default_factory=lambda: {LAZY: "looks"})
    faults: dict[tuple[str, int], dict[int, Fault]] = field(default_factory=lambda: {OVERLOADED: {2: "503"}})

    def __post_init__(self) -> None:
        identity = script_program(self.source.encode())
        program = Program(("python3", "-c", self.source), (), identity.digest)
        super().__init__(program, name="asking", model=self.model)

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Launch:
        """Set the model's mood, and start the agent."""
        key = (task.id, attempt.index)
        if self.provider is not None:
            seen = len(self.provider.seen)
            self.provider.script = self.moods.get(key, "tiny")
            self.provider.faults = {seen + at: fault for at, fault in self.faults.get(key, {}).items()}
        return super().plan(suite, task, attempt)


def ways_to(provider: ScriptedProvider, cache: Path, **members: object) -> ModelWays:
    """The scripted provider as the only one that a run may ask."""
    way = Upstream(f"{provider.url}/v1", KEY)
    given = {"prices": load_prices(None), **members}
    return ModelWays(model=MODEL, ways={"openai": way}, cache=cache, **given)  # type: ignore[arg-type]


def record(folder: Path, attempts: int = 2, **members: object) -> RunDone:
    """An honest run of the two tasks; `members` are those of `ModelWays`."""
    with ScriptedProvider("tiny") as provider:
        models = ways_to(provider, folder / "cache", **members)
        request = RunRequest(RECORDED, Asking(provider=provider), folder / "state", attempts=attempts, workers=1, models=models)
        return run(request)
