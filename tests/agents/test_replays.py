"""Every known agent, recorded once against a scripted provider and run again many times, in the real sandbox.

A replay counts where its receipt has the recorded bytes; during replays nobody may come to the provider's door.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tallystick.sandbox.drivers import probe
from tests.agents.conditions import CONDITIONS, TOGETHER, Condition, busy, dates_of_today
from tests.agents.kit import AGENTS, ONLY, Again, Recorded, Where, bodies, is_installed, may_replay, record, replay, write_suite
from tests.support.scripted_provider import FLAKY, ScriptedProvider

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

TIMES: Final = 3
"""Replays of a script other than `plain`, which has one for each of the conditions, or for all of them together in CI."""
LOOPS: Final = 4
"""Busy programs on a loaded machine."""
ATTEMPTS: Final = 50

pytestmark = [
    pytest.mark.agents,
    pytest.mark.skipif(not probe().works, reason=f"no sandbox: {probe().problem}"),
]

PLAYS: Final = {"aider": {"plain", "flaky"}}
"""What agents without tools can do of the scripts."""


@pytest.fixture
def place() -> Iterator[Path]:
    """An empty folder into which other users can look."""
    with tempfile.TemporaryDirectory(prefix="tally-agents-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture(scope="session")
def cache() -> Iterator[Path]:
    """Where launcher and byte code are made once for all tests of a process."""
    with tempfile.TemporaryDirectory(prefix="tally-cache-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def _case(name: str, script: str) -> ParameterSet:
    marks = [pytest.mark.xdist_group(f"agents-{name}")]  # those of one agent follow each other in one process
    if not is_installed(name) and not ONLY:  # one that is asked for by name and missing is no skip: the test fails
        marks.append(pytest.mark.skip(reason=f"needs an agent: {name}, see scripts/agents.sh"))
    return pytest.param(name, script, id=f"{name}-{script}", marks=marks)


def _cases(*scripts: str) -> list[ParameterSet]:
    """One case for each agent and script that it can play: some have no tools."""
    return [_case(name, script) for name in AGENTS for script in scripts if script in PLAYS.get(name, scripts)]


def _recorded(name: str, script: str, provider: ScriptedProvider, place: Path, cache: Path) -> Recorded:
    suite = write_suite(place / "suite", with_pytest=script == "pytest-under-load")
    recorded = record(name, provider, suite, place, cache)
    assert recorded.passed, "the agent did not do what the script said"
    assert recorded.calls >= 2
    return recorded


def _judge(replays: list[tuple[str, Again]], note: Callable[[str, object], None]) -> None:
    """Hand the rate to the table, and demand that every replay was equal."""
    different = [f"{what}: {again.difference}" for what, again in replays if again.difference]
    equal = len(replays) - len(different)
    note("equal", equal)
    note("replays", len(replays))
    note("raw", sum(not again.difference and again.spans == 0 for _, again in replays))
    note("seconds", round(sum(again.seconds for _, again in replays) / len(replays), 1))
    assert not any(again.leaks for _, again in replays)
    assert not different


@pytest.mark.parametrize(("name", "script"), _cases("plain"))
def test_an_agent_does_the_same_under_other_circumstances(
    name: str, script: str, place: Path, cache: Path, record_property: Callable[[str, object], None]
) -> None:
    with ScriptedProvider(script) as provider:
        recorded = _recorded(name, script, provider, place, cache)
        _note_who(recorded, script, record_property)
        came = provider.accepts
        replays = [
            (condition.name, again)
            for number, condition in enumerate(TOGETHER if ONLY else CONDITIONS)
            for again in _under(condition, recorded, place / f"condition-{number}", cache)
        ]
        assert provider.accepts == came, "a replay asked the provider"
    _judge(replays, record_property)
    text = b"".join(bodies(recorded))
    assert [date for date in dates_of_today() if date in text] == []


def _under(condition: Condition, recorded: Recorded, folder: Path, cache: Path) -> list[Again]:
    folder.mkdir()
    where = condition.where(folder)
    if where.user is not None and may_replay(where.user, recorded.name):
        cache = _cache_of_another(folder, cache)
        for made in (folder, cache):
            os.chown(made, where.user, where.user)
    elif where.user is not None:
        where = Where()
    with busy(LOOPS if condition.loaded else 0):
        return replay(recorded, cache, where)


def _cache_of_another(folder: Path, cache: Path) -> Path:
    """A cache of their own, in which only the byte code lies already: a large agent's takes a minute to make."""
    made = folder / "cache"
    made.mkdir()
    if (cache / "byte-code").is_dir():
        (made / "byte-code").symlink_to(cache / "byte-code")
    return made


@pytest.mark.parametrize(("name", "script"), _cases("parallel", "flaky", "usual", "pytest-under-load"))
def test_an_agent_does_the_same_again(
    name: str, script: str, place: Path, cache: Path, record_property: Callable[[str, object], None]
) -> None:
    with ScriptedProvider(script, FLAKY if script == "flaky" else {}) as provider:
        recorded = _recorded(name, script, provider, place, cache)
        _note_who(recorded, script, record_property)
        came = provider.accepts
        replays = [("again", again) for again in replay(recorded, cache, times=TIMES)]
        assert provider.accepts == came, "a replay asked the provider"
    _judge(replays, record_property)


def _note_who(recorded: Recorded, script: str, note: Callable[[str, object], None]) -> None:
    note("agent", recorded.name)
    note("version", recorded.version)
    note("script", script)
    note("calls", recorded.calls)
    note("recorded", recorded.seconds)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "_what"), [_case("codex", "fifty")])
def test_fifty_attempts_on_a_loaded_machine_come_out_the_same(
    name: str, _what: str, place: Path, cache: Path, record_property: Callable[[str, object], None]
) -> None:
    with ScriptedProvider("usual") as provider, busy(LOOPS):
        recorded = record(name, provider, write_suite(place / "suite"), place, cache, attempts=ATTEMPTS)
        _note_who(recorded, f"usual, {ATTEMPTS} under load", record_property)
        assert recorded.passed
        came = provider.accepts
        replays = [("under load", again) for again in replay(recorded, cache)]
        assert provider.accepts == came, "a replay asked the provider"
    assert len(replays) == ATTEMPTS
    _judge(replays, record_property)
