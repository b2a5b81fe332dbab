"""What is asked for is written; what is there and is no file is written into or left alone, never replaced."""

import os
import socket
import stat
import threading
from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.flows.publishing import write_file
from tallystick.flows.writing import WriteError, find_place, write_whole, written_name


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def names(folder: str = ".") -> list[str]:
    return [path.name for path in Path(folder).iterdir()]


def test_a_file_is_replaced_and_nothing_stays_beside_it() -> None:
    Path("out").write_bytes(b"before")
    assert write_whole(Path("out"), [b"af", b"ter"]) == 5
    assert Path("out").read_bytes() == b"after"
    assert names() == ["out"]


def test_a_failure_leaves_the_file_that_was_there() -> None:
    def pieces() -> object:
        yield b"half"
        raise InputError("the rest is not there")

    Path("out").write_bytes(b"before")
    with pytest.raises(InputError):
        write_whole(Path("out"), pieces())  # type: ignore[arg-type]
    assert Path("out").read_bytes() == b"before"
    assert names() == ["out"]


@pytest.mark.parametrize("write", [write_whole, write_file])
@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_its_target_is_replaced(write: object, *, there: bool) -> None:
    Path("folder").mkdir()
    if there:
        Path("folder/real").write_bytes(b"before")
    Path("link").symlink_to("folder/real")
    write(Path("link"), iter([b"after"]))  # type: ignore[operator]
    assert str(Path("link").readlink()) == "folder/real"
    assert Path("folder/real").read_bytes() == b"after"
    assert names("folder") == ["real"]


@pytest.mark.parametrize("write", [write_whole, write_file])
def test_a_pipe_is_written_into(write: object) -> None:
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(Path("pipe").read_bytes()))
    reader.start()
    write(Path("link"), iter([b"da", b"ta"]))  # type: ignore[operator]
    reader.join()
    assert got == [b"data"]
    assert stat.S_ISFIFO(Path("pipe").lstat().st_mode)


def test_a_device_is_written_into_and_stays_one() -> None:
    before = Path("/dev/null").stat()
    assert write_whole(Path("/dev/null"), [b"away"]) == 4
    write_file(Path("/dev/null"), iter([b"away"]))
    after = Path("/dev/null").stat()
    assert stat.S_ISCHR(after.st_mode)
    assert (before.st_ino, before.st_rdev) == (after.st_ino, after.st_rdev)
    with pytest.raises(WriteError, match="cannot write /dev/full: no space left on device"):
        write_whole(Path("/dev/full"), [b"x"])


def test_standard_output_by_its_name_goes_on_where_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    os.write(1, b"first\n")
    write_whole(Path("/dev/stdout"), [b"data\n"])
    os.write(1, b"last\n")
    assert capfd.readouterr().out == "first\ndata\nlast\n"


def test_what_is_neither_is_refused_and_left() -> None:
    Path("folder").mkdir()
    with socket.socket(socket.AF_UNIX) as end:
        end.bind("socket")
        Path("loop").symlink_to("loop")
        for name, says in (("folder", "is a folder"), ("socket", "no file"), ("loop", "too many levels"), ("/", "is a folder")):
            with pytest.raises(InputError, match=says):
                write_whole(Path(name), [b"x"])
        assert stat.S_ISSOCK(Path("socket").lstat().st_mode)


def test_what_is_read_is_not_written() -> None:
    Path("source").write_bytes(b"x")
    Path("link").symlink_to("source")
    with pytest.raises(InputError, match="link is what is read"):
        write_whole(Path("link"), [b"y"], [Path("source")])


def test_a_stream_gets_no_ending() -> None:
    assert written_name(Path("/dev/null"), {".json"}, ".json") == Path("/dev/null")
    assert written_name(Path("run"), {".json"}, ".json") == Path("run.json")
    assert written_name(Path("run.json"), {".json", ".tally"}, ".tally") == Path("run.json")
    assert not find_place(Path("run")).stream
