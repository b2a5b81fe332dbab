"""Judges through the whole program: a suite on disk, real sandboxes, a model on this machine, a stranger who verifies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.acceptance.support import environment, needs_bwrap, tally
from tests.support.judged import write_suite
from tests.support.scripted_provider import ScriptedProvider

pytestmark = [pytest.mark.slow, needs_bwrap]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return write_suite(tmp_path / "suite")


def test_a_static_judge_from_suite_to_stranger(suite: Path, tmp_path: Path) -> None:
    env = environment(tmp_path / "home")
    ran = tally(["run", str(suite), "--agent", "oracle", "--out", "b.json"], cwd=tmp_path, env=env)
    assert ran.returncode == 0, ran.stderr
    shown = " ".join(tally(["show", "b.json", "--suite", str(suite)], cwd=tmp_path, env=env).stdout.split())
    # two of the four mutants are as good as the code they were made of: at the bound, both answers are one
    assert "judged by static-v1: 18 of 20 (correctness 5, style 5, test coverage 3, safety 5); it decides nothing" in shown
    assert "they notice 2 of 4 mutants of the changed lines" in shown
    stranger = environment(tmp_path / "elsewhere")
    seen = tally(["verify", "b.json", "--suite", str(suite)], cwd=tmp_path, env=stranger)
    assert seen.returncode == 0, seen.stdout + seen.stderr
    assert "MATCH, level regraded: passed 1/1" in seen.stdout
    assert "quality: 0.9, the mean of 1 attempt" in seen.stdout
    quick = tally(["verify", "b.json", "--suite", str(suite), "--no-exec"], cwd=tmp_path, env=stranger)
    assert "as the submitter's grade pass says" in quick.stdout


def test_a_judge_finds_fault_and_decides_nothing(suite: Path, tmp_path: Path) -> None:
    env = environment(tmp_path / "home")
    ran = tally(["run", str(suite), "--agent", "cheat:hurried", "--out", "b.json"], cwd=tmp_path, env=env)
    assert ran.returncode == 0, ran.stderr
    shown = tally(["show", "b.json", "--suite", str(suite)], cwd=tmp_path, env=env).stdout
    assert "judged by static-v1: 9 of 20 (correctness 5, style 2, test coverage 2, safety 0); it decides nothing" in shown
    proven = tally(["suite", "check", str(suite)], cwd=tmp_path, env=env)
    assert proven.returncode == 0, proven.stdout + proven.stderr


def test_a_model_judge_from_suite_to_stranger(suite: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with ScriptedProvider("judge-mends") as provider:
        env = environment(home, OPENAI_API_KEY="sk-of-nobody-0123456789", OPENAI_BASE_URL=f"{provider.url}/v1")
        args = ["run", str(suite), "--agent", "oracle", "--out", "b.json", "--judge-model", "openai/scripted-1"]
        ran = tally(args, cwd=tmp_path, env=env)
        assert ran.returncode == 0, ran.stderr
        assert len(provider.seen) == 2
        accepted = provider.accepts
        stranger = environment(tmp_path / "elsewhere")
        seen = tally(["verify", "b.json", "--suite", str(suite)], cwd=tmp_path, env=stranger)
        assert seen.returncode == 0, seen.stdout + seen.stderr
        assert "opinion: 0.85, the mean of 1 attempt that a model scored (declared" in seen.stdout
        assert "quality: 0.9," in seen.stdout  # the static judge's: it is named too
        assert provider.accepts == accepted
    shown = tally(["show", "b.json", "--suite", str(suite)], cwd=tmp_path, env=environment(home)).stdout
    assert "opinion of scripted-1: 17 of 20" in shown
    assert "sk-of-nobody" not in (tmp_path / "b.json").read_text()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["golden-v1", "--judge-model", "m"], "names a rubric"),
        (["golden-v1", "--judge-model", "google/m"], "openai or anthropic"),
        (["golden-v1", "--judge-model", "../m:x y"], "cannot name a model"),
    ],
)
def test_a_judge_that_cannot_be_asked_is_one_line(args: list[str], says: str, tmp_path: Path) -> None:
    env = environment(tmp_path / "home", OPENAI_API_KEY="sk-of-nobody-0123456789")
    done = tally(["run", *args, "--agent", "oracle"], cwd=tmp_path, env=env)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
