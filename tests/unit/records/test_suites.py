"""Tasks, suites and bundles hold their own hashes; what does not follow is refused."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tallystick.core import c1
from tallystick.core.digest import sha256
from tallystick.records import journal, task
from tallystick.records.base import MalformedError, digest_of, write
from tallystick.records.bundle import bundle_hash, parse_bundle, strip
from tallystick.records.evidence import Attempt, run_id_of, spine_root
from tests.unit.records.samples import AGENT, ASSERTIONS, CONFIG, bundle, events, named, receipt
from tests.unit.records.samples import suite as make_suite
from tests.unit.records.samples import task as make_task


def edited(change: Callable[[dict[str, Any]], object]) -> bytes:
    tree: Any = c1.loads(write(make_suite()))
    change(tree)
    return c1.encode(tree)


LIES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "limits_eased": (lambda tree: tree["tasks"][0]["limits"].update(wall_ms=1), "task_hash does not follow"),
    "assertion_dropped": (lambda tree: tree["tasks"][0]["assertions"].pop(), "task_hash does not follow"),
    "other_workspace": (lambda tree: tree["tasks"][0].update(workspace=named("x")), "task_hash does not follow"),
    "other_task_hash": (lambda tree: tree["tasks"][0].update(task_hash=named("x")), "task_hash does not follow"),
    "other_suite_hash": (lambda tree: tree.update(suite_hash=named("x")), "suite_hash does not follow"),
    "task_twice": (lambda tree: tree["tasks"].append(tree["tasks"][0]), "stands twice"),
    "no_task": (lambda tree: tree.update(tasks=[]), "tasks"),
    "unknown_kind": (lambda tree: tree["tasks"][0]["assertions"].append({"kind": "trust_me", "id": "x"}), "trust_me"),
    "unknown_tier": (lambda tree: tree["tasks"][0].update(tier="easy"), "tier"),
    "assertion_id_twice": (
        lambda tree: tree["tasks"][0]["assertions"].append(tree["tasks"][0]["assertions"][0]),
        "two assertions",
    ),
    "path_that_climbs": (lambda tree: tree["tasks"][0].update(owned_files=["../x"]), "relative"),
    "grader_absent": (lambda tree: tree["tasks"][0].pop("grader"), "needs a grader"),
}


@pytest.mark.parametrize(("change", "message"), LIES.values(), ids=LIES)
def test_suite(change: Callable[[dict[str, Any]], object], message: str) -> None:
    with pytest.raises(MalformedError, match=message):
        task.parse_suite(edited(change))


def test_the_hash_of_a_task_is_that_of_its_document() -> None:
    tree: Any = c1.loads(write(make_suite()))["tasks"][0]  # type: ignore[index,call-overload]
    stated = tree.pop("task_hash")
    assert sha256(c1.dumps({"_type": "tallystick/task/v1", **tree})) == stated


def test_the_hash_of_a_suite_is_that_of_its_task_hashes_in_order() -> None:
    tasks = (make_task(), make_task(id="b"))
    expected = sha256(c1.dumps({"_type": "tallystick/suite-id/v1", "tasks": [one.task_hash for one in tasks]}))
    assert make_suite(*tasks).suite_hash == expected
    assert make_suite(*reversed(tasks)).suite_hash != expected


def test_assertions_are_found_by_kind() -> None:
    for assertion in ASSERTIONS:
        assert task.assertion_class(assertion.id) is type(assertion)  # samples are named after their kind
    assert task.assertion_class("trust_me") is None


def test_the_bundle_hash_covers_the_claim_and_nothing_beside_it() -> None:
    whole = bundle()
    assert bundle_hash(whole) == bundle_hash(strip(whole)) == whole.bundle_hash
    tree: Any = c1.loads(c1.encode(strip(whole)))
    del tree["bundle_hash"]
    assert sha256(c1.dumps(tree)) == whole.bundle_hash
    signed = msgspec.structs.replace(whole, signature="x", signer_fingerprint="k" * 43)
    assert bundle_hash(signed) == whole.bundle_hash
    for change in ({"submitted_at": 1}, {"overall_score": 1}, {"withheld": ()}, {"partial": ("a",)}):
        assert bundle_hash(msgspec.structs.replace(whole, **change)) != whole.bundle_hash
    assert parse_bundle(write(whole)) == whole


def test_an_attempt_lies_within_its_count() -> None:
    with pytest.raises(ValueError, match="attempt 3 of 2"):
        Attempt(index=3, of=2)


def test_an_end_has_a_cause_exactly_when_it_is_not_graded() -> None:
    with pytest.raises(ValueError, match="a cause stands exactly"):
        journal.AttemptEnd(seq=1, outcome="graded", cause="interrupted")
    with pytest.raises(ValueError, match="a cause stands exactly"):
        journal.AttemptEnd(seq=1, outcome="refused")


def test_roots_depend_on_every_event_and_its_order() -> None:
    happened = events()
    assert journal.journal_root(happened) != journal.journal_root(happened[:-1])
    assert journal.journal_root(happened) != journal.journal_root(happened[::-1])
    assert spine_root(receipt().spine) != spine_root(receipt().spine[::-1])


def test_the_coordination_lane_ignores_outcomes() -> None:
    assert journal.coordination_root(events()) == journal.coordination_root(events(graded=False))
    assert journal.coordination_root(events()) != journal.coordination_root(events()[1:])


def test_a_receipt_links_roles() -> None:
    assert receipt().link("task") == named("task")
    assert receipt().link("cassette") is None


def test_a_run_is_named_by_its_content() -> None:
    name = run_id_of(named("suite"), AGENT, CONFIG)
    assert name == run_id_of(named("suite"), AGENT, CONFIG)
    assert name != run_id_of(named("other"), AGENT, CONFIG)
    assert digest_of(AGENT) != digest_of(CONFIG)
