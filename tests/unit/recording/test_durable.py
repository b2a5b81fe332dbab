"""Files that are whole or absent, and scratch that does not stay."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from tallystick.recording.durable import SCRATCH, StoreError, scratch_file, sweep, write_durably


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    for data in (b"one", b"two" * 100_000, b""):
        write_durably(tmp_path / "f", data)
        assert (tmp_path / "f").read_bytes() == data
    assert names(tmp_path) == {"f"}


def test_an_error_leaves_the_old_file_and_no_scratch(tmp_path: Path) -> None:
    write_durably(tmp_path / "f", b"old")

    def half() -> None:
        with scratch_file(tmp_path) as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert (tmp_path / "f").read_bytes() == b"old"
    assert names(tmp_path) == {"f"}


def test_a_missing_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot write below"):
        write_durably(tmp_path / "none" / "f", b"x")


def test_a_sweep_spares_what_is_being_written(tmp_path: Path) -> None:
    with scratch_file(tmp_path) as file:
        file.write(b"data")
        (tmp_path / f"{SCRATCH}dead").write_bytes(b"left")
        (tmp_path / "kept").touch()
        sweep(tmp_path)
        assert f"{SCRATCH}dead" not in names(tmp_path)
        file.become(tmp_path / "f")
    assert names(tmp_path) == {"f", "kept"}


def test_links_and_folders_in_the_way_of_a_sweep(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("mine")
    (tmp_path / f"{SCRATCH}link").symlink_to("target")
    (tmp_path / f"{SCRATCH}folder").mkdir()
    sweep(tmp_path)
    assert (tmp_path / "target").read_text() == "mine"


def test_a_folder_that_is_not_there_is_swept_and_not_made(tmp_path: Path) -> None:
    sweep(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_writers_and_sweepers_at_once(tmp_path: Path) -> None:
    stop = threading.Event()

    def sweeping() -> None:
        while not stop.is_set():
            sweep(tmp_path)

    sweepers = [threading.Thread(target=sweeping) for _ in range(2)]
    for thread in sweepers:
        thread.start()
    try:
        for number in range(300):
            write_durably(tmp_path / f"f{number % 7}", str(number).encode() * 50, sync_folder=False)
    finally:
        stop.set()
        for thread in sweepers:
            thread.join()
    assert names(tmp_path) == {f"f{number}" for number in range(7)}


def write_slowly(folder: Path) -> None:
    with scratch_file(folder) as file:
        file.write(b"half")
        (folder / "ready").touch()
        time.sleep(60)


def test_a_killed_writers_scratch_is_swept(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=write_slowly, args=(tmp_path,))
    process.start()
    while not (tmp_path / "ready").exists():
        assert process.is_alive()
        time.sleep(0.01)
    sweep(tmp_path)
    assert len(names(tmp_path)) == 2, "it is still being written"
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    sweep(tmp_path)
    assert names(tmp_path) == {"ready"}
