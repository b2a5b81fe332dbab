"""`tally verify` on a document that is no bundle: what it is, what can be checked of it alone, and what cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.cli.screen import Screen
from tallystick.cli.text import named, safe, wrapped
from tallystick.cli.words import plural
from tallystick.core import c1, limits
from tallystick.core.errors import InputError, TallyError
from tallystick.flows.merge import opened_shard
from tallystick.flows.verify import open_file
from tallystick.records import base, eval_run, evidence, shard, state, task, tree
from tallystick.records.journal import journal_root
from tallystick.records.reliability import ReliabilityReport
from tallystick.records.report import Level, Report, Status

__all__ = ["verify_document", "verify_shard"]


class NotIntactError(TallyError):
    """A document whose own hashes contradict it."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of document: how it is read and checked, and what that shows."""

    check: Callable[[bytes], None]
    says: str


def _receipt(data: bytes) -> None:
    receipt = evidence.parse_receipt(data)
    if journal_root(receipt.events) != receipt.journal_head:
        raise NotIntactError("journal_head does not follow from the events: the receipt was changed")
    if evidence.spine_root(receipt.spine) != receipt.spine_head:
        raise NotIntactError("spine_head does not follow from the spine: the receipt was changed")


def _parsed(parse: Callable[[bytes], base.Record]) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        parse(data)

    return check


_ALONE: Final = "it is well formed; what it says is shown by the bundle that names it, so verify that"
_KINDS: Final[Mapping[str, _Kind]] = {
    "receipt": _Kind(_receipt, "journal and spine have the hashes it states; only its bundle shows whether the attempt passed"),
    "shard": _Kind(_parsed(shard.parse_shard), "it is well formed; tally merge takes the shard file that it is from"),
    "suite": _Kind(_parsed(task.parse_suite), "every task hash and the suite hash follow from the tasks; nothing was run"),
    "tree": _Kind(_parsed(tree.parse_tree), _ALONE),
    "agent": _Kind(_parsed(evidence.parse_agent), _ALONE),
    "config": _Kind(_parsed(evidence.parse_config), _ALONE),
    "grade": _Kind(_parsed(evidence.parse_grade), _ALONE),
    "run": _Kind(_parsed(state.parse_run_state), "it is well formed; it is local and proves nothing to others"),
    "finished-attempt": _Kind(_parsed(state.parse_finished), "it is well formed; it is local and proves nothing to others"),
    "eval-run": _Kind(
        _parsed(eval_run.parse_eval_run), "its counts agree; it is local and proves nothing: verify the bundles that it names"
    ),
    "reliability-report": _Kind(
        _parsed(lambda data: base.parse(data, ReliabilityReport)),
        "it is well formed, but the word of another verifier: verify the receipt itself",
    ),
    "report": _Kind(
        _parsed(lambda data: base.parse(data, Report)),
        "it is well formed, but the word of another verifier: verify the bundle itself",
    ),
}


def verify_document(path: Path, type_name: str, demand: Level, screen: Screen, *, json: bool) -> int:
    """Check what can be checked of one document alone; returns the exit code.

    Raises:
        InputError: a kind of document that this tally does not know, or that breaks its format.
        NotIntactError: its own hashes contradict it.
    """
    kind = _KINDS.get(type_name.removeprefix("tallystick/").partition("/")[0])
    if kind is None:
        raise InputError(f"{path} is a {safe(type_name, 60)}, which this tally does not know")
    with open_file(path) as stream:
        data = stream.read(limits.RECEIPT_BYTES + 1)
    try:
        kind.check(data)
    except TallyError as error:
        raise type(error)(f"{path}: {error}") from None
    enough = demand <= Level.intact
    if json:
        screen.data(c1.dumps({"document": type_name, "level": Level.intact.name, "ok": enough}))
    else:
        screen.say(_lines(path, type_name, kind, enough=enough))
    return 0 if enough else 1


def verify_shard(path: Path, screen: Screen, *, json: bool) -> int:
    """Check the bytes of one part of a run. It has no score, so it never verifies: the exit code is 1.

    Raises:
        InputError: the file cannot be read as a shard, or something in it has another digest.
    """
    with opened_shard(path) as file:
        try:
            file.check_all()
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        part = file.shard
    share, status = part.share, Status.PARTIAL.value
    if json:
        screen.data(
            c1.dumps({"document": base.type_name(type(part)), "level": Level.intact.name, "ok": False, "status": status})
        )
        return 1
    screen.say(
        [
            f"{safe(str(path))}: shard {share.index}/{share.of} of a run of {named(part.suite_version)}, intact",
            f"overall     : {status}",
            f"  {plural(len(part.results), 'attempt')} and no score: tally merge makes a bundle of all {share.of} shards",
        ]
    )
    return 1


def _lines(path: Path, type_name: str, kind: _Kind, *, enough: bool) -> Iterator[str]:
    yield f"{safe(str(path))}: {type_name}, intact"
    yield from wrapped(kind.says, first="  ")
    if not enough:
        yield "  not verified: more than intact was asked for, and only a bundle can give it"
