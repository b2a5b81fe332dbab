"""A real run that was judged: one task in the sandbox, three attempts, the static judge, and a model's opinion of each.

The first two attempts are the reference solution; the third passes nothing and shows what a judge finds fault with.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tallystick.flows.models import ModelWays
from tallystick.flows.opinions import judge_of
from tallystick.flows.run import RunDone, RunRequest, run
from tallystick.recording.upstream import Upstream
from tallystick.records.evidence import Agent, Attempt
from tallystick.records.task import Task
from tallystick.records.tree import Overlay
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import compile_suite
from tallystick.suites.prices import load_prices
from tests.support.scripted_provider import ScriptedProvider

__all__ = ["CLAMP", "HURRIED", "JudgedAgent", "judge_run", "judged_suite", "write_suite"]

CLAMP: Final = "clamp"
HURRIED: Final = 3
"""The attempt that is no solution."""
_TASK: Final = """\
---
title: Clamp a number
judge: [static-v1, "model:code-review-v1"]
assertions:
  - {kind: command, id: clamps, argv: [python3, -c, "import m; assert m.clamp(5, 1, 3) == 3"]}
cheats:
  hurried: {fails: [clamps]}
---
Write `clamp(x, low, high)` in m.py, with tests.
"""
_HALF: Final = "def half(x):\n    return x // 2\n"
_CLAMP: Final = "\n\ndef clamp(x, low, high):\n    if x < low:\n        return low\n    return high if x > high else x\n"
_TESTS: Final = """\
import unittest

from m import clamp


class ClampTest(unittest.TestCase):
    def test_below(self):
        self.assertEqual(clamp(0, 1, 3), 1)

    def test_between(self):
        self.assertEqual(clamp(2, 1, 3), 2)

    def test_above(self):
        self.assertEqual(clamp(9, 1, 3), 3)
"""
_KEY: Final = "AKIA" + "ABCDEFGHIJKLMNOP"
_HURRIED: Final = f"import os\nimport sys\nKEY = '{_KEY}'\n{_HALF}\n\ndef clamp(x, low, high):\n    unused = 1\n    return x\n"
"""Two imports and a name that nobody reads, a key, no tests."""


def write_suite(folder: Path) -> Path:
    """The suite's authoring form."""
    files = {
        "task.md": _TASK,
        "workspace/m.py": _HALF,
        "solution/m.py": _HALF + _CLAMP,
        "solution/tests/test_m.py": _TESTS,
        "cheats/hurried/m.py": _HURRIED,
    }
    for path, text in files.items():
        place = folder / "smoke" / CLAMP / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


def judged_suite(folder: Path) -> LoadedSuite:
    """The same, compiled."""
    return compile_suite(write_suite(folder))


class JudgedAgent:
    """Solves the task but for its last attempt. It says of itself that it is scripted."""

    agent = Agent(adapter="scripted", name="judged", self_test=True)

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Overlay:
        """The solution, or the cheat."""
        assert isinstance(task.solution, Overlay)
        return suite.cheats[0].overlay if attempt.index == HURRIED else task.solution


def judge_run(folder: Path, suite: LoadedSuite) -> RunDone:
    """The run, judged by a model on this machine."""
    with ScriptedProvider("judge") as provider:
        way = Upstream(provider.url, "sk-of-nobody-0123456789")
        ways = ModelWays(model=None, ways={"openai": way}, prices=load_prices(None), cache=folder)
        judge = judge_of("scripted-1", ways)
        return run(RunRequest(suite, JudgedAgent(), folder / "state", attempts=HURRIED, workers=1, judge=judge))
