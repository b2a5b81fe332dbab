"""Finding a place for control groups in trees of both versions, made of plain files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tallystick.sandbox import cgroup
from tallystick.sandbox.cgroup import Host
from tallystick.sandbox.spec import Limits
from tests.support.ordinary import ordinary_user

LIMITS = Limits(1000, 1 << 20, 10, 1 << 20, 1 << 20, 100, 1 << 10)


def _make(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)


def test_version_1_groups_go_below_our_own(tmp_path: Path) -> None:
    _make(tmp_path / "memory/a/b", tasks="")
    _make(tmp_path / "cpu,pids", tasks="")
    (tmp_path / "pids").symlink_to("cpu,pids")
    own = "9:name=systemd:/\n8:cpu,pids:/\n4:memory:/a/b\n0::/\n"
    assert cgroup.detect(tmp_path, own) == Host(1, tmp_path / "memory/a/b", tmp_path / "pids")


def test_version_1_with_memory_alone(tmp_path: Path) -> None:
    _make(tmp_path / "memory", tasks="")
    assert cgroup.detect(tmp_path, "4:memory:/\n8:pids:/gone\n0::/\n") == Host(1, tmp_path / "memory", None)


def test_version_2_takes_the_nearest_group_that_hands_its_controllers_down(tmp_path: Path) -> None:
    _make(tmp_path / "user/app/tally", cgroup__procs="", cgroup__subtree_control="")
    _make(tmp_path / "user/app", cgroup__procs="", cgroup__subtree_control="cpu memory pids\n")
    _make(tmp_path / "user", cgroup__procs="", cgroup__subtree_control="memory pids\n")
    assert cgroup.detect(tmp_path, "0::/user/app/tally\n") == Host(2, tmp_path / "user/app", tmp_path / "user/app")


def test_version_2_that_is_not_delegated() -> None:
    with ordinary_user() as folder:
        _make(folder / "a", cgroup__procs="", cgroup__subtree_control="memory pids\n")
        assert cgroup.detect(folder, "0::/a\n") is not None
        (folder / "a").chmod(0o555)
        assert cgroup.detect(folder, "0::/a\n") is None


@pytest.mark.parametrize("own", ["", "0::/\n", "0::/gone/away\n", "3:cpu:/\n"])
def test_no_place(tmp_path: Path, own: str) -> None:
    assert cgroup.detect(tmp_path, own) is None


def test_version_2_limits_counts_and_end(tmp_path: Path) -> None:
    """Plain files do what the kernel does, as far as we look."""
    host = Host(2, tmp_path, tmp_path)
    group = _v2_group(host)
    folder = next(tmp_path.iterdir())
    assert (folder / "memory.max").read_text() == str(1 << 20)
    assert (folder / "pids.max").read_text() == "10"
    group.adopt(1234)
    assert (folder / "cgroup.procs").read_text() == "1234"
    _make(folder, memory__events="low 0\noom 3\noom_kill 2\n", pids__events="max 7\n", memory__peak="2048\n")
    assert group.hits() == cgroup.Hits(memory=True, processes=True, peak_kb=2)
    for file in folder.iterdir():
        file.unlink()
    group.remove()
    assert list(tmp_path.iterdir()) == []
    group.remove()


def _v2_group(host: Host) -> cgroup.Group:
    """A group in a plain folder: the kernel would make the files that `Group` opens."""

    class Plain(cgroup.Group):
        def _make(self, limits: Limits) -> None:
            name = self._folders()[0]
            _make(name, memory__max="", memory__swap__max="", pids__max="", cgroup__procs="")
            self._set(limits)

    return Plain(host, LIMITS)


def test_a_host_that_refuses_gives_no_group(tmp_path: Path) -> None:
    assert cgroup.new_group(Host(2, tmp_path / "gone", tmp_path / "gone"), LIMITS) is None
    assert cgroup.new_group(Host(2, tmp_path, tmp_path), LIMITS) is None  # no file memory.max appears by itself
    assert cgroup.new_group(None, LIMITS) is None


def test_groups_of_dead_processes_are_swept(tmp_path: Path) -> None:
    dead, alive = tmp_path / "tallystick-999999999-ab", tmp_path / f"tallystick-{os.getpid()}-ab"
    for folder in (dead, alive, tmp_path / "other"):
        folder.mkdir()
    cgroup.sweep(Host(1, tmp_path, tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", alive.name]
