"""Building the launcher, or saying why not; the clock's file; and what the driver makes of both."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import BinaryIO

import pytest

from tallystick.sandbox import Limits, Pinning, Spec, layout, open_sandbox, pinning
from tallystick.sandbox.pinning import Launcher, TurnFile, launcher, source_digest
from tallystick.sandbox.workspace import MTIME_S
from tests.support.pinned import built, compiler, needs_compiler

LIMITS = Limits(20_000, 256 << 20, 64, 8 << 20, 16 << 20, 500, 1 << 16)
HEADER = Path(pinning.__file__).with_name("pin") / "pin.h"
TIME = ("python3", "-c", "import time; print(int(time.time()), flush=True); input(); print(int(time.time()))")


def numbers(path: Path) -> tuple[int, ...]:
    return struct.unpack("<8192q", path.read_bytes())


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder that is the whole search path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


class TestLauncher:
    @needs_compiler
    def test_it_is_built_once_and_named_by_its_source(self, tmp_path: Path, only: Path) -> None:
        (only / "cc").symlink_to(compiler())
        found = launcher(tmp_path / "cache")
        assert isinstance(found, Launcher), found
        assert found.digest == source_digest()
        assert found.path.parent == tmp_path / "cache/pin"
        assert found.digest[7:39] in found.path.name
        assert found.path.name.endswith(found.arch)
        assert found.path.stat().st_mode & 0o777 == 0o755
        assert list(found.path.parent.iterdir()) == [found.path], "nothing of the build is left"
        (only / "cc").unlink()
        before = found.path.stat().st_ino
        assert launcher(tmp_path / "cache") == found, "no compiler is needed any more"
        assert found.path.stat().st_ino == before

    def test_no_compiler(self, tmp_path: Path, only: Path) -> None:
        said = launcher(tmp_path / "cache")
        assert isinstance(said, str)
        assert "there is no compiler; run: " in said
        assert not (tmp_path / "cache").exists()

    def test_a_compiler_that_lacks_headers(self, tmp_path: Path, only: Path) -> None:
        program(only, "gcc", "echo 'pin.h:11:10: fatal error: sys/user.h: No such file' >&2; exit 1")
        said = launcher(tmp_path / "cache")
        assert isinstance(said, str)
        assert "cannot build the launcher that pins the clock: pin.h:11:10: fatal error: sys/user.h" in said
        assert "; run: " in said
        assert "\n" not in said

    @pytest.mark.parametrize("says", ["clock 1 1", "", "tally: pin: tracing (ptrace may be forbidden here): no"])
    def test_a_launcher_that_does_not_work_is_not_kept(self, tmp_path: Path, only: Path, says: str) -> None:
        script = f"""while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\\necho "{says}"\\n' >"$2"; /bin/chmod 755 "$2" """
        program(only, "clang", script)
        said = launcher(tmp_path / "cache")
        assert isinstance(said, str)
        assert "does not work here" in said
        assert says in said
        assert list((tmp_path / "cache/pin").iterdir()) == []

    def test_a_folder_that_cannot_be_made(self, tmp_path: Path, only: Path) -> None:
        program(only, "cc", "exit 0")
        (tmp_path / "cache").write_text("a file")
        said = launcher(tmp_path / "cache")
        assert isinstance(said, str)
        assert said.endswith("; set XDG_CACHE_HOME")

    @needs_compiler
    def test_builds_at_the_same_time_do_not_disturb_each_other(self, tmp_path: Path) -> None:
        found: list[Launcher | str] = []
        threads = [threading.Thread(target=lambda: found.append(launcher(tmp_path))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [launcher(tmp_path)] * 3
        assert isinstance(found[0], Launcher)

    @needs_compiler
    def test_wrong_words_and_files_are_refused(self, tmp_path: Path) -> None:
        path = str(built().path)
        short = (tmp_path / "short").open("w+b")
        for words in ([], ["--"], ["true"], ["--turns-fd", "x", "--", "true"], ["--turns-fd", "900", "--", "true"]):
            done = subprocess.run([path, *words], capture_output=True, check=False)
            assert (done.returncode, done.stdout) == (125, b""), words
        words = [path, "--turns-fd", str(short.fileno()), "--", "true"]
        done = subprocess.run(words, capture_output=True, pass_fds=[short.fileno()], check=False)
        short.close()
        assert done.returncode == 125
        assert b"too short" in done.stderr


class TestOneStory:
    """What the source in C says has to be what other files say."""

    def test_the_clock_begins_where_files_of_a_workspace_lie(self) -> None:
        assert f"#define BASE_S {MTIME_S}LL" in HEADER.read_text()

    def test_the_kernel_has_one_name(self) -> None:
        text = HEADER.read_text()
        release, version = (re.search(rf'#define KERNEL_{name} "(.*)"', text) for name in ("RELEASE", "VERSION"))
        assert release
        assert version
        assert layout.PROC_FILES["/proc/sys/kernel/osrelease"].decode() == f"{release[1]}\n"
        assert layout.PROC_FILES["/proc/sys/kernel/version"].decode() == f"{version[1]}\n"
        assert f" {release[1]} ".encode() in layout.PROC_FILES["/proc/version"]

    def test_every_source_is_small_and_ends_its_last_line(self) -> None:
        for path in HEADER.parent.iterdir():
            lines = path.read_text().split("\n")
            assert lines[-1] == ""
            assert len(lines) < 260, path.name
            assert max(map(len, lines)) <= 132, path.name


class TestTurnFile:
    def test_start_and_ticks(self, tmp_path: Path) -> None:
        begin = time.clock_gettime_ns(5)
        turns = TurnFile(tmp_path / "turns")
        assert (tmp_path / "turns").stat().st_size == 65_536
        assert (tmp_path / "turns").stat().st_mode & 0o777 == 0o600
        turns.tick()
        turns.tick()
        count, start, first, second, *rest = numbers(tmp_path / "turns")
        assert (count, turns.count, set(rest)) == (2, 2, {0})
        assert begin <= start < first < second <= time.clock_gettime_ns(5)
        turns.start()
        assert numbers(tmp_path / "turns")[1] == start, "an attempt begins once"
        turns.close()

    def test_a_file_is_older_than_the_answer_after_it_and_not_than_the_one_before(self, tmp_path: Path) -> None:
        turns = TurnFile(tmp_path / "turns")
        for number in range(20):
            (tmp_path / "before").write_text("")
            turns.tick()
            (tmp_path / "after").write_text("")
            instant = numbers(turns.path)[2 + number]
            assert (tmp_path / "before").stat().st_mtime_ns < instant <= (tmp_path / "after").stat().st_mtime_ns
        turns.close()

    def test_more_answers_than_there_is_room_for(self, tmp_path: Path) -> None:
        turns = TurnFile(tmp_path / "turns")
        turns._numbers[0] = 8189
        for _ in range(3):
            turns.tick()
        found = numbers(turns.path)
        assert found[0] == 8192
        assert found[8191] > 0
        turns.close()

    def test_a_file_that_is_there_is_not_taken(self, tmp_path: Path) -> None:
        (tmp_path / "turns").symlink_to(tmp_path / "elsewhere")
        with pytest.raises(FileExistsError):
            TurnFile(tmp_path / "turns")


@needs_compiler
@pytest.mark.parametrize("name", ["bwrap", "none"])
def test_both_drivers_pin_and_fill_the_home(name: str, tmp_path: Path) -> None:
    turns = TurnFile(tmp_path / "turns")
    heard: list[bytes] = []
    pids: list[int] = []

    def talk(reader: BinaryIO, writer: BinaryIO) -> None:
        heard.append(reader.readline())
        turns.tick()
        writer.write(b"\n")
        writer.flush()
        heard.append(reader.readline())

    spec = Spec(TIME, {}, LIMITS, pinned=Pinning(built().path, turns.path))
    outcome = open_sandbox(name).run(spec, fill=lambda _: None, talk=talk, on_start=pids.append)
    turns.close()
    assert (outcome.exit, heard) == (0, [b"1700000000\n", b"1700000010\n"])
    assert len(pids) == 1
    code = "import os; p = os.path.expanduser('~/.a/b'); print(open(p).read(), os.stat(p).st_mtime_ns, oct(os.stat(p).st_mode))"
    spec = Spec(("python3", "-c", code), {}, LIMITS, home={".a/b": b"c"})
    told = open_sandbox(name).run(spec, fill=lambda _: None).stdout.data
    assert told == f"c {MTIME_S * 10**9} 0o100644\n".encode()


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../x", "", "a//b", "./a", "a\0b", "a/"])
def test_a_home_is_below_home(path: str) -> None:
    with pytest.raises(ValueError, match="home"):
        Spec(("true",), {}, LIMITS, home={path: b""})


def test_what_on_start_raises_comes_out_and_nothing_runs(tmp_path: Path) -> None:
    def fail(_pid: int) -> None:
        raise ZeroDivisionError

    before = len(list(Path("/proc/self/fd").iterdir()))
    for name in ("bwrap", "none"):
        spec = Spec((sys.executable, "-c", f"open({str(tmp_path / 'ran')!r}, 'w')"), {}, LIMITS)
        with pytest.raises(ZeroDivisionError):
            open_sandbox(name).run(spec, fill=lambda _: None, on_start=fail)
    assert not (tmp_path / "ran").exists()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_the_layout_without_pins_has_nothing_of_them() -> None:
    spec = Spec(("true",), {}, LIMITS)
    assert layout.command(spec) == ("true",)
    assert not {layout.PIN, *layout.PROC_FILES} & set(layout.files(spec))
    assert os.access("/proc/version", os.R_OK)
