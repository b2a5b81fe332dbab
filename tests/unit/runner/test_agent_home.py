"""Files that a user brings into an agent's home: bounded, plain files only, and no keys."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.runner import agent_home
from tallystick.runner.agent_home import read_agent_home
from tests.support.installed import put

KEY = "sk-" + "proj-" + "Ab1" * 12


def refusal(folder: Path, values: tuple[bytes, ...] = ()) -> str:
    with pytest.raises(InputError) as error:
        read_agent_home(folder, values)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_files_by_their_paths(tmp_path: Path) -> None:
    put(tmp_path / ".claude/skills/a/SKILL.md", "skill")
    put(tmp_path / ".claude/settings.json", "{}")
    (tmp_path / "empty").mkdir()
    assert read_agent_home(tmp_path) == {".claude/settings.json": b"{}", ".claude/skills/a/SKILL.md": b"skill"}


def test_a_key_is_named_by_its_file_and_never_shown(tmp_path: Path) -> None:
    put(tmp_path / ".codex/auth.json", f'{{"key": "{KEY}"}}')
    said = refusal(tmp_path)
    assert f"{tmp_path}/.codex/auth.json holds what looks like a key (openai key)" in said
    assert KEY not in said


def test_a_known_key_of_any_shape(tmp_path: Path) -> None:
    put(tmp_path / "notes.txt", "the key is correct-horse-battery")
    assert read_agent_home(tmp_path)
    assert "notes.txt holds what looks like a key" in refusal(tmp_path, (b"correct-horse-battery",))


def test_links_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    put(tmp_path / "secret", "x")
    folder.mkdir()
    (folder / "a").symlink_to(tmp_path / "secret")
    assert f"{folder}/a is a link" in refusal(folder)
    (folder / "a").unlink()
    (folder / "b").symlink_to(tmp_path)
    assert f"{folder}/b is a link" in refusal(folder)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "pipe is no regular file" in refusal(tmp_path)


def test_names_that_cannot_be_recorded(tmp_path: Path) -> None:
    put(tmp_path / "a\x1b[31m", "x")
    said = refusal(tmp_path)
    assert "has a control character" in said
    assert "\x1b" not in said


def test_a_history_is_refused(tmp_path: Path) -> None:
    put(tmp_path / "skills/.git/config", "x")
    assert "skills/.git has a part .git" in refusal(tmp_path)


def test_sizes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "a", "x" * 10)
    put(tmp_path / "b", "x" * 10)
    monkeypatch.setattr(agent_home, "_TOTAL_BYTES", 19)
    assert "or 19 bytes" in refusal(tmp_path)
    monkeypatch.setattr(agent_home, "_FILES", 1)
    assert "more than 1 files" in refusal(tmp_path)
    monkeypatch.setattr(agent_home, "_FILE_BYTES", 9)
    assert "a has more than 9 bytes" in refusal(tmp_path)


def test_it_is_a_folder(tmp_path: Path) -> None:
    assert "is no folder" in refusal(tmp_path / "missing")
    assert "is no folder" in refusal(put(tmp_path / "file"))
