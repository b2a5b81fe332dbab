import dataclasses
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from tallystick.suites.families.changing_requirements import FAMILY, without
from tallystick.suites.families.changing_requirements.requests import TOPICS, History, draw_history
from tallystick.suites.families.changing_requirements.rules import Answer, Call, Rules, answers
from tallystick.suites.families.changing_requirements.scripts import Script, grader_scripts
from tallystick.suites.families.draws import Draws

SEEDS = [f"seed-{n}" for n in range(100)]


def drawn(seed: str) -> tuple[History, dict[str, list[Script]]]:
    history = draw_history(Draws("history", seed), "points")
    return history, grader_scripts(history.rules[-1], Draws("grader", seed))


def failing(rules: Rules, right: Rules, tests: dict[str, list[Script]]) -> set[str]:
    return {name for name, scripts in tests.items() if any(answers(rules, calls) != answers(right, calls) for calls in scripts)}


@pytest.mark.parametrize("left_out", [TOPICS[at:] for at in range(1, len(TOPICS))], ids=lambda topics: topics[0])
def test_who_leaves_out_topics_fails_exactly_their_tests(left_out: tuple[str, ...]) -> None:
    for seed in SEEDS:
        history, tests = drawn(seed)
        right = history.rules[-1]
        assert failing(without(right, *left_out), right, tests) == {*left_out, "together"}, seed


def test_who_stops_at_an_earlier_request_fails() -> None:
    for seed in SEEDS:
        history, tests = drawn(seed)
        assert all(failing(rules, history.rules[-1], tests) for rules in history.rules[:-1]), seed


def test_every_request_amends() -> None:
    for seed in SEEDS:
        history, _ = drawn(seed)
        assert len({repr(rules) for rules in history.rules}) == 4
        assert all(items for items in history.items)


def test_instances_differ() -> None:
    assert len({repr(drawn(seed)[0].rules[-1]) for seed in SEEDS}) == len(SEEDS)
    ways = {tuple(bool(value) for value in dataclasses.astuple(drawn(seed)[0].rules[-1])) for seed in SEEDS}
    assert len(ways) > 20


class RefusedError(Exception):
    """Stands for the package's own."""


def account_of(seed: str) -> Callable[[], object]:
    """The class of the drawn solution."""
    files = FAMILY.make(Draws("task", FAMILY.name, seed, "1"))
    source = next(text for path, text in files.items() if path.startswith("solution/"))
    rate = next(text for path, text in files.items() if path.endswith("numbers_of.py"))
    body = "\n".join(line for line in source.splitlines() if not line.startswith("from "))
    space: dict[str, object] = {"Refused": RefusedError}
    exec(rate, space)
    exec(body, space)
    return SimpleNamespace(**space).Account


def told(account: object, call: Call) -> Answer:
    what, day, number = call
    arguments = (day,) if what == "balance" else (day, number)
    try:
        return int(getattr(account, what)(*arguments))
    except RefusedError:
        return "Refused"
    except ValueError:
        return "ValueError"


def test_the_solution_does_what_the_rules_say() -> None:
    for seed in SEEDS[:40]:
        draws = Draws("task", FAMILY.name, seed, "1")
        draws.pick(range(10))
        rules = draw_history(draws.apart("history"), "points").rules[-1]
        make = account_of(seed)
        for name, scripts in grader_scripts(rules, Draws("other", seed)).items():
            for calls in scripts:
                account = make()
                assert [told(account, call) for call in calls] == answers(rules, calls), (seed, name)
