"""What each adapter hands in, starts, and says of itself."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tallystick.core.errors import InputError
from tallystick.records.base import UNSET, digest_of
from tallystick.records.evidence import SELF_TEST_ADAPTERS, Agent, Attempt
from tallystick.records.task import Cheat
from tallystick.records.tree import EMPTY_TREE, Overlay, apply_overlay
from tallystick.runner.adapters import (
    DOOR,
    CheatAdapter,
    CommandAdapter,
    Launch,
    NopAdapter,
    OracleAdapter,
    ScriptedAdapter,
    rules_of,
)
from tallystick.runner.closure import Program, script_program
from tallystick.runner.ladder import make_rung
from tallystick.runner.mock import MockAdapter, MockGrader, StochasticMockAdapter
from tallystick.runner.presets import fill_token
from tallystick.sandbox.spec import Mount
from tallystick.suites.instruction import instruction
from tallystick.suites.loaded import LoadedSuite
from tests.support.fake_sandbox import TINY
from tests.support.tiny import SUITE

FIRST = Attempt(index=1, of=1)
WRITE, SHORTEN, FIX = TINY.tasks
EMPTY_OVERLAY = Overlay(tree=EMPTY_TREE)


def test_oracle_and_nop() -> None:
    assert OracleAdapter().plan(TINY, WRITE, FIRST) == WRITE.solution
    assert NopAdapter().plan(TINY, WRITE, FIRST) == EMPTY_OVERLAY


def test_the_oracle_needs_a_solution() -> None:
    with pytest.raises(InputError, match="write_file has no solution/"):
        OracleAdapter().plan(TINY, msgspec.structs.replace(WRITE, solution=UNSET), FIRST)


def test_a_cheat_only_where_a_task_has_it() -> None:
    assert isinstance(WRITE.solution, Overlay)
    cheat = Cheat(task_id=WRITE.id, name="lazy", overlay=WRITE.solution, fails=("content",))
    document = msgspec.structs.replace(TINY.document, cheats=(cheat,))
    suite = LoadedSuite(document, TINY.blobs, "reader", TINY.trees)
    adapter = CheatAdapter("lazy")
    assert adapter.plan(suite, WRITE, FIRST) == cheat.overlay
    assert adapter.plan(suite, FIX, FIRST) == EMPTY_OVERLAY
    assert adapter.agent.name == "cheat-lazy"


PROGRAM = Program(
    argv=("/agent/bot", "--task={instruction}", "x"), mounts=(Mount(Path("/b"), "/agent/bot"),), digest=EMPTY_TREE, mask=("/m",)
)


def test_a_command_gets_the_instruction_where_it_asks_for_it() -> None:
    plan = CommandAdapter(PROGRAM, name="bot", version="2").plan(TINY, WRITE, FIRST)
    assert plan == Launch(
        argv=("/agent/bot", f"--task={instruction(WRITE)}", "x"), stdin=b"", env={}, mounts=PROGRAM.mounts, mask=("/m",)
    )


def test_a_command_with_a_model_finds_the_way_to_it() -> None:
    program = Program(argv=("bot", "--model={model}"), mounts=(), digest=EMPTY_TREE)
    adapter = CommandAdapter(program, name="bot", model="m-1")
    plan = fill_token(adapter.plan(TINY, WRITE, FIRST), "tally-1")
    assert plan.argv == ("bot", "--model=m-1")
    assert plan.env["OPENAI_BASE_URL"] == f"{DOOR}/v1"
    assert {plan.env[name] for name in plan.env if name.endswith("_KEY")} == {"tally-1"}
    assert (adapter.agent.model, adapter.agent.rules) == ("m-1", digest_of(rules_of(adapter)))
    assert CommandAdapter(program, name="bot").agent.rules is UNSET


def test_a_command_that_does_not_ask_gets_it_on_stdin() -> None:
    program = Program(argv=("bot",), mounts=(), digest=EMPTY_TREE)
    plan = CommandAdapter(program, name="bot").plan(TINY, WRITE, FIRST)
    assert (plan.argv, plan.stdin) == (("bot",), instruction(WRITE).encode())


def test_an_agents_identity_is_its_program_and_argv() -> None:
    agent = CommandAdapter(PROGRAM, name="bot", version="2").agent
    assert agent == Agent(adapter="command", name="bot", self_test=False, version="2", argv=PROGRAM.argv, program=EMPTY_TREE)
    assert digest_of(agent) != digest_of(CommandAdapter(PROGRAM, name="bot").agent)


def test_scripts_by_task_and_for_all_others() -> None:
    adapter = ScriptedAdapter({WRITE.id: "echo a", "*": "echo b"}, script_program(b"x"))
    plans = [adapter.plan(TINY, task, FIRST) for task in (WRITE, FIX)]
    assert [plan.argv[-1] for plan in plans] == ["echo a", "echo b"]
    assert ScriptedAdapter({}, script_program(b"x")).plan(TINY, FIX, FIRST).argv[-1] == "true"


def test_self_tests_say_so() -> None:
    ours = [
        OracleAdapter(),
        NopAdapter(),
        CheatAdapter("x"),
        make_rung("revert"),
        ScriptedAdapter({}, script_program(b"")),
        MockAdapter(),
        StochasticMockAdapter(),
    ]
    assert all(adapter.agent.self_test for adapter in ours)
    assert {adapter.agent.adapter for adapter in ours} <= SELF_TEST_ADAPTERS | {"scripted"}


def test_a_mock_claims_what_it_handed_in() -> None:
    for task in TINY.tasks:
        solved, base = SUITE.solved(SUITE.task(task.id)), TINY.tree(task.workspace)
        for final, outcome in ((solved, "pass"), (base, "fail")):
            grade = MockGrader().grade(TINY, task, final, TINY.blobs).grade
            assert {result.outcome for result in grade.results} <= {outcome}
            assert grade.workspace == digest_of(final)


def test_a_stochastic_mock_follows_its_seed() -> None:
    def handed_in(seed: int) -> list[bool]:
        adapter = StochasticMockAdapter(seed)
        return [adapter.plan(TINY, FIX, Attempt(index=index, of=64)) != EMPTY_OVERLAY for index in range(1, 65)]

    assert handed_in(1) == handed_in(1)
    assert handed_in(1) != handed_in(2)
    assert 16 < sum(handed_in(1)) < 48
    assert StochasticMockAdapter(7).agent.name == "stochastic-mock-7"


def test_solutions_apply_to_their_workspace() -> None:
    assert isinstance(FIX.solution, Overlay)
    assert apply_overlay(TINY.tree(FIX.workspace), TINY.tree(FIX.solution.tree), ()) == SUITE.solved(SUITE.task(FIX.id))
