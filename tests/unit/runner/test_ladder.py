"""The ladder's adapters: who they say they are, and what they mount."""

from __future__ import annotations

import pytest

from tallystick.core.errors import InputError
from tallystick.records.base import digest_of
from tallystick.records.evidence import SELF_TEST_ADAPTERS, Attempt
from tallystick.runner.adapters import Launch, NopAdapter
from tallystick.runner.ladder import FREE, RUNGS, chosen, make_rung
from tallystick.suites.instruction import instruction
from tests.support.tiny import SUITE


def test_rungs_say_that_they_measure_no_agent() -> None:
    agents = [make_rung(name).agent for name in RUNGS]
    assert all(agent.self_test and agent.adapter in SELF_TEST_ADAPTERS for agent in agents)
    assert len({digest_of(agent) for agent in agents}) == len(RUNGS)


def test_every_program_of_the_folder_is_mounted_by_a_rung() -> None:
    named = {file for rung in RUNGS.values() for file in rung.files}
    assert named == {path.name for path in FREE.glob("*.py")} - {"__init__.py"}


@pytest.mark.parametrize("name", [name for name in RUNGS if name != "nop"])
def test_a_rung_is_a_program_with_the_instruction_on_standard_input(name: str) -> None:
    task = SUITE.tasks[0]
    plan = make_rung(name).plan(SUITE, task, Attempt(index=1, of=1))  # type: ignore[arg-type]
    assert isinstance(plan, Launch)
    assert plan.stdin == instruction(task).encode()
    assert plan.argv[-1] in {mount.target for mount in plan.mounts}
    assert {mount.source.name for mount in plan.mounts} == set(RUNGS[name].files)


def test_the_lowest_rung_is_nop() -> None:
    assert isinstance(make_rung("nop"), NopAdapter)


def test_rungs_are_chosen_in_the_order_of_the_ladder() -> None:
    assert chosen(["regex-patch", "nop", "regex-patch"]) == ("nop", "regex-patch")
    with pytest.raises(InputError, match="no rung 'regex'; it has nop, revert"):
        chosen(["nop", "regex"])
