"""Committing, depositing and revealing on disk: private files, acts, and what is refused before anything is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tallystick.core import pyjson
from tallystick.core.errors import InputError
from tallystick.flows.cohort.acting import burn, collect, supersede
from tallystick.flows.cohort.hidden import (
    OtherOpeningError,
    commit,
    read_opening,
    reveal,
    seal,
    try_opening,
    unrevealed,
    unsealed,
)
from tallystick.flows.cohort.opening import Where, look, validated
from tallystick.records.cohort.opening import GuessableError, Opening, OpeningError
from tallystick.suites.cohorts.lifecycle import LifecycleError
from tallystick.suites.cohorts.reporting import Code
from tallystick.suites.cohorts.sample_reveals import OTHER_SALT, SALT, hide
from tallystick.suites.cohorts.samples import sample
from tallystick.suites.cohorts.validating import Options
from tallystick.trust.files import KeyStoreError
from tallystick.trust.sealing import EscrowError
from tests.support.cohort_hidden import hidden_sample
from tests.support.cohort_lives import Life, begun, frozen

TASK = "sample/0000"


def hidden_life(root: Path) -> tuple[Life, Opening]:
    source, opening = hidden_sample()
    return frozen(root, source=source), opening


def codes(life: Life, *, compat: bool = False) -> list[Code]:
    return [one.code for one in validated(life.where, None, Options(compat)).findings]


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def plan_file(folder: Path) -> Path:
    path = folder / "plan.json"
    path.write_bytes(pyjson.canonical(sample().plan()))
    return path


def test_an_opening_is_private_new_and_random(tmp_path: Path) -> None:
    plan, out = plan_file(tmp_path), tmp_path / "opening.json"
    one = commit(plan, out)
    assert out.stat().st_mode & 0o777 == 0o600
    assert read_opening(out) == one
    assert one.plan == sample().plan()
    assert commit(plan, tmp_path / "other.json").salt != one.salt
    with pytest.raises(InputError, match="is there already"):
        commit(plan, out)
    assert read_opening(out) == one


@pytest.mark.parametrize("text", ["[]", "{", "{}", '{"schema_version": "9.9"}', '{"schema_version": "0.4"}'])
def test_what_is_no_plan_is_not_committed_to(text: str, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(InputError, match=r"plan\.json"):
        commit(tmp_path / "plan.json", tmp_path / "opening.json")
    assert not (tmp_path / "opening.json").exists()


def test_an_escrow_opens_with_its_key(tmp_path: Path) -> None:
    one = commit(plan_file(tmp_path), tmp_path / "opening.json")
    seal(tmp_path / "opening.json", tmp_path / "escrow", tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert unsealed(tmp_path / "escrow", tmp_path / "key") == one
    seal(tmp_path / "opening.json", tmp_path / "escrow2", tmp_path / "key2")
    with pytest.raises(EscrowError):
        unsealed(tmp_path / "escrow", tmp_path / "key2")


def test_nothing_is_written_over(tmp_path: Path) -> None:
    commit(plan_file(tmp_path), tmp_path / "opening.json")
    (tmp_path / "there").write_bytes(b"mine")
    before = files(tmp_path)
    for escrow, key in (("there", "key"), ("escrow", "there"), ("one", "one")):
        with pytest.raises(InputError, match="is there already"):
            seal(tmp_path / "opening.json", tmp_path / escrow, tmp_path / key)
        assert files(tmp_path) == before


def test_a_key_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    commit(plan_file(tmp_path), tmp_path / "opening.json")
    seal(tmp_path / "opening.json", tmp_path / "escrow", tmp_path / "key")
    (tmp_path / "key").chmod(0o644)
    with pytest.raises(KeyStoreError, match="chmod 600"):
        unsealed(tmp_path / "escrow", tmp_path / "key")
    (tmp_path / "key").chmod(0o600)
    (tmp_path / "link").symlink_to("key")
    with pytest.raises(KeyStoreError, match="symbolic link"):
        unsealed(tmp_path / "escrow", tmp_path / "link")


def test_a_reveal_lies_open_and_is_recorded(tmp_path: Path) -> None:
    life, opening = hidden_life(tmp_path)
    assert unrevealed(life.where) == (TASK,)
    done = reveal(life.where, TASK, opening, life.author)
    assert done.findings == ()
    named = life.value["extensions"]["tallystick"]["reveals"][TASK]
    assert (tmp_path / named["path"]).read_bytes() == opening.to_bytes()
    assert (done.entry.detail.commitment, done.entry.detail.opening) == (opening.commitment, named["digest"])  # type: ignore[union-attr]
    assert unrevealed(life.where) == ()
    assert codes(life) == []
    assert codes(life, compat=True) == []
    assert life.codes() == []
    with pytest.raises(LifecycleError, match="revealed before"):
        reveal(life.where, TASK, opening, life.author)


def test_burned_without_a_reveal_until_it_comes(tmp_path: Path) -> None:
    life, opening = hidden_life(tmp_path)
    burn(life.where, "seen", life.author)
    assert codes(life) == [Code.HIDDEN_NOT_REVEALED]
    assert codes(life, compat=True) == []
    reveal(life.where, TASK, opening, life.author)
    assert codes(life) == []
    assert life.codes() == []


def test_only_what_was_committed_to(tmp_path: Path) -> None:
    life, opening = hidden_life(tmp_path)
    before = files(tmp_path)
    for other in (Opening(opening.plan, OTHER_SALT), Opening({**opening.plan, "id": "other"}, SALT)):
        assert [one.code for one in try_opening(life.where, TASK, other)] == [Code.REVEAL_MISMATCH]
        with pytest.raises(OtherOpeningError):
            reveal(life.where, TASK, other, life.author)
    for task in ("sample/0001", "nobody"):
        with pytest.raises(InputError, match=f"no hidden evaluator of a task '{task}'; hidden are those of {TASK}"):
            reveal(life.where, task, opening, life.author)
    assert files(tmp_path) == before


def test_nobody_but_the_author_and_not_before_the_freeze(tmp_path: Path) -> None:
    source, opening = hidden_sample()
    life = begun(tmp_path, source=source)
    collect(life.where, life.author)
    before = files(tmp_path)
    with pytest.raises(LifecycleError, match="reveal"):
        reveal(life.where, TASK, opening, life.author)
    assert files(tmp_path) == before
    assert try_opening(life.where, TASK, opening) == ()
    assert files(tmp_path) == before


def test_a_plan_that_does_not_fit_is_revealed_and_named(tmp_path: Path) -> None:
    source = sample()
    opening = hide(source, of=1)
    source.refit()
    life = frozen(tmp_path, source=source)
    assert [one.code for one in try_opening(life.where, TASK, opening)] == [Code.PLAN_DRIFT] * 2
    done = reveal(life.where, TASK, opening, life.author)
    assert [one.code for one in done.findings] == [Code.PLAN_DRIFT] * 2
    assert codes(life) == [Code.PLAN_DRIFT] * 2
    assert life.codes() == []


def test_what_is_revealed_does_not_come_along(tmp_path: Path) -> None:
    life, opening = hidden_life(tmp_path)
    reveal(life.where, TASK, opening, life.author)
    new = Where(tmp_path, "next/cohort.json")
    supersede(life.where, new, "sample/next", life.author)
    assert [task.id for task in look(new).cohort.tasks] == [f"sample/000{number}" for number in range(1, 5)]


def test_files_that_are_no_openings(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_opening(tmp_path)
    (tmp_path / "plan.json").write_bytes(pyjson.canonical(sample().plan()))
    with pytest.raises(GuessableError, match="no salt"):
        read_opening(tmp_path / "plan.json")
    (tmp_path / "list.json").write_bytes(b"[]")
    with pytest.raises(OpeningError, match="tally cohort commit"):
        read_opening(tmp_path / "list.json")
