"""Temporary folders go away, those of killed processes with the next one, and nothing else does."""

import fcntl
import os
from pathlib import Path

from tallystick.recording.passing import passing_folder

LEFT = "tally-check-0123456789abcdef"


def test_a_folder_is_there_while_it_is_used(tmp_path: Path) -> None:
    with passing_folder("check", tmp_path) as folder:
        (folder / "deep").mkdir()
        (folder / "deep/file").write_text("x")
        assert folder.parent == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_two_at_once_leave_each_other_alone(tmp_path: Path) -> None:
    with passing_folder("check", tmp_path) as one:
        with passing_folder("demo", tmp_path) as other:
            assert one.is_dir()
            assert other.is_dir()
        assert one.is_dir()


def test_what_nobody_holds_is_swept(tmp_path: Path) -> None:
    (tmp_path / LEFT / "deep").mkdir(parents=True)
    with passing_folder("demo", tmp_path):
        assert not (tmp_path / LEFT).exists()


def test_what_somebody_holds_stays(tmp_path: Path) -> None:
    (tmp_path / LEFT).mkdir()
    held = os.open(tmp_path / LEFT, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    with passing_folder("check", tmp_path):
        assert (tmp_path / LEFT).is_dir()
    os.close(held)


def test_what_is_not_of_that_name_or_no_folder_stays(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / LEFT).symlink_to("precious")
    (tmp_path / LEFT.replace("0", "1")).write_text("a file")
    for name in ("tally-check-finished", "tally-check-0123456789ABCDEF", f"{LEFT}0", "mine"):
        (tmp_path / name).mkdir()
    before = sorted(tmp_path.iterdir())
    with passing_folder("check", tmp_path):
        pass
    assert sorted(tmp_path.iterdir()) == before
