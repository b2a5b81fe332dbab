"""Runs whose agents ask models, up to the verdict of a stranger: recorded, bounded, cut off, withheld, run again."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tallystick.flows.models import ModelWays
from tallystick.flows.publishing import SecretError, publish
from tallystick.flows.redact import RedactRequest, withhold
from tallystick.flows.replay import ReplayRequest
from tallystick.flows.run import RunDone, RunRequest, run
from tallystick.flows.verify import VerifyRequest, verify_path
from tallystick.records.base import UNSET
from tallystick.records.journal import AgentEnd, AttemptEnd, Decision, ModelCall, NetworkHost
from tallystick.records.report import Level, Report, Status, Step
from tallystick.records.traffic.prices import Price, PriceTable
from tallystick.sandbox.drivers import probe
from tallystick.scoring.verdict import event_of
from tallystick.trust.signing import Signer
from tests.support.recorded import RECORDED, WRITE, Asking, ways_to
from tests.support.scripted_provider import ScriptedProvider

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("models"),
    pytest.mark.skipif(not probe().works, reason=f"bubblewrap cannot start here: {probe().problem}"),
]
SIGNER = Signer.generate()


@dataclasses.dataclass
class Bench:
    """A provider, and runs of one attempt at one task against it."""

    folder: Path
    provider: ScriptedProvider

    def adapter(self, **members: Any) -> Asking:
        return Asking(provider=self.provider, **{"moods": {}, "faults": {}, **members})

    def run(self, adapter: Asking | None = None, cancel: threading.Event | None = None, **ways: Any) -> RunDone:
        models: ModelWays = ways_to(self.provider, self.folder / "cache", **ways)
        request = RunRequest(
            RECORDED, adapter or self.adapter(), self.folder / "state", tasks=(WRITE,), workers=1, models=models
        )
        return run(request, cancel=cancel)

    def published(self, done: RunDone, name: str = "b.json") -> Path:
        return publish(done, SIGNER, self.folder / name)[1]

    def verify(self, path: Path, demand: Level = Level.claimed, source: Asking | None = None) -> Report:
        replay = ReplayRequest(lambda _agent, _suite: source or self.adapter(), self.folder / "cache")
        return verify_path(VerifyRequest(path, suite=RECORDED, demand=demand, replay=replay))


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with ScriptedProvider("tiny") as provider:
        yield Bench(tmp_path, provider)


def ending(done: RunDone) -> tuple[AgentEnd | None, AttemptEnd | None]:
    receipt = done.executed.attempts[0].receipt
    return event_of(receipt, AgentEnd), event_of(receipt, AttemptEnd)


def row_of(report: Report) -> tuple[Status, str, str]:
    (row,) = report.rows
    return row.status, row.level, row.reason


def test_what_was_recorded_is_run_again_without_the_provider(bench: Bench) -> None:
    done = bench.run()
    path = bench.published(done)
    asked, accepted = len(bench.provider.seen), bench.provider.accepts
    assert asked > 1
    report = bench.verify(path, Level.replayed)
    assert row_of(report)[:2] == (Status.MATCH, "replayed")
    assert "(exact)" in report.rows[0].reason
    assert (len(bench.provider.seen), bench.provider.accepts) == (asked, accepted)
    assert done.executed.attempts[0].observed.calls == sum(
        isinstance(event, ModelCall) for event in done.executed.attempts[0].receipt.events
    )
    assert done.executed.attempts[0].observed.cost_usd is not UNSET


def test_decisions_stand_in_the_coordination_lane(bench: Bench) -> None:
    decisions = [each for each in bench.run().executed.attempts[0].receipt.events if isinstance(each, Decision)]
    assert [(each.name, each.text) for each in decisions] == [("plan", "one model, one shell")]


@pytest.mark.parametrize(("bound", "value"), [("calls", 1), ("tokens", 1)])
def test_a_bound_ends_the_attempt_and_its_replay_alike(bench: Bench, bound: str, value: int) -> None:
    done = bench.run(**{bound: value})
    agent, end = ending(done)
    assert agent is not None
    assert (agent.limit, agent.exit, end and end.outcome) == (bound, UNSET, "graded")
    assert done.executed.attempts[0].observed.calls == 1
    assert row_of(bench.verify(bench.published(done), Level.replayed))[1] == "replayed"


def test_the_cost_that_the_task_allows_ends_the_attempt(bench: Bench) -> None:
    task = next(task for task in RECORDED.tasks if task.id == WRITE)
    assert task.limits.cost_usd > 0
    dear = PriceTable(name="dear", as_of="2026-11-01", prices=(Price(model="scripted*", input=1_000_000, output=1_000_000),))
    agent, _ = ending(bench.run(prices=dear))
    assert agent is not None
    assert agent.limit == "cost"


def test_without_a_cassette_the_tests_can_be_run_again_and_the_agent_cannot(bench: Bench) -> None:
    done = bench.run(keep=False)
    receipt = done.executed.attempts[0].receipt
    assert receipt.link("cassette") is None
    assert any(isinstance(event, ModelCall) for event in receipt.events)
    path = bench.published(done)
    assert row_of(bench.verify(path))[1] == "regraded"
    status, _, reason = row_of(bench.verify(path, Level.replayed))
    assert status is Status.NOT_REPLAYED
    assert "this bundle carries no recorded answers" in reason


def test_a_run_that_was_stopped_pays_for_no_call_twice(bench: Bench) -> None:
    whole = bench.run()
    calls = len(bench.provider.seen)
    (bench.folder / "state").rename(bench.folder / "first")
    cancel = threading.Event()

    class Stopping(Asking):
        pass

    watched = Stopping(provider=bench.provider, moods={}, faults={})
    before = len(bench.provider.seen)
    _when(lambda: len(bench.provider.seen) >= before + 2, cancel.set)
    stopped = bench.run(watched, cancel)
    assert stopped.executed.stopped
    paid = len(bench.provider.seen) - before
    done = bench.run()
    again = len(bench.provider.seen) - before
    assert 2 <= paid <= again <= calls + 1, "only a call that was under way when the run stopped is made twice"
    assert len(done.executed.attempts[0].tries) == 1
    first, second = (each.executed.attempts[0] for each in (whole, done))
    assert first.observed.calls == second.observed.calls
    assert row_of(bench.verify(bench.published(done), Level.replayed))[1] == "replayed"


def _when(ready: Callable[[], bool], act: Callable[[], None]) -> None:
    def wait() -> None:
        pause = threading.Event()
        for _ in range(6000):
            if ready():
                break
            pause.wait(0.01)
        act()

    threading.Thread(target=wait, daemon=True).start()


def test_a_provider_that_fails_is_no_failure_of_the_agent(bench: Bench) -> None:
    always = {(WRITE, 1): dict.fromkeys(range(1000), "503")}
    done = bench.run(bench.adapter(faults=always))
    _, end = ending(done)
    assert end is not None
    assert (end.outcome, end.cause) == ("infra_error", "provider_failed")
    assert len(done.executed.attempts[0].tries) == 2
    report = bench.verify(bench.published(done))
    assert row_of(report)[0] is Status.MATCH
    assert (report.rows[0].outcome, report.rows[0].tries) == ("infra_error", 2)
    healthy = bench.run()
    assert len(healthy.executed.attempts[0].tries) == 3
    assert ending(healthy)[1] == AttemptEnd(seq=ending(healthy)[1].seq, outcome="graded")  # type: ignore[union-attr]


LEAK = "sk-ant-" + "a1B2" * 8


def test_a_key_that_an_agent_found_elsewhere_is_not_published(bench: Bench) -> None:
    source = bench.adapter().source + "\nopen('notes.txt', 'w').write('sk-ant-' + 'a1B2' * 8)\n"
    done = bench.run(bench.adapter(source=source))
    with pytest.raises(SecretError, match=r"write_file attempt 1: the file notes\.txt holds a key \(anthropic key\)") as caught:
        bench.published(done)
    assert LEAK not in str(caught.value)
    assert not (bench.folder / "b.json").exists()
    again = bench.run(bench.adapter(source=source), withhold_secrets=True)
    path = bench.published(again)
    assert LEAK.encode() not in path.read_bytes()
    assert again.bundle is not None
    assert len(again.bundle.withheld) == 1


def test_withheld_recordings_cost_the_replay_and_nothing_else(bench: Bench) -> None:
    path = bench.published(bench.run())
    done = withhold(RedactRequest(path, bench.folder / "less.json", recordings=True), SIGNER)
    assert done.withheld
    report = bench.verify(done.path)
    assert row_of(report)[:2] == (Status.MATCH, "regraded")
    status, _, reason = row_of(bench.verify(done.path, Level.replayed))
    assert status is Status.NOT_REPLAYED
    assert "withholds a part of the recording" in reason


def test_hosts_beside_the_models_cap_the_level(bench: Bench) -> None:
    source = bench.adapter().source + (
        "\nimport http.client, socket"
        "\nproxy = http.client.HTTPConnection('127.0.0.1', 8081)"
        f"\nproxy.set_tunnel('127.0.0.1', {bench.provider.port})"
        "\nproxy.request('GET', '/v1/models'); proxy.getresponse().read()\n"
    )
    done = bench.run(bench.adapter(source=source), hosts=(f"127.0.0.1:{bench.provider.port}",))
    used = [event for event in done.executed.attempts[0].receipt.events if isinstance(event, NetworkHost)]
    assert [(event.host, event.port) for event in used] == [("127.0.0.1", bench.provider.port)]
    path = bench.published(done)
    assert row_of(bench.verify(path))[1] == "regraded"
    status, _, reason = row_of(bench.verify(path, Level.replayed, bench.adapter(source=source)))
    assert status is Status.NOT_REPLAYED
    assert "of which nothing is recorded" in reason


def test_another_program_is_named(bench: Bench) -> None:
    path = bench.published(bench.run())
    other = bench.adapter(source=bench.adapter().source + "\n# another\n")
    report = bench.verify(path, Level.replayed, other)
    status, level, reason = row_of(report)
    assert (status, level) == (Status.NOT_REPLAYED, "regraded")
    assert "another program" in reason
    assert report.steps[Step.replay - 1].state == "failed"


def test_a_program_that_asks_otherwise_diverges_at_a_named_place(bench: Bench) -> None:
    path = bench.published(bench.run())

    class Posing(Asking):
        """Says that it is the recorded program, and asks for another temperature."""

    posing = Posing(provider=bench.provider, moods={}, faults={})
    genuine = bench.adapter().agent
    posing.source = posing.source.replace('"temperature": 0.5', '"temperature": 0.7')
    posing.__post_init__()
    posing.agent = genuine
    status, _, reason = row_of(bench.verify(path, Level.replayed, posing))
    assert status is Status.DIVERGED
    assert "call 1: temperature" in reason or "temperature" in reason
    assert "run again 3 times" in reason
