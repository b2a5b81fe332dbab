"""A dishonest agent: it lays a wrong solution over the workspace and then runs the attack, in the real sandbox.

The wrong solution satisfies every assertion but the executed one, so nothing but the grader stands between the attack and a
passed task. `attack.sh` finds the environment `TASK` (the task's id) and `OWNED` (a file that is graded), and below `/right`
the reference solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from tallystick.records.base import UnsetType
from tallystick.records.evidence import Agent, Attempt
from tallystick.records.task import Task, hash_suite, hash_task
from tallystick.records.tree import Overlay
from tallystick.runner.adapters import Launch
from tallystick.sandbox.spec import Mount
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import load_suite

__all__ = ["ATTACKS", "TARGETS", "AttackingAgent", "Target", "tight_suite"]

HERE: Final = Path(__file__).parent
ATTACKS: Final = tuple(sorted(path.parent.name for path in HERE.glob("[!_]*/attack.sh")))


@dataclass(frozen=True)
class Target:
    """Where an attack starts: a cheat that fails only `executed`, and a graded file that the subject runs."""

    cheat: str
    executed: str
    owned: str


TARGETS: Final = {
    "refactor_rename_symbol": Target("lookup_forgotten", "behaviour", "ledger/entries.py"),
    "test_generation_happy_path": Target("half_of_the_examples", "tests_discern", "tests/test_tariff.py"),
    "lint_fix_unused_import": Target("exports_removed", "behaviour", "feeds/reader.py"),
    "doc_update_docstring": Target("code_bent_to_the_docs", "behaviour", "trails/times.py"),
}


@cache
def tight_suite() -> LoadedSuite:
    """golden-v1 with its own graders and less patience, so that what starves a grader does so in seconds."""
    golden = load_suite("golden-v1")
    tasks = tuple(_tight(task) for task in golden.tasks)
    document = msgspec.structs.replace(golden.document, version="tight-v1", tasks=tasks, suite_hash=hash_suite(tasks))
    return LoadedSuite(document, golden.blobs, "reader", golden.trees)


def _tight(task: Task) -> Task:
    limits = msgspec.structs.replace(task.limits, memory_mb=384, disk_mb=256, processes=64, wall_ms=20_000)
    grading = msgspec.structs.replace(task.grading, wall_ms=700)
    changed = msgspec.structs.replace(task, limits=limits, grading=grading)
    return msgspec.structs.replace(changed, task_hash=hash_task(changed))


class AttackingAgent:
    """Implements `runner.adapters.Adapter`."""

    def __init__(self, attack: str, folder: Path) -> None:
        self._attack, self._folder = HERE / attack, folder
        self.agent = Agent(adapter="command", name=attack, self_test=False, argv=("sh", "attack.sh"))

    def plan(self, suite: LoadedSuite, task: Task, attempt: Attempt) -> Launch:
        """The wrong solution, then the attack."""
        target = TARGETS[task.id]
        wrong = next(each for each in suite.cheats if each.task_id == task.id and each.name == target.cheat)
        assert not isinstance(task.solution, UnsetType)
        assert not wrong.overlay.removes
        return Launch(
            argv=("/bin/sh", "-eu", "-c", "cp -R /wrong/. . && . /attack/attack.sh"),
            env={"TASK": task.id, "OWNED": target.owned},
            mounts=(
                Mount(self._attack, "/attack"),
                Mount(self._laid_out(suite, wrong.overlay, f"{task.id}-wrong"), "/wrong"),
                Mount(self._laid_out(suite, task.solution, f"{task.id}-right"), "/right"),
            ),
        )

    def _laid_out(self, suite: LoadedSuite, overlay: Overlay, name: str) -> Path:
        top = self._folder / name
        for record in suite.tree(overlay.tree).records:
            path = top / record.path
            path.parent.mkdir(parents=True, exist_ok=True)
            assert not isinstance(record.digest, UnsetType)
            path.write_bytes(suite.blobs.read(record.digest))
        return top
