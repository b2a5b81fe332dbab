"""A run that was divided and merged is the run that was never divided; whatever is not exactly one run is refused by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.flows.merge import ShardMismatchError, merge, write_merged
from tallystick.flows.publishing import publish
from tallystick.flows.run import RunRequest, run
from tallystick.flows.shard import publish_shard
from tallystick.flows.verify import VerifyRequest, verify_path
from tallystick.recording.runs import RunFolder
from tallystick.records.base import digest_of, write
from tallystick.records.bundle import Bundle, Harness, Try
from tallystick.records.containers import BlobView, open_bundle, open_shard, write_shard
from tallystick.records.evidence import Attempt, Receipt, spine_root
from tallystick.records.report import Status
from tallystick.records.shard import Shard, Share
from tallystick.records.state import parse_run_state
from tallystick.records.task import hash_suite
from tallystick.runner.mock import MockAdapter, StochasticMockAdapter
from tallystick.scoring.verdict import EvidenceError
from tallystick.trust.signing import Signer
from tests.support.fake_sandbox import TINY

FIRST = TINY.tasks[0].id


def asked(state: Path, **members: Any) -> RunRequest:
    return RunRequest(**({"suite": TINY, "adapter": StochasticMockAdapter(4), "state": state} | members))


def shards(folder: Path, of: int, attempts: int = 2, **members: Any) -> list[Path]:
    """The shard files of one run, each made with a state of its own, as on machines that share nothing."""
    made = []
    for index in range(1, of + 1):
        done = run(asked(folder / f"machine{index}", attempts=attempts, share=Share(index=index, of=of), **members))
        made.append(publish_shard(done, folder / f"{index}-of-{of}")[1])
    return made


def merged(paths: Sequence[Path], out: Path, signer: Signer | None = None) -> Bundle:
    with merge(paths, TINY) as done:
        return write_merged(done, signer, out)[0]


def receipts(bundle: Path) -> dict[tuple[str, int], bytes]:
    with bundle.open("rb") as stream:
        file = open_bundle(stream)
        return {(row.task_id, row.attempt.index): file.receipt_bytes(row.receipt_hash) for row in file.bundle.task_results}


@given(count=st.integers(0, 60), of=st.integers(1, 70))
def test_parts_are_disjoint_complete_and_of_equal_size(count: int, of: int) -> None:
    parts = [Share(index=index, of=of).take(range(count)) for index in range(1, of + 1)]
    assert sorted(number for part in parts for number in part) == list(range(count))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("of", [1, 2, 3, 6])
def test_a_merged_run_has_the_receipts_of_an_undivided_one(of: int, tmp_path: Path) -> None:
    whole, _ = publish(run(asked(tmp_path / "whole", attempts=2)), None, tmp_path / "whole.json")
    again = merged(list(reversed(shards(tmp_path, of))), tmp_path / "merged.json")
    assert receipts(tmp_path / "merged.json") == receipts(tmp_path / "whole.json")
    for name in ("pass_rate", "interval", "coordination", "agent", "config", "scheduler_config", "partial", "harness"):
        assert getattr(again, name) == getattr(whole, name), name
    assert again.totals.passed == whole.totals.passed
    assert 0 < again.totals.passed < again.totals.attempts


def test_a_merged_run_verifies_and_is_signed(tmp_path: Path) -> None:
    bundle = merged(shards(tmp_path, 3), tmp_path / "b.tally", Signer.generate())
    assert bundle.partial is msgspec.UNSET
    report = verify_path(VerifyRequest(path=tmp_path / "b.tally", suite=TINY, execute=False))
    assert (report.status, report.level) == (Status.MATCH, "rederived")


def test_shards_of_one_run_on_one_disk_neither_see_nor_block_each_other(tmp_path: Path) -> None:
    first = run(asked(tmp_path, share=Share(index=1, of=2)))
    second = run(asked(tmp_path, share=Share(index=2, of=2)))
    assert first.folder.relative_to(tmp_path).parts[:2] == ("shards", "1-of-2")
    assert (second.executed.resumed, len(first.executed.attempts), len(second.executed.attempts)) == (0, 2, 1)
    assert run(asked(tmp_path, share=Share(index=1, of=2))).executed.resumed == 2
    assert run(asked(tmp_path)).executed.resumed == 0


def test_cut_off_tries_come_along(tmp_path: Path) -> None:
    stopped = run(asked(tmp_path / "machine1", attempts=2, share=Share(index=1, of=2)))
    folder = RunFolder(stopped.folder, parse_run_state((stopped.folder / "run.json").read_bytes()))
    for stored in (stopped.folder / "attempts").iterdir():
        stored.unlink()
    folder.begin(FIRST, Attempt(index=1, of=2))
    bundle = merged(shards(tmp_path, 2), tmp_path / "b.json")
    assert [len(row.tries) for row in bundle.task_results] == [1, 0, 0, 0, 0, 0]
    report = verify_path(VerifyRequest(path=tmp_path / "b.json", suite=TINY, execute=False))
    assert report.status is Status.UNSIGNED


# --- what is not exactly one run ---


def refusal(paths: Sequence[Path]) -> str:
    with pytest.raises(ShardMismatchError) as caught, merge(paths, TINY):
        pass
    return str(caught.value)


def test_a_missing_shard_is_named_with_what_it_would_hold(tmp_path: Path) -> None:
    first, _, third = shards(tmp_path, 3)
    line = refusal([first, third])
    assert "without shard 2/3" in line
    assert f"{FIRST} #2" in line


def test_the_better_of_two_cannot_be_chosen(tmp_path: Path) -> None:
    paths = shards(tmp_path, 2)
    again = run(asked(tmp_path / "machine1", attempts=2, share=Share(index=1, of=2), fresh=True))
    _, second = publish_shard(again, tmp_path / "again")
    assert f"{FIRST} #1 is in both" in refusal([*paths, second])
    assert "does not choose" in refusal([*paths, paths[0]])


def test_another_division_does_not_fit(tmp_path: Path) -> None:
    line = refusal([shards(tmp_path / "a", 2)[0], shards(tmp_path / "b", 3)[1]])
    assert line.endswith("differ in the number of shards")


@pytest.mark.parametrize(
    ("members", "what"),
    [
        ({"adapter": StochasticMockAdapter(5)}, "the agent's name"),
        ({"adapter": MockAdapter()}, "the agent's adapter"),
        ({"attempts": 3}, "the number of attempts"),
    ],
)
def test_another_run_does_not_fit(members: dict[str, Any], what: str, tmp_path: Path) -> None:
    line = refusal([shards(tmp_path / "a", 2)[0], shards(tmp_path / "b", 2, **members)[1]])
    assert what in line


def test_another_suite_does_not_fit(tmp_path: Path) -> None:
    paths = shards(tmp_path, 1)
    with pytest.raises(InputError, match="which does not come with tally; give it with --suite"), merge(paths):
        pass
    tasks = TINY.document.tasks[:2]
    document = msgspec.structs.replace(TINY.document, tasks=tasks, suite_hash=hash_suite(tasks), cheats=())
    other = dataclasses.replace(TINY, document=document)
    with pytest.raises(ShardMismatchError, match="another suite"), merge(paths, other):
        pass


def test_what_is_no_shard_is_named(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"{}")
    with pytest.raises(InputError, match=r"x: no shard"), merge([tmp_path / "x"], TINY):
        pass


# --- a shard that was written by hand ---


def rewritten(path: Path, change: Any) -> Path:
    """A copy of a shard file whose document and receipts `change` made anew; hashes of the container are right."""
    with path.open("rb") as stream:
        file = open_shard(stream)
        held = {digest: file.receipt_bytes(digest) for digest in file.receipts}
        shard, extra = change(file.shard, [file.receipt(row.receipt_hash) for row in file.shard.results])
        named = {d for row in shard.results for d in (row.receipt_hash, *(each.receipt_hash for each in row.tries))}
        every = {digest: data for digest, data in (held | extra).items() if digest in named}
        out = path.with_suffix(".bent.shard")
        out.write_bytes(b"".join(write_shard(shard, every, BlobView(file.sizes, file))))
    return out


def first_receipt(edit: Any) -> Any:
    """A change of the first receipt alone."""

    def change(shard: Shard, found: list[Receipt]) -> tuple[Shard, dict[Digest, bytes]]:
        bent = edit(found[0])
        row = msgspec.structs.replace(shard.results[0], receipt_hash=digest_of(bent))
        return msgspec.structs.replace(shard, results=(row, *shard.results[1:])), {digest_of(bent): write(bent)}

    return change


def of_shard(**members: Any) -> Any:
    return lambda shard, _: (msgspec.structs.replace(shard, **members), {})


def left_out(shard: Shard, _: list[Receipt]) -> tuple[Shard, dict[Digest, bytes]]:
    return msgspec.structs.replace(shard, results=shard.results[1:]), {}


def graded_try(shard: Shard, found: list[Receipt]) -> tuple[Shard, dict[Digest, bytes]]:
    row = msgspec.structs.replace(shard.results[0], tries=(Try(receipt_hash=digest_of(found[0])),))
    return msgspec.structs.replace(shard, results=(row, *shard.results[1:])), {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (left_out, "does not hold exactly the attempts of shard 1/2"),
        (of_shard(share=Share(index=2, of=2)), "does not hold exactly the attempts of shard 2/2"),
        (of_shard(harness=Harness(name="tallystick", version="0")), "differ in the version of tally"),
        (graded_try, "an earlier try was graded"),
        (
            first_receipt(lambda r: msgspec.structs.replace(r, run_id=r.task_hash)),
            f"{FIRST} #1: a receipt is of another run",
        ),
        (first_receipt(lambda r: msgspec.structs.replace(r, attempt=Attempt(index=2, of=2))), "of another attempt"),
        (first_receipt(lambda r: msgspec.structs.replace(r, events=r.events[:-1])), "a receipt was changed"),
        (first_receipt(lambda r: msgspec.structs.replace(r, spine=r.spine[:-1])), "a receipt was changed"),
    ],
    ids=["left_out", "another_part", "another_version", "graded_try", "other_run", "other_attempt", "events", "spine"],
)
def test_a_shard_that_was_written_by_hand(change: Any, said: str, tmp_path: Path) -> None:
    first, second = shards(tmp_path, 2)
    assert said in refusal([rewritten(first, change), second])


def test_evidence_from_which_no_verdict_follows_makes_no_bundle(tmp_path: Path) -> None:
    first, second = shards(tmp_path, 2)

    def cut(receipt: Receipt) -> Receipt:
        spine = receipt.spine[:-1]
        return msgspec.structs.replace(receipt, spine=spine, spine_head=spine_root(spine))

    with pytest.raises(EvidenceError, match="there is no grade"), merge([rewritten(first, first_receipt(cut)), second], TINY):
        pass


# --- what cannot be divided ---


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"tasks": (FIRST,)}, "--task and --limit"),
        ({"limit": 1}, "--task and --limit"),
        ({"attempts": 1}, "make 3 shards at most"),
    ],
)
def test_what_cannot_be_divided(members: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        run(asked(tmp_path, share=Share(index=1, of=4), **({"attempts": 2} | members)))
    assert list(tmp_path.iterdir()) == []
