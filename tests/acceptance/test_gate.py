"""`tally bench gate` as a person runs it: the orchestrators of examples/, and agents that report nothing."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.acceptance.support import ROOT, environment, needs_bwrap, tally
from tests.support import scripted_wire as wire
from tests.support.scripted_provider import ScriptedProvider, Seen

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("models"), needs_bwrap]

TASK = "file_io_read_write"


@dataclass
class Moody(ScriptedProvider):
    """Asked who is next, the model says something else every time; it works as scripted otherwise."""

    script: str = "tiny"
    next_one: Iterator[str] = field(
        default_factory=lambda: cycle(["coder", "stop", "coder", "tester", "stop", "reviewer", "stop"])
    )

    def _speak(self, seen: Seen, number: int) -> wire.Spoken | None:
        spoken = super()._speak(seen, number)
        if spoken is not None and b"Who is next" in seen.body:
            document = json.loads(json.dumps(spoken.document))
            document["choices"][0]["message"] = {"role": "assistant", "content": next(self.next_one)}
            return dataclasses.replace(spoken, document=document)
        return spoken


@pytest.fixture
def provider() -> Iterator[Moody]:
    with Moody() as serving:
        yield serving


def gate(folder: Path, script: Path | str, *options: str) -> CompletedProcess[str]:
    agent = ["--", "python3", str(script)] if isinstance(script, Path) else ["--", "sh", "-c", script]
    args = ["bench", "gate", "golden-v1", "--task", TASK, "--workers", "1", *options, *agent]
    return tally(args, cwd=folder, env=environment(folder / "home", OPENAI_API_KEY="sk-of-nobody-0123456789"))


def asking(provider: ScriptedProvider) -> list[str]:
    return ["--model", "scripted-1", "--upstream", provider.url]


def test_scheduling_by_rule_passes(tmp_path: Path, provider: Moody) -> None:
    done = gate(tmp_path, ROOT / "examples" / "orchestrator_by_rule.py", "-k", "3", *asking(provider))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "IDENTICAL: 1 of 1 task with the same decisions in 3 attempts" in done.stdout
    assert "4 decisions" in done.stdout
    assert len(provider.seen) > 9


def test_scheduling_by_model_fails_and_the_decision_is_named(tmp_path: Path, provider: Moody) -> None:
    done = gate(tmp_path, ROOT / "examples" / "orchestrator_by_model.py", "-k", "2", *asking(provider))
    assert done.returncode == 1, done.stdout + done.stderr
    text = " ".join(done.stdout.split())
    assert 'decision 2: attempt 1 has schedule "stop", attempt 2 has schedule "tester"' in text
    assert "DIVERGED: the gate is not passed" in text
    told = json.loads(
        gate(tmp_path, ROOT / "examples" / "orchestrator_by_model.py", "-k", "2", "--json", *asking(provider)).stdout
    )
    assert (told["status"], told["passed"]) == ("DIVERGED", False)
    assert told["tasks"][0]["task_id"] == TASK


@pytest.mark.parametrize("with_model", [True, False])
def test_nothing_reported_is_vacuous_and_no_pass(tmp_path: Path, provider: Moody, *, with_model: bool) -> None:
    done = gate(tmp_path, "true", "-k", "2", *(asking(provider) if with_model else ()))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "VACUOUS: the gate is not passed" in done.stdout
    assert "$TALLY_DECISIONS" in done.stdout


def test_one_attempt_is_refused(tmp_path: Path) -> None:
    done = gate(tmp_path, "true", "-k", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "give at least 2" in done.stderr
