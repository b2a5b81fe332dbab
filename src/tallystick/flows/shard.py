"""The act of writing a shard: the finished attempts of one share of a run, for `flows.merge`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tallystick.attest.bundle import HARNESS, AttemptEvidence, BundleInputs
from tallystick.core import limits
from tallystick.flows.publishing import check_secrets, contents_of, write_file
from tallystick.flows.run import RunDone
from tallystick.flows.writing import find_place, written_name
from tallystick.records.base import digest_of, write
from tallystick.records.bundle import Harness, Try
from tallystick.records.containers import write_shard
from tallystick.records.shard import Shard, ShardResult, Share

__all__ = ["SHARD_ENDING", "publish_shard"]

SHARD_ENDING: Final = ".shard"


def publish_shard(done: RunDone, out: Path) -> tuple[Shard, Path]:
    """Write the shard of a finished share as one file, whole or not at all; returns both.

    A name without its ending gets `.shard`.

    Raises:
        StoreError: the file cannot be written.
        InputError: `out` is no place for a file.
    """
    if done.inputs is None or done.share is None:
        raise RuntimeError("only a finished share of a run has a shard")
    check_secrets(done)
    find_place(out)
    shard = _shard(done.inputs, done.share)
    receipts = {
        digest_of(each): write(each, limits.RECEIPT_BYTES) for one in done.inputs.evidence for each in (one.receipt, *one.tries)
    }
    target = written_name(out, {SHARD_ENDING}, SHARD_ENDING)
    write_file(target, write_shard(shard, receipts, contents_of(done.inputs)))
    return shard, target


def _shard(inputs: BundleInputs, share: Share) -> Shard:
    return Shard(
        suite_hash=inputs.suite.suite_hash,
        suite_version=inputs.suite.version,
        agent=inputs.agent,
        config=inputs.config,
        harness=Harness(name=HARNESS, version=inputs.harness_version),
        attempts=inputs.attempts,
        share=share,
        results=tuple(_shard_result(one) for one in inputs.evidence),
    )


def _shard_result(one: AttemptEvidence) -> ShardResult:
    return ShardResult(
        task_id=one.receipt.task_id,
        attempt=one.receipt.attempt,
        receipt_hash=digest_of(one.receipt),
        tries=tuple(Try(receipt_hash=digest_of(earlier), receipt=earlier) for earlier in one.tries),
        observed=one.observed,
    )
