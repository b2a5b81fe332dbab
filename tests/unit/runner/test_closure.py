"""From a command line here to the same inside: what is mounted, what the identity covers, what is refused."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.records.tree import EMPTY_TREE
from tallystick.runner.closure import Program, resolve, script_program
from tallystick.sandbox.spec import Mount


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def resolved(folder: Path, *argv: str, extra: tuple[Path, ...] = ()) -> Program:
    return resolve(argv, cwd=folder, search_path="/usr/bin:/bin", extra=extra)


def test_programs_of_the_system_are_named_and_not_mounted(tmp_path: Path) -> None:
    found = resolved(tmp_path, "sh", "-c", "true")
    assert (found.argv, found.mounts, found.digest) == (("sh", "-c", "true"), (), EMPTY_TREE)


def test_python_is_the_one_of_the_sandbox(tmp_path: Path) -> None:
    assert resolved(tmp_path, "python3", "-V").argv == ("python3", "-V")


def test_a_program_and_its_files_are_mounted(tmp_path: Path) -> None:
    bot = program(tmp_path / "bot")
    (tmp_path / "prompt.txt").write_text("be good")
    (tmp_path / "tools").mkdir()
    found = resolved(tmp_path, "./bot", "prompt.txt", "./tools", "--flag=prompt.txt", "words of text", "-p", "missing.txt")
    assert found.argv == (
        "/agent/bot",
        "/agent/prompt.txt",
        "/agent/tools",
        "--flag=prompt.txt",
        "words of text",
        "-p",
        "missing.txt",
    )
    assert Mount(bot, "/agent/bot") in found.mounts
    assert len(found.mounts) == 3


def test_a_folder_named_as_a_word_is_a_word(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    program(tmp_path / "bot")
    assert resolved(tmp_path, "./bot", "src").argv == ("/agent/bot", "src")


def test_the_identity_is_content_not_place(tmp_path: Path) -> None:
    digests = set()
    for name in ("one", "another place"):
        program(tmp_path / name / "bot")
        digests.add(resolved(tmp_path / name, "./bot").digest)
    assert len(digests) == 1
    program(tmp_path / "one" / "bot", "#!/bin/sh\necho\n")
    assert resolved(tmp_path / "one", "./bot").digest not in digests


def test_mode_and_links_belong_to_the_identity(tmp_path: Path) -> None:
    program(tmp_path / "kit" / "run")
    first = resolved(tmp_path, "sh", "./kit").digest
    (tmp_path / "kit" / "run").chmod(0o644)
    second = resolved(tmp_path, "sh", "./kit").digest
    (tmp_path / "kit" / "link").symlink_to("run")
    third = resolved(tmp_path, "sh", "./kit").digest
    assert len({first, second, third, EMPTY_TREE}) == 4


def test_byte_code_history_and_pipes_do_not(tmp_path: Path) -> None:
    program(tmp_path / "kit" / "run")
    first = resolved(tmp_path, "sh", "./kit").digest
    for name in ("__pycache__", ".git"):
        (tmp_path / "kit" / name).mkdir()
        (tmp_path / "kit" / name / "x").write_text("x")
    os.mkfifo(tmp_path / "kit" / "pipe")
    assert resolved(tmp_path, "sh", "./kit").digest == first
    (tmp_path / "kit" / "x.pyc").write_text("x")  # Python imports it as it stands
    assert resolved(tmp_path, "sh", "./kit").digest != first


def test_a_virtual_environment_comes_whole(tmp_path: Path) -> None:
    program(tmp_path / "venv/bin/bot", f"#!{tmp_path}/venv/bin/python3\n")
    (tmp_path / "venv/pyvenv.cfg").write_text(f"home = {Path(sys.base_prefix) / 'bin'}\n")
    (tmp_path / "venv/bin/python3").symlink_to(Path(sys.base_prefix) / "bin/python3")
    found = resolved(tmp_path, "venv/bin/bot", "--yes")
    assert found.argv == ("/agent/venv/bin/python3", "/agent/venv/bin/bot", "--yes")
    assert Mount(tmp_path / "venv", "/agent/venv") in found.mounts


def test_our_own_package_is_masked_in_it(tmp_path: Path) -> None:
    program(tmp_path / "venv/bin/bot")
    (tmp_path / "venv/pyvenv.cfg").write_text("home = /usr/bin\n")
    packages = tmp_path / "venv/lib/python3.11/site-packages"
    for name in ("tallystick", "tallystick-0.1.0.dist-info", "other"):
        (packages / name).mkdir(parents=True)
        (packages / name / "f").write_text(name)
    found = resolved(tmp_path, "venv/bin/bot")
    base = "/agent/venv/lib/python3.11/site-packages"
    assert found.mask == (f"{base}/tallystick", f"{base}/tallystick-0.1.0.dist-info")
    (packages / "tallystick/f").write_text("changed")
    assert resolved(tmp_path, "venv/bin/bot").digest == found.digest
    (packages / "other/f").write_text("changed")
    assert resolved(tmp_path, "venv/bin/bot").digest != found.digest


def test_a_script_that_names_itself(tmp_path: Path) -> None:
    program(tmp_path / "bot", f"#!{tmp_path}/bot\n")
    with pytest.raises(InputError, match="names itself"):
        resolved(tmp_path, "./bot")


@pytest.mark.parametrize("word", ["no-such-bot", "./no-such-bot", "./folder", "./plain"])
def test_what_cannot_be_started_is_refused(word: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain").write_text("text")
    with pytest.raises(InputError, match="was not found or is not executable"):
        resolved(tmp_path, word)


def test_refusals_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="after --"):
        resolved(tmp_path)
    with pytest.raises(InputError, match="--mount takes"):
        resolved(tmp_path, "sh", extra=(Path("nothing"),))
    for name in ("a", "b"):
        program(tmp_path / name / "bot")
    with pytest.raises(InputError, match="rename one"):
        resolved(tmp_path, "a/bot", "b/bot")


def test_a_scripts_identity_is_its_bytes() -> None:
    assert script_program(b"a") == script_program(b"a")
    assert script_program(b"a").digest != script_program(b"b").digest
