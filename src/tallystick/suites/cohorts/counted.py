"""Nothing counts twice: no document, no work under another id, no attempt under another name of its agent, no agent as two."""

from __future__ import annotations

from dataclasses import dataclass, field

from tallystick.core import pyjson
from tallystick.core.pyjson import PyJsonError
from tallystick.records.cohort.cohort import CohortTask
from tallystick.records.cohort.origin import Origin, origin_of
from tallystick.records.cohort.result_manifest import ResultManifest
from tallystick.suites.cohorts.attempts import Pair
from tallystick.suites.cohorts.reporting import Code, Said

__all__ = ["Counted", "counted_twice"]

_NOT_THE_WORK = ("id", "attempt", "extensions")
"""Members of a ResultManifest that a copy under another name changes."""


@dataclass(slots=True)
class Counted:
    """What has been counted of a cohort. All are texts that name it: digests, or members joined by spaces."""

    manifests: set[str] = field(default_factory=set)
    bodies: set[str] = field(default_factory=set)
    results: set[str] = field(default_factory=set)
    receipts: set[str] = field(default_factory=set)
    attempts: set[str] = field(default_factory=set)
    negatives: set[str] = field(default_factory=set)
    structures: dict[str, str] = field(default_factory=dict)
    """The structural signature under which each agent counts."""


def counted_twice(task: CohortTask, pair: Pair, counted: Counted) -> Said:
    """The same work is no second attempt, whatever it is called, and the same agent has no second structure."""
    origin = origin_of(pair.manifest.value)
    yield from _same_work(task, pair, origin, counted)
    if not isinstance(origin.identity, str):
        return
    signature = pair.attempt.structural_signature
    known = counted.structures.setdefault(origin.identity, signature)
    if known != signature:
        yield Code.SIGNATURE_DRIFT, f"the same agent counts as {known!r} in another attempt, and as {signature!r} in this one"


def _same_work(task: CohortTask, pair: Pair, origin: Origin, counted: Counted) -> Said:
    index = pair.attempt
    seen = {
        "ResultManifest": (counted.manifests, index.result_manifest.digest),
        "work, under another id,": (counted.bodies, _body(pair.manifest)),
        "VerificationResult": (counted.results, index.verification_result.digest),
        "receipt": (counted.receipts, origin.receipt),
        "attempt, its agent under another name,": (counted.attempts, _attempt(task, origin)),
    }
    for what, (before, name) in seen.items():
        if name in before:
            yield Code.RESULT_COUNTED_TWICE, f"the same {what} is counted as another attempt too"
            break
    for before, name in seen.values():
        if isinstance(name, str):
            before.add(name)


def _body(manifest: ResultManifest) -> str:
    work = {name: value for name, value in manifest.value.items() if name not in _NOT_THE_WORK}
    try:
        return pyjson.digest(work)
    except PyJsonError:
        return manifest.id


def _attempt(task: CohortTask, origin: Origin) -> str | None:
    """Agent, config, task and number of an attempt that came of a bundle; None of any other."""
    if not isinstance(origin.identity, str) or not isinstance(origin.index, int):
        return None
    return f"{origin.identity} {origin.config} {origin.index} {task.id}"
