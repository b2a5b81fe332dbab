"""Programs that take all they can get. Each ends within its bounds, and the bound is named."""

from __future__ import annotations

import dataclasses

import pytest

from tallystick.core.limits import BLOB_BYTES

from .conftest import LIMITS, MIB, Attack

SHORT = dataclasses.replace(LIMITS, wall_ms=1500)


def test_wall_clock(attack: Attack) -> None:
    seen = attack("import time; time.sleep(60)", limits=dataclasses.replace(LIMITS, wall_ms=200))
    assert (seen.outcome.limit, seen.outcome.exit, seen.outcome.signal) == ("wall", None, None)


def test_ignoring_every_signal_does_not_help(attack: Attack) -> None:
    seen = attack(
        """
        import signal, time
        for number in set(signal.valid_signals()) - {9, 19}:
            signal.signal(number, signal.SIG_IGN)
        time.sleep(60)
        """,
        limits=dataclasses.replace(LIMITS, wall_ms=300),
    )
    assert seen.outcome.limit == "wall"


def test_fork_bomb(attack: Attack) -> None:
    seen = attack(
        """
        import os, time
        while True:
            try:
                os.fork()
            except OSError:
                time.sleep(0.01)
        """,
        limits=SHORT,
        files={"kept": b"safe"},
    )
    assert seen.outcome.limit in {"wall", "processes"}
    assert dict(seen.outcome.enforced)["processes"] in {"cgroup-v1", "cgroup-v2", "rlimit", "watchdog"}
    assert seen.files == {b"kept": b"safe"}


def test_fork_bomb_that_gives_up_names_the_processes(attack: Attack) -> None:
    seen = attack("import os, time\nwhile os.fork() or True: time.sleep(0)", limits=SHORT)
    if dict(seen.outcome.enforced)["processes"].startswith("cgroup"):
        assert "processes" in seen.outcome.touched


def test_thread_bomb(attack: Attack) -> None:
    seen = attack(
        """
        import threading, time
        for n in range(500):
            threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
        """
    )
    assert seen.outcome.exit == 1
    assert b"can't start new thread" in seen.outcome.stderr.data


def test_memory_hog(attack: Attack) -> None:
    seen = attack("hog = []\nwhile True: hog.append(bytearray(8 << 20))")
    assert seen.outcome.limit == "memory"
    assert seen.outcome.exit is None


def test_memory_in_shared_files(attack: Attack) -> None:
    seen = attack(
        """
        import os
        n = 0
        while True:
            fd = os.memfd_create('x'); n += 1
            os.write(fd, b'x' * (8 << 20))
        """,
        limits=dataclasses.replace(SHORT, file_bytes=16 * MIB),
    )
    if dict(seen.outcome.enforced)["memory"].startswith("cgroup"):
        assert seen.outcome.limit == "memory"
    else:
        assert b"Function not implemented" in seen.outcome.stderr.data


@pytest.mark.parametrize("how", ["file.truncate(10 << 30)", "[file.write(b'x' * (1 << 20)) for _ in range(10 << 10)]"])
def test_file_of_10_gigabytes(attack: Attack, how: str) -> None:
    seen = attack(f"file = open('big', 'wb', buffering=0)\n{how}", files={"kept": b"safe"})
    assert seen.outcome.exit == 1
    assert b"File too large" in seen.outcome.stderr.data
    assert seen.files[b"kept"] == b"safe"
    assert len(seen.files[b"big"]) <= LIMITS.file_bytes


def test_file_too_large_kills_who_does_not_look(attack: Attack) -> None:
    seen = attack(argv=("sh", "-c", "exec head -c 100000000 /dev/zero > big"))
    assert (seen.outcome.signal, seen.outcome.limit) == (25, "file")


def test_full_workspace(attack: Attack) -> None:
    seen = attack("for n in range(9): open(f'f{n}', 'wb').write(b'x' * (4 << 20))")
    assert (seen.outcome.exit, seen.outcome.limit) == (1, "workspace")
    assert b"No space left" in seen.outcome.stderr.data


def test_sparse_files_beyond_the_workspace_are_refused_by_the_walk(attack: Attack) -> None:
    seen = attack("for n in range(9): open(f'f{n}', 'wb').truncate(4 << 20)")
    assert seen.outcome.exit == 0
    assert seen.refused == {f"f{n}".encode(): "is too large" for n in range(4, 9)}


@pytest.mark.parametrize("folder", [".", "/tmp", "/home/agent", "/dev/shm"])
def test_million_files(attack: Attack, folder: str) -> None:
    seen = attack(f"import os\nfor n in range(10**6): os.symlink('x', '{folder}/' + str(n))")
    assert (seen.outcome.limit, seen.outcome.exit) == ("workspace", None)
    if folder == ".":
        assert seen.refused == {b"": "too many files"}


def test_as_many_files_as_allowed(attack: Attack) -> None:
    seen = attack(f"for n in range({LIMITS.workspace_files}): open(str(n), 'w').close()")
    assert len(seen.files) == LIMITS.workspace_files
    assert not seen.refused


def test_a_file_that_no_store_gives_back_is_refused(attack: Attack) -> None:
    size = BLOB_BYTES + 1
    wide = dataclasses.replace(LIMITS, file_bytes=2 * size, workspace_bytes=2 * size)
    seen = attack(f"open('big', 'wb').truncate({size}); open('kept', 'w').write('safe')", limits=wide)
    assert (seen.refused, seen.files) == ({b"big": "is too large"}, {b"kept": b"safe"})


def test_flood_of_output(attack: Attack) -> None:
    seen = attack(argv=("sh", "-c", "head -c 1000000000 /dev/zero"))
    assert seen.outcome.limit == "output"
    assert len(seen.outcome.stdout.data) == LIMITS.output_bytes
    assert seen.outcome.stdout.total > LIMITS.output_bytes


def test_flood_on_both_streams_is_kept_apart_and_counted(attack: Attack) -> None:
    seen = attack("import os\nfor _ in range(1000): os.write(1, b'o' * 1000); os.write(2, b'e' * 999)")
    assert seen.outcome.exit == 0
    assert (seen.outcome.stdout.total, seen.outcome.stderr.total) == (1_000_000, 999_000)
    assert seen.outcome.stdout.data == b"o" * LIMITS.output_bytes
    assert seen.outcome.stderr.data == b"e" * LIMITS.output_bytes


def test_folders_10000_levels_deep(attack: Attack) -> None:
    seen = attack(
        """
        import os
        for _ in range(10000):
            os.mkdir('d'); os.chdir('d')
        """,
        files={"kept": b"safe"},
        limits=dataclasses.replace(LIMITS, workspace_files=20_000),
    )
    assert seen.outcome.exit == 0
    assert seen.files == {b"kept": b"safe"}
    assert list(seen.refused.values()) == ["is too deep"]
