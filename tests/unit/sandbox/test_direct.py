"""Removing what a hostile program left on the host's own disk."""

# ruff: noqa: PTH208, PTH211

from __future__ import annotations

import os
from pathlib import Path

from tallystick.sandbox.direct import remove_tree


def test_remove_tree_of_any_depth_and_mode(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "f").write_text("safe")
    root = tmp_path / "root"
    root.mkdir()
    os.symlink(victim, root / "link")
    (root / "closed").mkdir()
    (root / "closed/f").touch()
    (root / "closed").chmod(0)
    fd = os.open(root, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=fd)
        inner = os.open("d", os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = inner
    os.close(fd)
    remove_tree(root)
    assert os.listdir(tmp_path) == ["victim"]
    assert os.listdir(victim) == ["f"]
