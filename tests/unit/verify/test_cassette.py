"""Recordings in a verification: what follows from their bytes (steps 10 and 13), and the agent run again on them (step 17)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import pytest

from tallystick.core.digest import sha256
from tallystick.records.base import UNSET, digest_of
from tallystick.records.blobs import BlobReader
from tallystick.records.evidence import AttemptLimits, Config, Receipt
from tallystick.records.report import Level, Report, Status, Step
from tallystick.records.task import Task
from tallystick.records.traffic.bodies import restore_all
from tallystick.records.traffic.cassette import Call, Cassette
from tallystick.records.traffic.rules import Rename, RuleSet
from tallystick.verify.bundle import verify
from tallystick.verify.ports import CannotReplayError, Replayed
from tallystick.verify.replay import TRIES
from tests.support import synthetic as s
from tests.support.synthetic_traffic import CONFIG, Talk, known, observe, part_of, recorded_run
from tests.unit.verify.test_regrade import FakeRegrader, NoSandbox

change = msgspec.structs.replace
SAME = Replayed("", 0)


@dataclass
class FakeReplayer:
    """Comes out as it is told to, one answer after the other, the last one again and again."""

    comes_out: tuple[Replayed | Exception, ...] = (SAME,)
    asked: list[tuple[str, int, int]] = field(default_factory=list)

    def replay(self, task: Task, receipt: Receipt, cassette: Cassette, blobs: BlobReader) -> Replayed:
        found = self.comes_out[min(len(self.asked), len(self.comes_out) - 1)]
        self.asked.append((task.id, receipt.attempt.index, len(list(restore_all(cassette.calls, blobs.read)))))
        if isinstance(found, Exception):
            raise found
        return found


def look(run: s.Run, replayer: FakeReplayer | None = None, **options: Any) -> Report:
    """The report on a run, by a reader who has rules and prices, and runs graders."""
    level = Level.regraded if replayer is None else Level.replayed
    sealed = s.seal(run)
    return verify(s.opened(sealed), sealed.suite, known(**({"level": level} | options)), FakeRegrader(), replayer)


def retold(run: s.Run, number: int, edit: Callable[[Call], Call]) -> s.Run:
    """The run with one call of its first attempt changed, journal and all."""
    part = run.parts[0]
    assert part.cassette is not None
    calls = tuple(edit(call) if call.call == number else call for call in part.cassette.calls)
    part.cassette = change(part.cassette, calls=calls)
    return run


def note(report: Report, step: Step) -> str:
    return report.steps[step - 1].note


def first(report: Report) -> tuple[Status, int, str]:
    row = report.rows[0]
    assert isinstance(row.step, int), report
    return row.status, row.step, row.reason


# what follows from the bytes


def test_an_honest_recording_says_nothing_new() -> None:
    report = look(recorded_run(2))
    assert (report.status, report.level, report.reasons) == (Status.MATCH, "regraded", ())
    assert note(report, Step.scores) == note(report, Step.journals) == ""


LIES: dict[str, tuple[Callable[[Call], Call], Status, str]] = {
    "another_model": (lambda call: change(call, model="n"), Status.DIVERGED, "model or parameters"),
    "another_temperature": (lambda call: change(call, params=(("temperature", "0"),)), Status.DIVERGED, "model or parameters"),
    "another_interface": (
        lambda call: change(call, path="/v1/responses", api="openai.responses"),
        Status.FABRICATED_SCORE,
        "usage or model",
    ),
    "no_model_asked": (lambda call: change(call, api="other", usage=UNSET, cost_usd=UNSET), Status.DIVERGED, "its api is not"),
    "query": (lambda call: change(call, query="a=b"), Status.DIVERGED, "the normalised request does not follow"),
    "header": (lambda call: change(call, headers=(("openai-beta", "x"),)), Status.DIVERGED, "the normalised request"),
    "request": (
        lambda call: change(call, request=sha256(b"")),
        Status.DIVERGED,
        "retry_of does not follow|the normalised request",
    ),
    "answer_size": (lambda call: change(call, answer_bytes=1), Status.HASH_MISMATCH, "its answer has another size"),
    "tokens": (lambda call: change(call, usage=change(call.usage, input=9)), Status.FABRICATED_SCORE, "usage or model"),
    "no_tokens": (lambda call: change(call, usage=UNSET, cost_usd=UNSET), Status.FABRICATED_SCORE, "usage or model"),
    "answered_by": (lambda call: change(call, answered_by="n"), Status.FABRICATED_SCORE, "usage or model"),
    "no_cost": (lambda call: change(call, cost_usd=0), Status.FABRICATED_SCORE, "its cost does not follow"),
    "cost_left_out": (lambda call: change(call, cost_usd=UNSET), Status.FABRICATED_SCORE, "its cost does not follow"),
    "repetition_denied": (lambda call: change(call, retry_of=UNSET), Status.DIVERGED, "retry_of does not follow"),
    "repetition_invented": (lambda call: change(call, retry_of=0), Status.DIVERGED, "retry_of does not follow"),
    "body_digest": (
        lambda call: change(call, body=change(call.body, whole=sha256(b""))),
        Status.HASH_MISMATCH,
        "its body is not the one",
    ),
    "body_size": (
        lambda call: change(call, body=change(call.body, size=1)),
        Status.HASH_MISMATCH,
        "its body has not the 1 bytes",
    ),
    "body_prefix": (
        lambda call: change(call, body=change(call.body, prefix=1 << 30)),
        Status.HASH_MISMATCH,
        "takes more of an earlier",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_call_that_does_not_follow_from_its_bytes(lie: str) -> None:
    edit, status, says = LIES[lie]
    report = look(retold(recorded_run(), 2, edit))
    found, step, reason = first(report)
    assert (found, step, report.status) == (status, Step.journals, Status.DIVERGED)
    assert any(one in reason for one in says.split("|")), reason


@pytest.mark.parametrize("member", ["api", "request", "status", "answer", "complete"])
def test_journal_and_recording_tell_the_same(member: str) -> None:
    other = {"api": "anthropic.messages", "request": sha256(b""), "status": 201, "answer": sha256(b""), "complete": False}
    run = recorded_run()
    run.parts[0].change_events = lambda events: tuple(
        change(event, **{member: other[member]}) if event.seq == 4 else event for event in events
    )
    assert first(look(run)) == (Status.DIVERGED, Step.journals, "call 2: journal and cassette differ")


def test_usage_beside_the_receipt_is_the_recordings() -> None:
    run = recorded_run()
    run.parts[0].observed = change(run.parts[0].observed, output_tokens=1)
    assert first(look(run))[:2] == (Status.FABRICATED_SCORE, Step.scores)
    run.parts[0].observed = UNSET
    assert "states no usage" in first(look(run))[2]


def test_cost_is_declared_without_the_price_table() -> None:
    for config in (change(CONFIG, prices=sha256(b"")), change(CONFIG, prices=UNSET)):
        report = look(retold(recorded_run(config=config), 2, lambda call: call))
        assert (report.status, report.level) == (Status.MATCH, "regraded")
        assert note(report, Step.scores) == "cost is declared: the price table of the run is not among this reader's"


def test_unknown_rules_cost_the_replay_only() -> None:
    replayer = FakeReplayer()
    report = look(recorded_run(rules=RuleSet(rules=(Rename(name="a", pattern="[0-9]{4}"),))), replayer)
    assert (report.status, report.level, replayer.asked) == (Status.MATCH, "regraded", [])
    assert "not among this reader's" in note(report, Step.journals)
    assert "the rules by which its requests are compared" in report.rows[0].reason


def test_rules_are_the_agents() -> None:
    run = recorded_run()
    run.agent = change(run.agent, rules=sha256(b""))
    assert "other rules than the agent's" in first(look(run))[2]


def test_one_answer_counts_once() -> None:
    run = recorded_run(2)
    run.parts[1].cassette = run.parts[0].cassette
    report = look(run, FakeReplayer())
    assert report.status is Status.REUSED_ANSWERS
    assert [row.status for row in report.rows].count(Status.REUSED_ANSWERS) == 1
    assert report.rows[1].reason == "call 0: its answer is that of a call of write_file attempt 1; one recording counts once"
    assert report.level == "claimed"


def test_failed_and_uncounted_answers_may_be_the_same() -> None:
    """An overloaded provider says the same to everybody, and so does a list of models."""
    report = look(recorded_run(2))
    assert report.status is Status.MATCH  # every attempt has an answer `{}` with status 503


def test_reused_answers_beside_something_worse() -> None:
    run = recorded_run(2)
    run.parts[1].cassette = run.parts[0].cassette
    run.parts[2].observed = change(run.parts[2].observed, calls=9)
    assert look(run).status is Status.DIVERGED


@pytest.mark.parametrize("what", ["answer", "request"])
def test_what_is_not_withheld_is_looked_at(what: str) -> None:
    def withheld(run: s.Run) -> s.Run:
        cassette = run.parts[0].cassette
        assert cassette is not None
        run.withheld = frozenset({cassette.calls[0].answer if what == "answer" else part_of(cassette, 0)})
        return run

    replayer = FakeReplayer()
    report = look(withheld(recorded_run(2)), replayer)
    assert (report.status, report.level) == (Status.MATCH, "regraded")
    assert len(replayer.asked) == (5 if what == "answer" else 0)  # all attempts begin with the same request
    assert report.rows[0].reason == "not run again: the bundle withholds a part of the recording"
    step, says = (Step.scores, "declared for answers") if what == "answer" else (Step.journals, "withholds a part")
    assert says in note(report, step)
    lie = retold(recorded_run(2), 2, lambda call: change(call, usage=change(call.usage, output=0)))
    assert first(look(withheld(lie)))[0] is Status.FABRICATED_SCORE
    twice = recorded_run(2)
    twice.parts[1].cassette = twice.parts[0].cassette
    assert look(withheld(twice)).status is Status.REUSED_ANSWERS


def test_a_withheld_recording() -> None:
    run, replayer = recorded_run(), FakeReplayer()
    run.withheld = frozenset({digest_of(run.parts[0].cassette)})
    report = look(run, replayer)
    assert (report.status, report.level, len(replayer.asked)) == (Status.MATCH, "regraded", 2)
    assert report.rows[0].reason == "not run again: the bundle withholds the recording"
    assert note(report, Step.scores) == "tokens and cost are declared where no recording is here"
    run.parts[0].observed = change(run.parts[0].observed, calls=1)
    assert first(look(run)) == (Status.FABRICATED_SCORE, Step.scores, "observed: the journal has 3 calls to models")


UNRECORDED = change(CONFIG, recording="none")


def without_recordings(config: Config = UNRECORDED) -> s.Run:
    """The same run, made without keeping anything but the journal."""
    run = recorded_run(config=config)
    for part in run.parts:
        cassette = part.cassette
        assert cassette is not None
        talked = s.evidence_of(run, part).receipt.events
        part.cassette = None
        kept = [event for event in talked if hasattr(event, "call")]
        part.change_events = (
            lambda events, kept=kept: tuple(  # type: ignore[misc]
                change(event, seq=place) for place, event in enumerate((*events[:2], *kept, *events[2:]))
            )
        )
    return run


def test_a_run_without_recordings() -> None:
    replayer = FakeReplayer()
    report = look(without_recordings(), replayer)
    assert (report.status, report.level, replayer.asked) == (Status.MATCH, "regraded", [])
    assert report.steps[Step.replay - 1].state == "not_applicable"
    assert note(report, Step.scores) == "tokens and cost are declared where no recording is here"
    assert report.rows[0].reason == "not run again: this bundle carries no recorded answers"


def test_config_and_recordings_go_together() -> None:
    assert first(look(without_recordings(CONFIG)))[2] == "the run was recorded, but the spine names no cassette"
    assert "the spine has cassette where" in first(look(recorded_run(config=UNRECORDED)))[2]


@pytest.mark.parametrize("network", ["none", "host"])
def test_calls_need_a_gateway(network: Any) -> None:
    report = look(recorded_run(config=change(CONFIG, network=network)))
    assert first(report) == (Status.DIVERGED, Step.journals, "event 2: model.call in a run without a gateway")


def test_a_bound_on_calls_was_kept() -> None:
    allowed = [look(recorded_run(config=change(CONFIG, limits=AttemptLimits(calls=calls)))).status for calls in (2, 3)]
    assert allowed == [Status.DIVERGED, Status.MATCH]


def test_a_blob_that_no_call_names_is_refused() -> None:
    run = recorded_run()
    sealed = s.seal(run)
    more = replace(sealed, digests=sealed.digests | {run.blobs.put(b"an answer that was discarded")})
    report = verify(s.opened(more), sealed.suite, known(), FakeRegrader())
    assert report.status is Status.HASH_MISMATCH
    assert "no receipt names it" in report.reasons[0]


@pytest.mark.slow
def test_a_recording_of_very_many_calls_is_read_in_bounded_time() -> None:
    run = recorded_run()
    part = run.parts[0]
    talk = Talk("many", run.blobs)
    talk.ask("begin")
    one = talk.calls[0]
    part.cassette = Cassette(rules=talk.cassette.rules, calls=tuple(change(one, call=number) for number in range(20_000)))
    observe(part)
    sealed = s.seal(run)
    file = s.opened(sealed, "tally")
    started = time.process_time()
    report = verify(file, sealed.suite, known())
    assert report.status is Status.MATCH
    assert time.process_time() - started < 60  # of processor time, far above what it takes


# the agent run again


def test_every_regraded_row_is_replayed() -> None:
    replayer = FakeReplayer()
    report = look(recorded_run(2), replayer)
    assert (report.status, report.level) == (Status.MATCH, "replayed")
    assert replayer.asked == [(task, index, 4) for task in ("write_file", "shorten", "fix_bug") for index in (1, 2)]
    assert {row.reason for row in report.rows} == {"sent the same requests (exact) and left the same files"}


def test_spans_of_rules_are_told() -> None:
    report = look(recorded_run(), FakeReplayer((Replayed("", 7),)))
    assert "(equal after declared rules, 7 spans)" in report.rows[0].reason
    assert report.level == "replayed"


def test_a_difference_is_tried_again() -> None:
    replayer = FakeReplayer((Replayed("event 3 was model.call", 0), SAME))
    report = look(recorded_run(), replayer)
    assert (report.status, report.level) == (Status.MATCH, "replayed")
    assert report.rows[0].reason.endswith(f", at the 2. of {TRIES} tries")
    assert len(replayer.asked) == 4


def test_a_difference_that_stays_is_told_after_three_tries() -> None:
    replayer = FakeReplayer((Replayed("call 1: messages[0].content", 0),))
    report = look(recorded_run(), replayer)
    assert (report.status, report.level) == (Status.DIVERGED, "regraded")
    assert first(report) == (Status.DIVERGED, Step.replay, "run again 3 times: call 1: messages[0].content")
    assert len(replayer.asked) == 3 * TRIES


@pytest.mark.parametrize(
    ("demand", "status"), [(Level.claimed, Status.MATCH), (Level.regraded, Status.MATCH), (Level.replayed, Status.NOT_REPLAYED)]
)
def test_a_machine_that_cannot_replay(demand: Level, status: Status) -> None:
    replayer = FakeReplayer((CannotReplayError("asking here is another program"),))
    report = look(recorded_run(), replayer, demand=demand)
    assert (report.status, report.level) == (status, "regraded")
    assert report.rows[0].reason == "not run again: asking here is another program"
    assert note(report, Step.replay).endswith("not run again: asking here is another program") or status is not Status.MATCH


def test_a_leak_is_no_replay() -> None:
    report = look(recorded_run(), FakeReplayer((Replayed("", 3, leaks=1),)))
    assert (report.status, report.level) == (Status.MATCH, "regraded")
    assert "declared no handle: it does not count as replayed" in report.rows[0].reason
    demanded = look(recorded_run(), FakeReplayer((Replayed("", 3, leaks=1),)), demand=Level.replayed)
    assert demanded.status is Status.NOT_REPLAYED


def test_hosts_beside_the_models_cap_the_level() -> None:
    replayer = FakeReplayer()
    report = look(recorded_run(config=change(CONFIG, hosts=("pypi.example:443",))), replayer)
    assert (report.status, report.level, replayer.asked) == (Status.MATCH, "regraded", [])
    assert report.rows[0].reason == "not run again: the agent could reach pypi.example:443, of which nothing is recorded"


def test_nobody_asked() -> None:
    report = look(recorded_run())
    assert (report.steps[Step.replay - 1].state, note(report, Step.replay)) == ("skipped", "not asked for")
    demanded = look(recorded_run(), demand=Level.replayed)
    assert demanded.status is Status.NOT_REPLAYED
    assert {row.reason for row in demanded.rows} == {"not asked for"}


def test_only_what_was_regraded_is_replayed() -> None:
    sealed, replayer = s.seal(recorded_run()), FakeReplayer()
    report = verify(s.opened(sealed), sealed.suite, known(level=Level.replayed), NoSandbox(), replayer)
    assert replayer.asked == [("write_file", 1, 4)]  # portable assertions only: nothing to repeat
    assert (report.status, report.level) == (Status.MATCH, "rederived")


def test_nothing_of_a_changed_file_is_run() -> None:
    sealed, replayer = s.seal(recorded_run()), FakeReplayer()
    changed = s.edited(sealed, submitted_at=sealed.bundle.submitted_at + 1)
    report = verify(s.opened(changed), sealed.suite, known(level=Level.replayed), FakeRegrader(), replayer)
    assert (report.status, replayer.asked) == (Status.HASH_MISMATCH, [])
