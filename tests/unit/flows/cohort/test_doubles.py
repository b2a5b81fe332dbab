"""An attempt counts once whatever its agent is called, and an agent has one structure."""

from __future__ import annotations

import msgspec

from tallystick.flows.cohort.doubles import AttachedBefore, doubles_of
from tallystick.flows.cohort.identity import agent_identity
from tallystick.records.base import digest_of
from tallystick.records.bundle import Bundle
from tallystick.records.cohort.origin import Origin
from tallystick.records.evidence import Agent
from tests.support.synthetic import honest_run, seal

NAMED = Agent(adapter="command", name="one", self_test=False, argv=("agent", "{instruction}"))
RENAMED = msgspec.structs.replace(NAMED, name="other", version="2")


def bundle(agent: Agent) -> Bundle:
    return seal(honest_run(2, agent=agent)).bundle


def attached(of: Bundle, *, with_identity: bool = True) -> tuple[AttachedBefore, ...]:
    """The first attempt at every task."""
    return tuple(
        AttachedBefore(
            task_id=result.task_id,
            signature="one-v1",
            origin=Origin(
                receipt=result.receipt_hash,
                identity=agent_identity(of.agent) if with_identity else None,
                agent=digest_of(of.agent),
                config=digest_of(of.config),
                index=1,
            ),
        )
        for result in of.task_results
        if result.attempt.index == 1
    )


def doubles(before: tuple[AttachedBefore, ...], of: Bundle) -> set[int]:
    found = doubles_of(before, of)
    return {each.attempt.index for each in of.task_results if found.hold(each, each.task_id)}


def test_a_name_or_version_makes_no_other_agent() -> None:
    """The receipts are others, as they hold both."""
    before, again = attached(bundle(NAMED)), bundle(RENAMED)
    assert not {each.origin.receipt for each in before} & {each.receipt_hash for each in again.task_results}
    assert doubles(before, again) == {1}
    assert doubles_of(before, again).signature == "one-v1"


def test_other_words_make_another_agent() -> None:
    other = bundle(msgspec.structs.replace(NAMED, argv=("agent", "--twice", "{instruction}")))
    before = attached(bundle(NAMED))
    assert doubles(before, other) == set()
    assert doubles_of(before, other).signature is None


def test_another_config_makes_another_attempt_of_the_same_agent() -> None:
    one = bundle(NAMED)
    other = msgspec.structs.replace(one, config=msgspec.structs.replace(one.config, env=("A",)))
    elsewhere = tuple(msgspec.structs.replace(each, receipt_hash=one.bundle_hash) for each in other.task_results)
    other = msgspec.structs.replace(other, task_results=elsewhere)
    assert doubles(attached(one), other) == set()
    assert doubles_of(attached(one), other).signature == "one-v1"


def test_an_older_manifest_tells_the_agent_by_its_name_only() -> None:
    before = attached(bundle(NAMED), with_identity=False)
    assert doubles(before, bundle(NAMED)) == {1}
    assert doubles(before, bundle(RENAMED)) == set()


def test_self_tests_are_told_apart_by_their_names() -> None:
    one, other = (Agent(adapter="stochastic-mock", name=f"stochastic-mock-{seed}", self_test=True) for seed in (1, 2))
    assert agent_identity(one) != agent_identity(other)
    assert agent_identity(NAMED) == agent_identity(RENAMED)


def test_a_name_that_a_bundle_claims_for_a_self_test_makes_no_other_agent() -> None:
    """Such a bundle verifies: nothing in it says what a self-test is called."""
    oracle = Agent(adapter="oracle", name="oracle", self_test=True)
    before = attached(bundle(oracle))
    for claimed in ({"name": "oracle-2"}, {"version": "2"}):
        assert doubles(before, bundle(msgspec.structs.replace(oracle, **claimed))) == {1}
