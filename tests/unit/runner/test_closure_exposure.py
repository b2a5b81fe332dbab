"""What must not be shown, whichever way it comes: refused with one line, or masked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError
from tallystick.runner.closure import Program, resolve
from tallystick.sandbox.layout import account_home

ANSWER = b"def grade(subject):\n    assert subject == 42\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in (".ssh", ".config/tallystick/keys", "project/.tally/blobs"):
        (tmp_path / "home" / name).mkdir(parents=True)
    put(tmp_path / "home/project/bot", "#!/bin/sh\n").chmod(0o755)
    return tmp_path / "home"


def put(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def resolved(home: Path, *argv: str, extra: tuple[Path, ...] = (), forbidden: frozenset[Digest] = frozenset()) -> Program:
    hidden = (home / ".config/tallystick", home / "project/.tally")
    return resolve(
        argv or ("./bot",),
        cwd=home / "project",
        search_path="/usr/bin",
        extra=extra,
        forbidden=forbidden,
        never=(home,),
        hidden=hidden,
    )


def refusal(home: Path, *argv: str, extra: tuple[Path, ...] = ()) -> str:
    with pytest.raises(InputError) as error:
        resolved(home, *argv, extra=extra)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    "path", ["/", "/proc", "/proc/self", "/sys", "/sys/kernel", "/dev", "/dev/shm", "/dev/null", "/usr", "/tmp/.."]
)
def test_folders_of_the_machine_are_refused_at_once(path: str, home: Path) -> None:
    assert "would show the agent all of /" in refusal(home, extra=(Path(path),))


def test_what_every_sandbox_has_of_its_own_stays_a_word(home: Path) -> None:
    assert resolved(home, "sh", "/dev/null", "/", "/proc/self").argv == ("sh", "/dev/null", "/", "/proc/self")


def test_a_home_folder_and_those_above_it_are_refused(home: Path) -> None:
    (home / "project/link").symlink_to("..")
    for path in (home, home.parent, Path(".."), Path("link"), Path(account_home())):
        assert "would show the agent the whole folder" in refusal(home, extra=(path,))
    for word in ("..", f"{home}/", "./link"):
        assert "the argument" in refusal(home, "sh", f"{word}/" if "/" not in word else word)


def test_keys_and_state_are_refused(home: Path) -> None:
    key = put(home / ".config/tallystick/keys/default.pem")
    for path in (key, key.parent, home / "project/.tally", home / "project/.tally/blobs"):
        assert "lies in" in refusal(home, extra=(path,))
        assert "lies in" in refusal(home, "sh", str(path))


def test_keys_and_state_below_a_mount_are_masked_and_do_not_count(home: Path) -> None:
    put(home / "project/kept/tool.py")
    before = resolved(home, "sh", "./", extra=())
    assert before.mask == ("/agent/project/.tally",)
    put(home / "project/.tally/blobs/x")
    put(home / "project/sub/.tally/runs/x")
    after = resolved(home, "sh", "./")
    assert (after.digest, after.mask) == (before.digest, ("/agent/project/.tally", "/agent/project/sub/.tally"))
    config = resolved(home, extra=(home / ".config",))
    assert config.mask == ("/agent/.config/tallystick",)


def test_a_state_folder_that_the_run_will_make_is_masked(home: Path) -> None:
    (home / "project/.tally/blobs").rmdir()
    (home / "project/.tally").rmdir()
    before = resolved(home, "sh", "./")
    assert before.mask == ("/agent/project/.tally",)
    put(home / "project/.tally/run.json")
    assert resolved(home, "sh", "./") == before


def test_an_environment_that_is_the_home_folder_is_refused(home: Path) -> None:
    put(home / "pyvenv.cfg", "home = /usr/bin\n")
    put(home / "bin/agent", "#!/bin/sh\n").chmod(0o755)
    assert "the virtual environment" in refusal(home, str(home / "bin/agent"))


@pytest.mark.parametrize("place", ["tasks/t/grader/grade.py", "deep/er/copy.txt", "tallystick/notes.py"])
def test_answers_are_refused_by_their_bytes(place: str, home: Path) -> None:
    path = put(home / "project/kit" / place, ANSWER.decode())
    forbidden = frozenset({sha256(ANSWER)})
    for argv, extra in ((("./bot",), (Path("kit"),)), (("sh", "./kit"), ()), (("sh", str(path)), ())):
        with pytest.raises(InputError, match=re.escape(str(path))):
            resolved(home, *argv, extra=extra, forbidden=forbidden)
    path.write_text("another")
    assert resolved(home, "sh", "./kit", forbidden=forbidden).mask == ()


def test_copies_of_this_package_are_masked_wherever_they_are(home: Path) -> None:
    kit = home / "project/kit"
    for place in (
        ".venv/lib/python3.12/site-packages/tallystick/f.py",
        ".venv/lib/python3.12/site-packages/tallystick-1.0.dist-info/RECORD",
        "clone/tallystick/src/tallystick/__init__.py",
        "vendor/tallystick/suites/packaged/golden-v1/suite.json",
        "dist/tallystick-1.0-py3-none-any.whl",
        "tool/.git/objects/aa/bb",
    ):
        put(kit / place, ANSWER.decode())
    found = resolved(home, "sh", "./kit", forbidden=frozenset({sha256(ANSWER)}))
    assert found.mask == (
        "/agent/kit/.venv/lib/python3.12/site-packages/tallystick",
        "/agent/kit/.venv/lib/python3.12/site-packages/tallystick-1.0.dist-info",
        "/agent/kit/clone/tallystick/src/tallystick",
        "/agent/kit/dist/tallystick-1.0-py3-none-any.whl",
        "/agent/kit/tool/.git",
        "/agent/kit/vendor/tallystick",
    )


def test_a_copy_of_this_package_is_not_mounted_itself(home: Path) -> None:
    inner = put(home / "project/lib/tallystick/suites/packaged/golden-v1/suite.json")
    for path in (inner, inner.parent, home / "project/lib/tallystick"):
        assert "lies in" in refusal(home, extra=(path,))


def test_too_much_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        put(home / f"project/kit/{name}/.git/config")
        put(home / f"project/kit/{name}/f")
    for bound, said in (("_PROGRAM_FILES", "more than 2 f"), ("_MASKS", "more than 2 things")):
        with monkeypatch.context() as patch:
            patch.setattr(f"tallystick.runner.exposure.{bound}", 2)
            assert said in refusal(home, "sh", "./kit")
