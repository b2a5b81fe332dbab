"""Making a cohort of a suite: what is written, that it is the same each time, and what is refused before anything is."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tallystick.core import pyjson
from tallystick.core.errors import InputError
from tallystick.flows.cohort.folder import CohortFolderError
from tallystick.flows.cohort.from_suite import FromSuite, make_from_suite
from tallystick.flows.cohort.from_suite_folders import private_folder
from tallystick.flows.cohort.opening import Where, look, where_at
from tallystick.flows.cohort.suites import cohort_suite
from tallystick.records.cohort.cohort import parse_cohort
from tallystick.records.cohort.vocabulary import Family
from tallystick.suites.loading import load_suite
from tallystick.trust.signing import Signer
from tests.support.cohort_suites import small_suite
from tests.support.many import reader

SIGNER = Signer.generate()


def request(root: Path, **members: Any) -> FromSuite:
    return FromSuite(**{"suite": small_suite(), "out": root / "co" / "first", "root": root, **members})


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_authors_make_the_same_files(tmp_path: Path) -> None:
    """All but the history, which is signed."""
    made = [make_from_suite(request(tmp_path / name), signer) for name, signer in (("a", SIGNER), ("b", Signer.generate()))]
    one, other = (content(each.where.folder) for each in made)
    assert one.pop("history.jsonl") != other.pop("history.jsonl")
    assert one == other
    assert {path.partition("/")[0] for path in one} == {"source.git", "suite", "work-units", "evaluators", "cohort.json"}


def test_its_suite_holds_every_task(tmp_path: Path) -> None:
    made = make_from_suite(request(tmp_path), SIGNER)
    cohort = parse_cohort(look(made.where).value)
    found = cohort_suite(made.where, cohort)
    assert list(found.tasks) == [task.id for task in small_suite().tasks]
    assert found.missing == ()
    assert found.suite.suite_hash == small_suite().suite_hash
    assert not private_folder(made.where.folder).exists()


def test_commitments_have_a_salt_each(tmp_path: Path) -> None:
    made = make_from_suite(request(tmp_path, hide=("Task_1", "Task_2")), SIGNER)
    assert made.private is not None
    openings: list[Any] = [pyjson.read(path.read_bytes(), strict=True) for path in sorted(made.private.glob("*.opening.json"))]
    assert len({opening["salt"] for opening in openings}) == 2
    assert all(path.stat().st_mode & 0o077 == 0 for path in (made.private, *made.private.glob("*.opening.json")))
    cohort = parse_cohort(look(made.where).value)
    assert [task.evaluator.plan_digest for task in cohort.tasks[:2]] == [pyjson.digest(opening) for opening in openings]
    assert cohort_suite(made.where, cohort).missing == ()
    assert [task.id for task in load_suite(made.where.folder / "suite").tasks] == ["Task_3", "Task_4", "Task_5", "Task_6"]


def test_who_lacks_the_private_folder_has_the_public_tasks(tmp_path: Path) -> None:
    made = make_from_suite(request(tmp_path, hide=("Task_2",)), SIGNER)
    assert made.private is not None
    made.private.rename(tmp_path / "elsewhere")
    cohort = parse_cohort(look(made.where).value)
    found = cohort_suite(made.where, cohort)
    assert found.missing == (cohort.tasks[1].id,)
    assert "Task_2" not in found.tasks


def test_all_may_be_hidden(tmp_path: Path) -> None:
    made = make_from_suite(request(tmp_path, hide=tuple(task.id for task in small_suite().tasks)), SIGNER)
    assert not (made.where.folder / "suite").exists()
    assert made.private is not None
    made.private.rename(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="names no suite"):
        cohort_suite(made.where, parse_cohort(look(made.where).value))


def test_what_the_author_says_goes_before_the_tables(tmp_path: Path) -> None:
    families = {"Task_1": Family.OTHER}
    made = make_from_suite(request(tmp_path, families=families, signatures=("x",)), SIGNER)
    cohort = parse_cohort(look(made.where).value)
    assert [task.family for task in cohort.tasks][:2] == [Family.OTHER, Family.TEST_FAILURE]
    assert cohort.tasks[0].declared_structural_signatures == ("x",)
    assert made.notes == ()


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ({"tasks": ("no",)}, "--task no: no such task"),
        ({"hide": ("no",)}, "--hide no: no such task"),
        ({"tasks": ("Task_1",), "hide": ("Task_2",)}, "--hide Task_2: no such task in this cohort; it has Task_1"),
        ({"tasks": ("Task_1", "Task_2", "Task_3", "Task_4")}, "4 tasks of small-v1: a cohort is frozen with 5 at least"),
        ({"families": {"no": Family.OTHER}}, "--family no"),
        ({"id": "No Id"}, "is no id for a cohort"),
        ({"id": "x/" * 60}, "is no id for a cohort"),
        ({"repository": "not a uri"}, "source.repository"),
        ({"suite": reader(5)}, "t01 has no cheat"),
    ],
)
def test_refused_before_anything_stays(tmp_path: Path, members: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        make_from_suite(request(tmp_path, **members), SIGNER)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_nothing_is_written_over(tmp_path: Path) -> None:
    made = make_from_suite(request(tmp_path), SIGNER)
    before = content(made.where.folder)
    with pytest.raises(InputError, match="there is a cohort already"):
        make_from_suite(request(tmp_path), SIGNER)
    assert content(made.where.folder) == before


def half_made(root: Path) -> Path:
    """What is left by a kill between the two folders: the private one."""
    made = make_from_suite(request(root, hide=("Task_2",)), SIGNER)
    assert made.private is not None
    shutil.rmtree(made.where.folder)
    return made.private


def test_salts_that_a_kill_left_are_taken(tmp_path: Path) -> None:
    private = half_made(tmp_path)
    before = content(private)
    made = make_from_suite(request(tmp_path, hide=("Task_2",)), SIGNER)
    assert content(private) == before
    assert cohort_suite(made.where, parse_cohort(look(made.where).value)).missing == ()
    assert {path.name for path in made.where.folder.parent.iterdir()} == {"first", "first.private"}


def _open_to_others(private: Path) -> None:
    private.chmod(0o755)


def _one_more(private: Path) -> None:
    (private / "notes.txt").write_text("mine")


def _other_salt(private: Path) -> None:
    path = private / "002-task-2.opening.json"
    path.write_text(path.read_text().replace('"salt": "', '"salt": "x'))


def _link(private: Path) -> None:
    private.rename(private.with_name("elsewhere"))
    private.symlink_to("elsewhere")


@pytest.mark.parametrize("change", [_open_to_others, _one_more, _other_salt, _link])
def test_another_private_folder_is_left_alone(tmp_path: Path, change: Callable[[Path], None]) -> None:
    private = half_made(tmp_path)
    change(private)
    before = content(private)
    with pytest.raises(InputError, match="private: there is something already"):
        make_from_suite(request(tmp_path, hide=("Task_2",)), SIGNER)
    assert content(private) == before
    assert not (tmp_path / "co" / "first").exists()


def test_a_private_folder_is_in_the_way_of_a_cohort_that_hides_nothing(tmp_path: Path) -> None:
    half_made(tmp_path)
    with pytest.raises(InputError, match="private: there is something already"):
        make_from_suite(request(tmp_path), SIGNER)


def test_nothing_is_made_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "co").symlink_to("elsewhere")
    with pytest.raises(CohortFolderError, match="symbolic link"):
        make_from_suite(request(tmp_path), SIGNER)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_nothing_is_made_outside_the_root(tmp_path: Path) -> None:
    for out in (tmp_path.parent / "elsewhere", tmp_path, tmp_path / ".." / "elsewhere"):
        with pytest.raises(InputError, match="outside the root"):
            make_from_suite(dataclasses.replace(request(tmp_path), out=out), SIGNER)


@pytest.mark.parametrize("named", ["co/first", "co/first/cohort.json"])
def test_a_cohort_is_named_by_its_folder_or_file(tmp_path: Path, named: str) -> None:
    make_from_suite(request(tmp_path), SIGNER)
    assert where_at(tmp_path, Path(named)) == Where(tmp_path, "co/first/cohort.json")
    assert where_at(tmp_path, tmp_path / named) == Where(tmp_path, "co/first/cohort.json")


@pytest.mark.parametrize("named", ["../x", "/nowhere/x"])
def test_a_cohort_lies_below_the_root(tmp_path: Path, named: str) -> None:
    with pytest.raises(InputError, match=r"outside the root|out of the root"):
        where_at(tmp_path, Path(named))


def test_another_suite_in_its_place_is_noticed(tmp_path: Path) -> None:
    made = make_from_suite(request(tmp_path), SIGNER)
    other = make_from_suite(
        request(tmp_path, out=tmp_path / "co" / "other", tasks=tuple(f"Task_{number}" for number in range(1, 6))), SIGNER
    )
    (made.where.folder / "suite").rename(tmp_path / "was")
    (other.where.folder / "suite").rename(made.where.folder / "suite")
    with pytest.raises(InputError, match="this suite has the hash"):
        cohort_suite(made.where, parse_cohort(look(made.where).value))
