"""Every value in a bundle, changed one at a time: refused, or on the short list of what a submitter merely declares."""

import copy
import re
from collections.abc import Iterator
from decimal import Decimal
from io import BytesIO
from typing import Any

import msgspec
import pytest

from tallystick.core import c1
from tallystick.core.digest import sha256
from tallystick.core.errors import InputError
from tallystick.records.base import UNSET
from tallystick.records.bundle import Bundle, Observed, bundle_hash
from tallystick.records.containers import open_bundle
from tallystick.records.evidence import Receipt, spine_root
from tallystick.records.journal import journal_root
from tallystick.records.report import Report, Status
from tallystick.trust.jws import BUNDLE_TYP
from tallystick.verify.bundle import verify
from tallystick.verify.ports import VerifyOptions
from tests.support import synthetic as s

Path = tuple[str | int, ...]

DECLARED = (
    r"submitted_at",
    r"harness/(name|version)",
    r"task_results/\d+/observed/(cpu_ms|max_rss_kb|grade_wall_ms|python|enforced(/\d+/\d+)?|outputs/\d+/0)",
    r"task_results/\d+/tries",  # nothing shows that an earlier try was left out
    r"task_results/\d+/receipt/events/2/exit",
)
"""The submitter's word: no step can derive it, and no verdict, score or total follows from it."""

OBSERVED = Observed(
    wall_ms=1500,
    cpu_ms=900,
    max_rss_kb=4000,
    orphans=0,
    cost_usd=Decimal("0.25"),
    grade_wall_ms=20,
    python="3.11.7",
    enforced=(("memory", "cgroup"),),
)


def honest() -> s.Sealed:
    """Attempts that passed, failed and were refused; every optional member is there."""
    run = s.honest_run(2, failing=("shorten",))
    run.part("write_file", 2).ending = s.AttemptEnd(seq=0, outcome="refused", cause="budget_exceeded")
    for part in run.parts:
        part.observed = OBSERVED
    output = run.blobs.put(b"raw output")
    run.part("fix_bug").observed = msgspec.structs.replace(OBSERVED, outputs=(("stdout", output),))
    earlier = run.part("fix_bug")
    earlier.ending = s.AttemptEnd(seq=0, outcome="interrupted", cause="interrupted")
    receipt = s.evidence_of(run, earlier).receipt
    earlier.ending = s.AttemptEnd(seq=0, outcome="graded")
    earlier.tries = (receipt,)
    return s.seal(run)


HONEST = honest()
TREE = s.document(s.file_bytes(HONEST))


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Paths of every scalar, and of every list."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list):
        yield path
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, place))
    else:
        yield path


def changed(value: Any) -> Any:
    """Another value of the same kind; of a list, one without its last item or with an invented one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | Decimal):
        return value + 1
    if isinstance(value, list):
        return value[:-1] if value else None
    if value.startswith("sha256:"):
        return sha256(value.encode())
    return value[:-1] + ("b" if value[-1:] != "b" else "c")


def mutated(path: Path) -> dict[str, Any] | None:
    tree = copy.deepcopy(TREE)
    holder = tree
    for name in path[:-1]:
        holder = holder[name]
    value = changed(holder[path[-1]])
    if value is None:
        return None
    holder[path[-1]] = value
    return tree  # type: ignore[no-any-return]


def judge(tree: dict[str, Any]) -> Report | None:
    """The report on a bundle's tree, or None where it cannot even be opened."""
    try:
        file = open_bundle(BytesIO(c1.dumps(tree)))
    except InputError:
        return None
    return verify(file, HONEST.suite, VerifyOptions())


def reseal(tree: dict[str, Any], *, heads: bool) -> None:
    """Make every hash fit from the inside out and sign, as a dishonest submitter with a valid key would."""
    for result in tree["task_results"]:
        for holder in (result, *result["tries"]):
            receipt = msgspec.convert(holder["receipt"], Receipt, strict=True)
            if heads:
                holder["receipt"]["journal_head"] = journal_root(receipt.events)
                holder["receipt"]["spine_head"] = spine_root(receipt.spine)
            holder["receipt_hash"] = sha256(c1.dumps(holder["receipt"]))
    tree["bundle_hash"] = bundle_hash(msgspec.convert(tree, Bundle, strict=True, dec_hook=lambda _, value: value))
    tree["signature"] = s.signer().sign(BUNDLE_TYP, tree["bundle_hash"].encode())


def name(path: Path) -> str:
    return "/".join(map(str, path))


CLAIM_PATHS = [path for path in leaves(TREE) if path[0] != "blobs"]
RESEALED = [
    path
    for path in CLAIM_PATHS
    if path[0] not in {"bundle_hash", "signature"} and path[-1] not in {"receipt_hash", "journal_head", "spine_head"}
]


def test_the_honest_bundle_matches() -> None:
    report = judge(TREE)
    assert report is not None
    assert (report.status, report.reasons) == (Status.MATCH, ())
    assert HONEST.bundle.totals.cost_usd is not UNSET


@pytest.mark.parametrize("path", CLAIM_PATHS, ids=name)
def test_a_value_changed_as_it_stands_is_refused(path: Path) -> None:
    tree = mutated(path)
    if tree is not None:
        report = judge(tree)
        assert report is None or report.status is not Status.MATCH


@pytest.mark.parametrize("path", RESEALED, ids=name)
def test_a_value_changed_hashed_and_signed_is_refused_or_declared(path: Path) -> None:
    tree = mutated(path)
    if tree is None:
        return
    try:
        reseal(tree, heads=True)
    except (msgspec.ValidationError, ValueError, InputError):
        return  # no document of the schema can hold it
    report = judge(tree)
    if re.fullmatch("|".join(DECLARED), name(path)):
        assert report is None or report.status is Status.MATCH
    else:
        assert report is None or report.status is not Status.MATCH, path


@pytest.mark.parametrize("head", ["journal_head", "spine_head"])
@pytest.mark.parametrize("place", range(len(TREE["task_results"])))
def test_a_head_changed_hashed_and_signed_is_named_at_its_row(head: str, place: int) -> None:
    tree = mutated(("task_results", place, "receipt", head))
    assert tree is not None
    reseal(tree, heads=False)
    report = judge(tree)
    assert report is not None
    assert report.rows[place].status is Status.HASH_MISMATCH
