"""Reading a file that somebody named: all of it, or one line why not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.suites.reading import read_regular


def test_a_file_of_at_most_so_many_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"four")
    assert read_regular(path, 4) == b"four"
    with pytest.raises(InputError, match="a has more than 3 bytes"):
        read_regular(path, 3)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, why in (("pipe", "no file"), (".", "is a directory"), ("nothing", "no such file"), ("a\0b", "no file has such")):
        with pytest.raises(InputError, match=f"cannot read .*{why}"):
            read_regular(tmp_path / name, 4)
