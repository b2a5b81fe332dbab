"""No attack from the workspace turns a wrong solution into a passed task, and none ends as a failure of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from tallystick.flows.run import RunRequest, run
from tallystick.records.base import UnsetType
from tallystick.records.bundle import TaskResult
from tallystick.records.journal import AgentEnd
from tallystick.suites.loading import LoadedSuite, load_suite
from tests.acceptance.support import needs_bwrap
from tests.attacks_on_graders.kit import ATTACKS, HERE, TARGETS, AttackingAgent, tight_suite

pytestmark = needs_bwrap


def attempted(attack: str, folder: Path, suite: LoadedSuite) -> dict[str, TaskResult]:
    agent = AttackingAgent(attack, folder / "overlays")
    done = run(RunRequest(suite=suite, adapter=agent, state=folder / "state", tasks=tuple(TARGETS)))
    assert done.bundle is not None
    return {result.task_id: result for result in done.bundle.task_results}


def agent_exit(result: TaskResult) -> object:
    """How the attacking script ended."""
    assert not isinstance(result.receipt, UnsetType)
    return next(event.exit for event in result.receipt.events if isinstance(event, AgentEnd))


def test_the_agent_itself_passes(tmp_path: Path) -> None:
    """The wrong solution is the only thing wrong: with the right one in its place every task passes."""
    for task_id, result in attempted("_control", tmp_path, load_suite("golden-v1")).items():
        assert result.passed, f"{task_id}: {result.harness_output}"


STARVING = frozenset(
    {"breaks_the_parser", "fork_bomb", "hogs_memory", "hogs_processors", "looks_for_the_grader", "starves_the_grader_of_memory"}
)


@pytest.mark.parametrize("attack", [pytest.param(name, marks=pytest.mark.slow if name in STARVING else ()) for name in ATTACKS])
def test_attack_fails(attack: str, tmp_path: Path) -> None:
    results = attempted(attack, tmp_path, tight_suite())
    assert list(results) == list(TARGETS)
    for task_id, result in results.items():
        output = result.harness_output
        assert agent_exit(result) == 0, f"{task_id}: the attack itself went wrong"
        assert not result.passed, f"{task_id} was passed by the attack"
        assert output.outcome == "failed", f"{task_id}: {output.cause or output.limit or output.outcome}"
        assert TARGETS[task_id].executed in output.failed, f"{task_id}: only {output.failed} stood in the way"


@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_is_described(attack: str) -> None:
    text = (HERE / attack / "README.md").read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert len(text.splitlines()) >= 3
