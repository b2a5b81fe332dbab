"""A floor from the command line, in real sandboxes: made, derived again, made again; with and without a model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from aiohttp import web

from tests.acceptance.support import ROOT, environment, needs_bwrap, tally
from tests.acceptance.test_gate import Moody, asking
from tests.support import scripted_wire as wire
from tests.support.scripted_provider import Fault, ScriptedProvider

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("models"), needs_bwrap]

FILES = "file_io_read_write"


@dataclass
class Caching(ScriptedProvider):
    """A provider behind a response cache that says so."""

    script: str = "tiny"

    async def _document(self, request: web.BaseRequest, spoken: wire.Spoken, fault: Fault | None) -> web.StreamResponse:
        response = await super()._document(request, spoken, fault)
        response.headers["x-cache"] = "HIT"
        return response


@pytest.fixture
def moody() -> Iterator[Moody]:
    with Moody() as serving:
        yield serving


def command(folder: Path, *args: str) -> CompletedProcess[str]:
    return tally(args, cwd=folder, env=environment(folder / "home", OPENAI_API_KEY="sk-of-nobody-0123456789"))


def orchestrated(folder: Path, script: str, provider: ScriptedProvider, *options: str) -> CompletedProcess[str]:
    words = ["--workers", "1", "--out", "r.json", *asking(provider), *options, "--", "python3", str(ROOT / "examples" / script)]
    return command(folder, "run", "golden-v1", "--reliability", "2", *words)


def test_the_suite_itself(tmp_path: Path) -> None:
    made = command(tmp_path, "bench", "run", "golden-v1", "--reliability", "2", "--out", "r.json")
    assert made.returncode == 0, made.stderr
    assert "floor pass^2 100 %" in made.stdout
    for verify in (["bench", "reliability-verify"], ["verify"]):
        found = command(tmp_path, *verify, "r.json")
        assert found.returncode == 0, found.stdout + found.stderr
        assert "MATCH, level regraded: pass^2 100 %, 5 of 5 tasks" in found.stdout
    again = command(tmp_path, "bench", "reliability-check", "r.json", "--attempt", "2")
    assert again.returncode == 0, again.stdout + again.stderr
    assert "coordination identical in 5 attempts; whole receipt in 5 of 5" in again.stdout
    edited = tmp_path / "edited.json"
    edited.write_text((tmp_path / "r.json").read_text().replace('"passes":2', '"passes":1', 1))
    found = command(tmp_path, "bench", "reliability-verify", "edited.json")
    assert found.returncode == 1
    assert "overall      : HASH_MISMATCH" in found.stdout


def test_an_orchestrator_by_rule(tmp_path: Path, moody: Moody) -> None:
    made = orchestrated(tmp_path, "orchestrator_by_rule.py", moody)
    assert made.returncode == 0, made.stdout + made.stderr
    assert "attempts asked a model, and no answer counts in two of them" in made.stdout
    found = command(tmp_path, "bench", "reliability-verify", "r.json", "--json")
    told = json.loads(found.stdout)
    assert (found.returncode, told["status"], told["level"]) == (0, "MATCH", "regraded")
    words = ["--task", FILES, "--upstream", moody.url, "--", "python3", str(ROOT / "examples" / "orchestrator_by_rule.py")]
    again = command(tmp_path, "bench", "reliability-check", "r.json", *words)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "coordination identical in 1 attempt; whole receipt in 0 of 1" in again.stdout


def test_an_orchestrator_by_model_has_no_floor(tmp_path: Path, moody: Moody) -> None:
    made = orchestrated(tmp_path, "orchestrator_by_model.py", moody, "--task", FILES)
    assert made.returncode == 1, made.stdout + made.stderr
    assert "coordination NOT identical" in made.stdout
    found = command(tmp_path, "bench", "reliability-verify", "r.json", "--no-exec")
    text = " ".join(found.stdout.split())
    assert found.returncode == 1, found.stdout + found.stderr
    assert "overall : COORDINATION_DIVERGED" in text
    assert 'decision 2: attempt 1 has schedule "stop", attempt 2 schedule "tester"' in text


def test_answers_of_a_cache_make_no_second_attempt(tmp_path: Path) -> None:
    with Caching() as provider:
        made = orchestrated(tmp_path, "orchestrator_by_rule.py", provider, "--task", FILES)
    assert made.returncode == 0, made.stdout + made.stderr
    found = command(tmp_path, "bench", "reliability-verify", "r.json", "--no-exec")
    assert found.returncode == 1
    assert "overall      : CACHED_ANSWERS" in found.stdout


def test_another_agent_is_not_checked(tmp_path: Path) -> None:
    (tmp_path / "agent.sh").write_text("true\n")
    (tmp_path / "other.sh").write_text("false\n")
    made = command(
        tmp_path, "run", "golden-v1", "--reliability", "2", "--task", FILES, "--out", "r.json", "--", "sh", "agent.sh"
    )
    assert made.returncode == 0, made.stderr
    done = command(tmp_path, "bench", "reliability-check", "r.json", "--", "sh", "other.sh")
    assert (done.returncode, done.stdout) == (2, "")
    done = command(tmp_path, "bench", "reliability-check", "r.json", "--", "sh", "agent.sh")
    assert done.returncode == 0, done.stdout + done.stderr
