"""The act of merging: all shards of one run in, one signed bundle out, as if the run had never been divided.

Nothing is chosen here. An attempt that two files hold is an error whatever became of it, and so is one that no file holds.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import tallystick
from tallystick.attest.bundle import HARNESS, AttemptEvidence, BundleInputs, build
from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.flows.publishing import write_signed
from tallystick.flows.verify import open_file
from tallystick.records.blobs import ChainedBlobs, MissingBlobError
from tallystick.records.bundle import Bundle
from tallystick.records.containers import Container, ShardFile, open_shard
from tallystick.records.evidence import Receipt, parse_grade, run_id_of, spine_root
from tallystick.records.journal import journal_root
from tallystick.records.shard import Shard, ShardResult, Share
from tallystick.records.traffic.cassette import parse_cassette
from tallystick.runner.executor import attempts_of, end_of
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import load_suite, packaged_names
from tallystick.trust.signing import Signer

__all__ = ["Merged", "ShardMismatchError", "merge", "opened_shard", "write_merged"]

Place = tuple[str, int]
"""Task id and attempt index."""

_NAMED_AT_MOST: Final = 5


class ShardMismatchError(InputError):
    """Shards that are not exactly the parts of one run."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The evidence of a whole run, and the unsigned bundle that follows from it."""

    inputs: BundleInputs
    bundle: Bundle


@dataclass(frozen=True, slots=True)
class _Opened:
    path: Path
    file: ShardFile

    @property
    def shard(self) -> Shard:
        return self.file.shard


@contextlib.contextmanager
def opened_shard(path: Path) -> Iterator[ShardFile]:
    """One shard file, open.

    Raises:
        InputError: it cannot be read, or is no shard of the form our writer makes.
    """
    with open_file(path) as stream:
        try:
            file = open_shard(stream)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        yield file


@contextlib.contextmanager
def merge(paths: Sequence[Path], given: LoadedSuite | None = None) -> Iterator[Merged]:
    """Put the shards of one run together; their files stay open while the result is used.

    Raises:
        ShardMismatchError: they are of different runs, overlap, or leave something out.
        InputError: a file cannot be read, or the suite is not known here.
        EvidenceError, TelemetryError, IncompleteRunError: evidence from which no verdict follows.
    """
    with contextlib.ExitStack() as stack:
        opened = [_Opened(path, stack.enter_context(opened_shard(path))) for path in paths]
        _check_same_run(opened)
        suite = _suite(opened[0], given)
        holders = _holders(opened, suite)
        inputs = _inputs(opened, suite, holders)
        yield Merged(inputs, build(inputs))


def write_merged(merged: Merged, signer: Signer | None, out: Path, container: Container | None = None) -> tuple[Bundle, Path]:
    """Sign and write the bundle; as `flows.publishing.write_signed`."""
    return write_signed(merged.inputs, merged.bundle, signer, out, container)


def _check_same_run(opened: Sequence[_Opened]) -> None:
    first = opened[0]
    for other in opened[1:]:
        for what, ours, theirs in _identity(first.shard, other.shard):
            if ours != theirs:
                raise ShardMismatchError(f"{first.path} and {other.path} are of different runs: they differ in {what}")
    if first.shard.harness.name != HARNESS or first.shard.harness.version != tallystick.__version__:
        made_by = f"{first.shard.harness.name} {first.shard.harness.version}"
        raise ShardMismatchError(f"{first.path} was made by {made_by}; merge it with that one, not {tallystick.__version__}")


def _identity(a: Shard, b: Shard) -> Iterator[tuple[str, object, object]]:
    """What every shard of a run has in common, in the words of its command line."""
    yield "the suite", (a.suite_hash, a.suite_version), (b.suite_hash, b.suite_version)
    for name in a.agent.__struct_fields__:
        yield f"the agent's {name}", getattr(a.agent, name), getattr(b.agent, name)
    for name in a.config.__struct_fields__:
        yield f"the {name} setting", getattr(a.config, name), getattr(b.config, name)
    yield "the number of attempts (-k)", a.attempts, b.attempts
    yield "the number of shards", a.share.of, b.share.of
    yield "the version of tally", a.harness, b.harness


def _suite(first: _Opened, given: LoadedSuite | None) -> LoadedSuite:
    """The suite the run was about: the reader's own, or the packaged one of that name; its hash must be that of the shards."""
    name = first.shard.suite_version
    if given is None and name not in packaged_names():
        raise InputError(f"these shards are about the suite {name}, which does not come with tally; give it with --suite")
    suite = given or load_suite(name)
    if (suite.version, suite.suite_hash) != (name, first.shard.suite_hash):
        raise ShardMismatchError(f"{first.path} is about another suite than the {suite.version} of this machine")
    return suite


def _holders(opened: Sequence[_Opened], suite: LoadedSuite) -> dict[Place, tuple[_Opened, ShardResult]]:
    """Who holds which attempt; exactly one file for each."""
    holders: dict[Place, tuple[_Opened, ShardResult]] = {}
    for each in opened:
        for result in each.shard.results:
            place = (result.task_id, result.attempt.index)
            if place in holders:
                raise ShardMismatchError(
                    f"{_named([place])} is in both {holders[place][0].path} and {each.path}; a run has each attempt once, "
                    "and merge does not choose between two"
                )
            holders[place] = (each, result)
    for each in opened:
        _check_its_share(each, suite)
    missing = [index for index in range(1, opened[0].shard.share.of + 1) if index not in {o.shard.share.index for o in opened}]
    if missing:
        raise ShardMismatchError(_missing_line(missing, opened[0].shard, suite))
    return holders


def _places(shard: Shard, share: Share, suite: LoadedSuite) -> list[Place]:
    return [(task.id, attempt.index) for task, attempt in attempts_of(suite.tasks, shard.attempts, share)]


def _check_its_share(each: _Opened, suite: LoadedSuite) -> None:
    share = each.shard.share
    found = [(result.task_id, result.attempt.index) for result in each.shard.results]
    if found != _places(each.shard, share, suite):
        raise ShardMismatchError(f"{each.path} does not hold exactly the attempts of shard {share.index}/{share.of}")


def _missing_line(missing: Sequence[int], shard: Shard, suite: LoadedSuite) -> str:
    of = shard.share.of
    lacking = [place for index in missing for place in _places(shard, Share(index=index, of=of), suite)]
    parts = ", ".join(f"{index}/{of}" for index in missing)
    return f"not the whole run: without shard {parts} there is no {_named(lacking)}; run what is missing with --shard"


def _named(places: Sequence[Place]) -> str:
    shown = [f"{task} #{index}" for task, index in places[:_NAMED_AT_MOST]]
    more = len(places) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _inputs(opened: Sequence[_Opened], suite: LoadedSuite, holders: dict[Place, tuple[_Opened, ShardResult]]) -> BundleInputs:
    shard = opened[0].shard
    run_id = run_id_of(suite.suite_hash, shard.agent, shard.config)
    hashes = {task.id: task.task_hash for task in suite.tasks}
    places = [(task.id, attempt.index) for task, attempt in attempts_of(suite.tasks, shard.attempts)]
    return BundleInputs(
        suite=suite.document,
        agent=shard.agent,
        config=shard.config,
        evidence=tuple(_evidence(*holders[place], run_id, hashes[place[0]]) for place in places),
        attempts=shard.attempts,
        submitted_at=int(time.time()),
        harness_version=shard.harness.version,
        blobs=ChainedBlobs(*(each.file for each in opened)),
        suite_blobs=suite.blobs,
    )


def _evidence(each: _Opened, result: ShardResult, run_id: Digest, task_hash: Digest) -> AttemptEvidence:
    where = f"{each.path}: {result.task_id} #{result.attempt.index}"
    try:
        receipt = each.file.receipt(result.receipt_hash)
        tries = tuple(each.file.receipt(earlier.receipt_hash) for earlier in result.tries)
        for one in (receipt, *tries):
            _check_receipt(one, result, (run_id, task_hash))
        _check_tries(tries)
        grade, cassette = receipt.link("grade"), receipt.link("cassette")
        return AttemptEvidence(
            receipt=receipt,
            grade=None if grade is None else parse_grade(each.file.read(grade)),
            observed=result.observed,
            tries=tries,
            cassette=None if cassette is None else parse_cassette(each.file.read(cassette)),
        )
    except (InputError, MissingBlobError) as error:
        raise ShardMismatchError(f"{where}: {error}") from None


def _check_receipt(receipt: Receipt, result: ShardResult, demanded: tuple[Digest, Digest]) -> None:
    """A receipt is of this run, task and attempt, and has the hashes it states."""
    if (receipt.run_id, receipt.task_hash) != demanded:
        raise InputError("a receipt is of another run or another task")
    if (receipt.task_id, receipt.attempt) != (result.task_id, result.attempt):
        raise InputError("a receipt is of another attempt")
    if journal_root(receipt.events) != receipt.journal_head or spine_root(receipt.spine) != receipt.spine_head:
        raise InputError("a receipt was changed: its hashes do not follow from what it holds")


def _check_tries(tries: Sequence[Receipt]) -> None:
    if any((end := end_of(receipt)) is not None and end.outcome == "graded" for receipt in tries):
        raise InputError("an earlier try was graded; only one that was cut off or refused may be followed by another")
