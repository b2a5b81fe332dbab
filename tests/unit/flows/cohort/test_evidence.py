"""What is written of an attempt, also where an act that was killed has left something."""

from __future__ import annotations

from pathlib import Path

import pytest

from tallystick.flows.cohort.documents import Documents
from tallystick.flows.cohort.evidence import keep
from tallystick.flows.cohort.folder import CohortFolderError
from tallystick.flows.cohort.opening import Where
from tallystick.flows.writing import WriteError

FOLDER = "co/evidence/001-task/attempt-001"
MADE = Documents({"id": "a"}, {"id": "a/verification"}, {"candidate.patch": b"new\n"})
WRITTEN = {"candidate.patch", "result-manifest.json", "verification-result.json"}


def test_nothing_stays_of_an_act_that_was_killed(tmp_path: Path) -> None:
    """Files of another attempt, which nothing names, are not taken for this one's; a stranger's file is left alone."""
    where, place = Where(tmp_path, "co/cohort.json"), tmp_path / FOLDER
    place.mkdir(parents=True)
    for name in (".tally-new-0123456789abcdef", "stdout.txt", "grade.json", "receipt.json", "candidate.patch", "mine.txt"):
        (place / name).write_text("old")
    keep(where, FOLDER, MADE)
    assert {path.name for path in place.iterdir()} == WRITTEN | {"mine.txt"}
    assert (place / "candidate.patch").read_bytes() == b"new\n"


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "co").write_text("in the way")
    with pytest.raises(WriteError, match=r"cannot write into the folder .*attempt-001: not a directory"):
        keep(Where(tmp_path, "co/cohort.json"), FOLDER, MADE)


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "co").symlink_to("elsewhere")
    with pytest.raises(CohortFolderError, match="symbolic link"):
        keep(Where(tmp_path, "co/cohort.json"), FOLDER, MADE)
