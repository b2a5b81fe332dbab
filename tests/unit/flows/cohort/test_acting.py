"""Every act does what it says to both files, and what may not come is refused before anything is written."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.flows.cohort.acting import (
    NotReadyError,
    add_tasks,
    burn,
    collect,
    exclude,
    expose,
    freeze,
    make,
    review,
    supersede,
)
from tallystick.flows.cohort.checklist import lines_of
from tallystick.flows.cohort.folder import CohortFolderError, read_snapshot
from tallystick.flows.cohort.opening import BrokenHistoryError, InvalidCohortError, Where, look, validated
from tallystick.records.base import write
from tallystick.records.cohort_history import CohortPending, act_of
from tallystick.suites.cohorts.lifecycle import LifecycleError
from tallystick.suites.cohorts.validating import Options
from tallystick.trust.signing import Signer
from tests.support.cohort_lives import Life, bare, begun, frozen


def test_a_whole_life_holds(tmp_path: Path) -> None:
    life = frozen(tmp_path)
    before = life.value["definition_digest"]
    for number in range(5):
        life.attach(number, Signer.generate())
    burn(life.where, "the outcomes were discussed", life.author)
    found = life.judge()
    assert found.findings == ()
    assert found.state is not None
    assert [act_of(entry) for entry in found.entries] == ["new", "collect", "freeze", *["attach"] * 5, "burn"]
    assert {entry.definition_digest for entry in found.entries} == {before}
    assert (found.state.stage, found.state.held_out, found.outcomes.attached) == ("burned", False, 10)
    assert found.reviewer == life.reviewer.public.kid
    report = validated(life.where, life.cohort_file.read_bytes(), Options(require_evidence=True))
    assert report.findings == ()


def test_held_out_until_an_outcome_is_attached(tmp_path: Path) -> None:
    life = frozen(tmp_path)
    state = life.judge().state
    assert state is not None
    assert state.held_out
    life.attach()
    state = life.judge().state
    assert state is not None
    assert not state.held_out


def test_an_exclusion_after_the_outcome_stays_in_the_denominator(tmp_path: Path) -> None:
    life = frozen(tmp_path)
    life.attach(1)
    task = life.value["tasks"][1]["id"]
    exclude(life.where, task, "its grader was wrong", life.author)
    found = life.judge()
    assert found.ok
    assert found.state is not None
    assert found.state.excluded_after_outcome == {task}
    assert (found.outcomes.attached, found.outcomes.counted, found.outcomes.excluded) == (2, 0, 2)
    assert len(life.value["extensions"]["tallystick"]["excluded_attempts"][task]) == 2
    assert validated(life.where, life.cohort_file.read_bytes(), Options()).ok


def test_an_exclusion_before_any_outcome_is_no_late_one(tmp_path: Path) -> None:
    life = frozen(tmp_path)
    task = life.value["tasks"][1]["id"]
    exclude(life.where, task, "cannot be built", life.author)
    state = life.judge().state
    assert state is not None
    assert state.excluded_after_outcome == frozenset()
    with pytest.raises(LifecycleError, match="excluded already"):
        exclude(life.where, task, "again", life.author)


def test_acts_that_may_not_come_change_nothing(tmp_path: Path) -> None:
    life = begun(tmp_path)
    kept = life.cohort_file.read_bytes(), life.history_file.read_bytes()
    with pytest.raises(LifecycleError, match="burn cannot come while the cohort is scaffold"):
        burn(life.where, "too early", life.author)
    with pytest.raises(LifecycleError, match="outcomes are attached to a cohort that is scaffold"):
        life.attach()
    with pytest.raises(LifecycleError, match="only the author may"):
        collect(life.where, Signer.generate())
    with pytest.raises(NotReadyError, match="not ready to freeze"):
        freeze(life.where, life.reviewed(), life.author)
    with pytest.raises(InputError, match="holds a cohort already"):
        make(life.where, bare(life.source), life.author)
    assert kept == (life.cohort_file.read_bytes(), life.history_file.read_bytes())


def test_a_frozen_definition_takes_no_act_that_changes_it(tmp_path: Path) -> None:
    life = frozen(tmp_path)
    with pytest.raises(InputError, match="already frozen, and its definition never changes; tally cohort supersede makes"):
        freeze(life.where, life.reviewed(), life.author)
    with pytest.raises(InputError, match="already frozen, and"):
        add_tasks(life.where, [], life.author, replace=True)
    with pytest.raises(LifecycleError, match="collect cannot come"):
        collect(life.where, life.author)


def test_a_cohort_edited_by_hand_is_not_acted_on(tmp_path: Path) -> None:
    life = frozen(tmp_path)
    life.lie(lambda value: value["tasks"][0].update(difficulty="large"), recorded=True)
    with pytest.raises(BrokenHistoryError, match="not what its history tells"):
        burn(life.where, "reason", life.author)


def test_a_cohort_that_does_not_validate_is_not_made(tmp_path: Path) -> None:
    life = begun(tmp_path / "one")
    value = bare(life.source)
    value["tasks"][0]["work_unit"]["digest"] = "sha256:" + "0" * 64
    with pytest.raises(InvalidCohortError, match="canonical digest drift"):
        make(Where(tmp_path / "one", "other/cohort.json"), value, life.author)
    assert not (tmp_path / "one/other").exists()


def test_a_review_is_by_another_key_and_of_this_definition(tmp_path: Path) -> None:
    life = begun(tmp_path / "one")
    collect(life.where, life.author)
    with pytest.raises(InputError, match="another key than the author's"):
        review(look(life.where), "mine", life.author)
    other = begun(tmp_path / "two", tasks=4)
    with pytest.raises(NotReadyError, match="reviewed with another key: the review is of"):
        freeze(life.where, other.reviewed(), life.author)


def test_exposure_blocks_a_freeze_for_ever(tmp_path: Path) -> None:
    life = begun(tmp_path)
    collect(life.where, life.author)
    reviewed = life.reviewed()
    expose(life.where, "the calibration script prints them", Signer.generate(), life.value["tasks"][2]["id"])
    with pytest.raises(NotReadyError, match="no exposure of a solution is recorded: one is: the calibration script"):
        freeze(life.where, reviewed, life.author)
    failed = [line.code for line in lines_of(look(life.where), reviewed) if not line.passed]
    assert failed == ["not-exposed"]


def test_a_successor_names_the_old_cohort_and_leaves_seen_tasks_out(tmp_path: Path) -> None:
    life = frozen(tmp_path)
    life.attach(0)
    new = Where(tmp_path, "next/cohort.json")
    supersede(life.where, new, "sample/next", life.author)
    old, state = life.judge().state, look(new).state
    assert old is not None
    assert old.successor == "sample/next"
    assert state.supersedes is not None
    assert (state.supersedes.id, state.supersedes.definition_digest) == (old.cohort_id, old.definition_digest)
    assert state.tasks == old.tasks - {life.value["tasks"][0]["id"]}
    with pytest.raises(LifecycleError, match="has taken the place"):
        life.attach(1)


def test_a_successor_that_was_made_before_a_kill_is_taken_up(tmp_path: Path) -> None:
    life = frozen(tmp_path)
    new = Where(tmp_path, "next/cohort.json")
    supersede(life.where, new, "sample/next", life.author)
    made = (tmp_path / "next/history.jsonl").read_bytes()
    life.rewrite(life.entries[:-1])  # as it was before the old cohort was marked
    supersede(life.where, new, "sample/next", life.author)
    assert life.judge().ok
    assert (tmp_path / "next/history.jsonl").read_bytes() == made


def checklist(life: Life, reviewed: bytes | None) -> dict[str, bool]:
    return {line.code: line.passed for line in lines_of(look(life.where), reviewed)}


def test_the_checklist_names_what_is_missing(tmp_path: Path) -> None:
    life = begun(tmp_path, tasks=4)
    lines = checklist(life, None)
    failed = {code for code, passed in lines.items() if not passed}
    assert failed == {"families-covered", "enough-tasks", "validates", "reviewed", "collecting"}


def test_the_checklist_passes_once_everything_is_there(tmp_path: Path) -> None:
    life = begun(tmp_path)
    collect(life.where, life.author)
    lines = checklist(life, life.reviewed())
    assert all(lines.values()), lines
    assert next(iter(lines)) == "sources-pinned"


def test_an_act_under_way_that_somebody_put_there_is_not_finished(tmp_path: Path) -> None:
    life = begun(tmp_path)
    earlier = CohortPending(cohort=life.cohort_file.read_text(), history=life.history_file.read_text())
    expose(life.where, "its solutions were published", life.author)
    before = (life.cohort_file.read_bytes(), life.history_file.read_bytes())
    planted = life.where.folder / ".cohort-pending"
    for data in (write(earlier), b"{}"):
        planted.write_bytes(data)
        with pytest.raises(InputError, match="remove it"):
            collect(life.where, life.author)
        with pytest.raises(InputError, match="remove it"):
            look(life.where)
        assert (life.cohort_file.read_bytes(), life.history_file.read_bytes()) == before
    planted.unlink()
    collect(life.where, life.author)
    assert [act_of(entry) for entry in life.entries] == ["new", "expose", "collect"]


def test_a_cohort_cannot_lie_where_the_one_lies_whose_place_it_takes(tmp_path: Path) -> None:
    life = begun(tmp_path)
    (tmp_path / "same").symlink_to(life.where.folder)
    for path in (life.path, "same/cohort.json"):
        with pytest.raises(InputError, match="a folder of its own"):
            supersede(life.where, Where(tmp_path, path), "sample/next", life.author)


def test_readers_do_not_wait_for_an_act(tmp_path: Path) -> None:
    life = begun(tmp_path)
    held = os.open(life.where.folder, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        assert read_snapshot(life.where.folder).cohort == life.cohort_file.read_bytes()
        assert look(life.where).state.stage == "scaffold"
    finally:
        os.close(held)


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    life = begun(tmp_path)
    (tmp_path / "link").symlink_to(life.where.folder)
    with pytest.raises(CohortFolderError, match="symbolic link"):
        collect(Where(tmp_path, "link/cohort.json"), life.author)
    collect(life.where, life.author)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (life.where.folder / "reviews").symlink_to(elsewhere)
    with pytest.raises(CohortFolderError, match="symbolic link"):
        freeze(life.where, life.reviewed(), life.author)
    assert list(elsewhere.iterdir()) == []


def test_a_cohort_behind_a_link_validates_no_better_with_its_history(tmp_path: Path) -> None:
    life = begun(tmp_path)
    (tmp_path / "link").symlink_to(life.where.folder)
    found = validated(Where(tmp_path, "link/cohort.json"), life.cohort_file.read_bytes(), Options())
    assert [finding.code.value for finding in found.findings] == ["symlink"]
