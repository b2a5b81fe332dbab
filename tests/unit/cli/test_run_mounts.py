"""What `tally run` refuses to mount: it knows the user's home, keys and state, and the suite's answers."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import tallystick
from tests.unit.cli.conftest import Said, Tally

GOLDEN = Path(tallystick.__file__).parent / "suites/packaged/golden-v1"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (".local/bin", ".config", "bin"):
        (tmp_path / "home" / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def refused(said: Said, *words: str) -> None:
    assert (said.code, said.out) == (2, "")
    assert len(said.err.splitlines()) == 1
    assert [word for word in words if word not in said.err] == []


def planned(tally: Tally, *mounts: Path | str) -> Said:
    return tally("run", "golden-v1", "--dry-run", *(f"--mount={mount}" for mount in mounts), "--", "true")


@pytest.mark.parametrize("folder", ["/", "/proc", "/sys", "/dev"])
def test_folders_of_the_machine(folder: str, tally: Tally) -> None:
    refused(planned(tally, folder), f"all of {folder}", "only the files")


@pytest.mark.parametrize("folder", [".", ".local", ".config", "..", "bin/.."])
def test_the_home_folder(folder: str, tally: Tally, home: Path) -> None:
    refused(planned(tally, home / folder), "the whole folder")
    assert planned(tally, home / "bin").code == 0


def test_keys_and_state(tally: Tally, tmp_path: Path) -> None:
    for name in ("config/tallystick/keys", ".tally/blobs", "other/runs"):
        (tmp_path / name).mkdir(parents=True)
    refused(planned(tally, "config/tallystick/keys"), "lies in", "config/tallystick")
    refused(planned(tally, ".tally"), "lies in")
    refused(tally("run", "golden-v1", "--state=other", "--dry-run", "--mount=other/runs", "--", "true"), "lies in")
    assert planned(tally, "other").code == 0


def test_a_state_folder_that_people_work_in(tally: Tally, tmp_path: Path) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "blobs").mkdir()
    assert tally("run", "golden-v1", "--state=.", "--dry-run", "--mount=kit", "--", "true").code == 0
    refused(tally("run", "golden-v1", "--state=.", "--dry-run", "--mount=blobs", "--", "true"), "lies in")


@pytest.mark.parametrize("kind", ["grader", "solution", "cheats"])
def test_the_suites_own_answers(kind: str, tally: Tally, tmp_path: Path) -> None:
    shutil.copytree(next(GOLDEN.glob(f"*/*/{kind}")), tmp_path / "kit/notes")
    refused(planned(tally, "kit"), "kit/notes/", "grader, solution or cheat", "leave it out")


def test_a_workspace_is_no_answer(tally: Tally, tmp_path: Path) -> None:
    shutil.copytree(next(GOLDEN.glob("*/*/workspace")), tmp_path / "kit")
    assert planned(tally, "kit").code == 0
