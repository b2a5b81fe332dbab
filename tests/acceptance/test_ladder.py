"""The ladder through the real command line and the real sandbox: what it solves, and what it says of itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.acceptance.support import environment, needs_bwrap, tally
from tests.unit.suites.authored import task_text, write_files

pytestmark = [needs_bwrap, pytest.mark.xdist_group("acceptance")]

MUTANT = "def double(n):\n    return n * 2\n"
SUITE = {
    "suite.yaml": "version: mixed-v1\norder: [words, slip, copy, thought]\n",
    "standard/words.md": task_text(
        'title: Words\nassertions: [{kind: content_eq, path: a.txt, content: "two\\n"}]\n',
        "Change `one` to `two` in `a.txt`.\n",
    ),
    "standard/words/workspace/a.txt": "one\n",
    "standard/words/solution/a.txt": "two\n",
    "stretch/slip.md": task_text(
        f"title: Slip\nassertions: [{{kind: content_eq, path: m.py, content: {json.dumps(MUTANT)}}}]\n"
    ),
    "stretch/slip/workspace/m.py": MUTANT.replace("*", "+"),
    "stretch/slip/workspace/test_m.py": "import unittest\nfrom m import double\n\n\nclass T(unittest.TestCase):\n"
    "    def test_it(self):\n        self.assertEqual([double(n) for n in (2, 3, 5)], [4, 6, 10])\n",
    "stretch/slip/solution/m.py": MUTANT,
    "smoke/copy.md": task_text('title: Copy\nassertions: [{kind: content_eq, path: c.ini, content: "x = 1\\n"}]\n'),
    "smoke/copy/workspace/c.ini": "x = 2\n",
    "smoke/copy/workspace/c.ini.orig": "x = 1\n",
    "smoke/copy/solution/c.ini": "x = 1\n",
    "adversarial/thought.md": task_text(
        'title: T\nassertions: [{kind: content_eq, path: n.txt, content: "42\\n"}]\n', "Think.\n"
    ),
    "adversarial/thought/solution/n.txt": "42\n",
}


def test_tasks_that_a_rung_solves_are_named(tmp_path: Path) -> None:
    write_files(tmp_path / "mixed", SUITE)
    env = environment(tmp_path / "home")
    done = tally(["suite", "ladder", "mixed", "--json"], cwd=tmp_path, env=env)
    assert done.returncode == 1, done.stderr
    (found,) = json.loads(done.stdout)["suites"]
    assert {task["id"]: task["solved_by"] for task in found["tasks"]} == {
        "words": ["regex-patch"],
        "slip": ["mutation-repair"],
        "copy": ["revert"],
        "thought": [],
    }
    assert [task["id"] for task in found["tasks"] if task["misplaced"]] == ["words", "slip"]
    assert {task["predicted"] for task in found["tasks"][:3]} == {"smoke"}
    said = tally(["suite", "ladder", "mixed", "--rung", "regex-patch"], cwd=tmp_path, env=env)
    assert said.returncode == 1
    assert "words is of tier standard, and regex-patch solves it: move it to smoke" in " ".join(said.stdout.split())
    assert tally(["suite", "ladder", "mixed", "--rung", "nop", "--quiet"], cwd=tmp_path, env=env).returncode == 0


def test_a_rung_runs_as_an_agent_that_measures_none(tmp_path: Path) -> None:
    write_files(tmp_path / "mixed", SUITE)
    env = environment(tmp_path / "home")
    command = ["run", "mixed", "--agent", "ladder:regex-patch", "--no-sign", "--fresh", "--out"]
    first, second = (tally([*command, name], cwd=tmp_path, env=env) for name in ("a.json", "b.json"))
    assert first.returncode == second.returncode == 0, first.stderr
    assert "measures no agent" in first.stdout
    bundles = [json.loads((tmp_path / name).read_text()) for name in ("a.json", "b.json")]
    assert bundles[0]["agent"]["self_test"] is True
    assert [r["receipt_hash"] for r in bundles[0]["task_results"]] == [r["receipt_hash"] for r in bundles[1]["task_results"]]
    verified = tally(["verify", "a.json", "--suite", "mixed"], cwd=tmp_path, env=env)
    assert "self-test" in verified.stdout or "no agent" in verified.stdout


@pytest.mark.slow
def test_packaged_suites_are_as_hard_as_they_say(tmp_path: Path) -> None:
    done = tally(
        ["suite", "ladder", "golden-smoke-v1", "golden-v1", "--json"], cwd=tmp_path, env=environment(tmp_path / "home")
    )
    assert done.returncode == 0, done.stderr
    smoke, golden = json.loads(done.stdout)["suites"]
    assert [tier["solved_by_any"] for tier in smoke["tiers"]] == [4]
    assert [tier["solved_by_any"] for tier in golden["tiers"]] == [0]
