"""The first hour, on a system that has just been installed: what the README says to type, then the page, command by command."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.support import environment, needs_bwrap
from tests.repo.project import ROOT, files
from tests.repo.readme import commands, run, write_files
from tests.support.fresh_root import FreshRoot, NoFreshRootError, make_fresh_root

PAGE = "docs/first-hour.md"

pytestmark = [needs_bwrap, pytest.mark.slow, pytest.mark.xdist_group("acceptance")]

# Runs inside, with the standard library alone: the runner of console blocks is copied in with the checkout.
FOLLOW = f"""
import os, pathlib, sys
sys.path.insert(0, "/root/tallystick")
from tests.repo.readme import commands, run, write_files
page = pathlib.Path("/root/tallystick/{PAGE}").read_text()
folder = pathlib.Path("/root/hour")
folder.mkdir()
write_files(page, folder)
wrong = [line for command in commands(page) for line in run(command, folder, os.environ)]
print(*wrong, sep="\\n")
sys.exit(bool(wrong))
"""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FreshRoot | str]:
    """A fresh system with a copy of this checkout in the home of its root, or why there is none."""
    folder = tmp_path_factory.mktemp("fresh") / "root"
    try:
        root = make_fresh_root(folder)
    except NoFreshRootError as error:
        yield str(error)
        return
    for path in files():
        target = root.path / "root/tallystick" / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target, follow_symlinks=False)
    ran(root, "apt-get -qq update; apt-get -qq -y --no-install-recommends install git make >/dev/null")  # as the README says
    yield root
    shutil.rmtree(folder, ignore_errors=True)  # some hundred megabytes


def ran(root: FreshRoot, script: str) -> str:
    done = root.run(script)
    assert done.returncode == 0, f"{script}\n{done.stdout[-4000:]}"
    return done.stdout


WORDS = (
    *("agent", "sandbox", "task", "suite", "grader", "bundle", "verify", "workspace", "attempt", "mounted"),
    *("signing key", "nop", "oracle", "cheat", "level"),
)


def test_the_page_explains_its_words_before_it_uses_them() -> None:
    """A word stands in italics where it is explained, and nowhere in the text before that."""
    blocks = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
    text = blocks.sub("", (ROOT / PAGE).read_text(encoding="utf-8"))
    for word in WORDS:
        first = re.search(rf"\*?\b{word}s?\b", text, re.IGNORECASE)
        assert first is not None, word
        assert first[0].startswith("*"), f"{word!r} is used before it is explained"


def test_the_first_hour(fresh: FreshRoot | str, tmp_path: Path) -> None:
    if isinstance(fresh, str):
        follow_as_a_clean_user(tmp_path)
        pytest.skip(f"{fresh} (the page was followed here, with an empty home)")
    assert "FABRICATED_SCORE" in ran(fresh, "cd tallystick; make demo")
    ran(fresh, f'export PATH="$PWD/tallystick/.venv/bin:$PATH"; python3 -c {shell_word(FOLLOW)}')


def test_what_make_test_needs_is_set_up(fresh: FreshRoot | str) -> None:
    """The set-up of `make test` and some tests; all of them take too long to run within one of them."""
    if isinstance(fresh, str):
        pytest.skip(fresh)
    ran(fresh, "cd tallystick; make dev-env; .venv/bin/python -m pytest -q -n 2 tests/unit/core tests/unit/scoring")


def shell_word(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def follow_as_a_clean_user(folder: Path) -> None:
    env = environment(folder / "home")
    del env["PYTHONPATH"]
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    (folder / "hour").mkdir()
    write_files(page, folder / "hour")
    wrong = [line for command in commands(page) for line in run(command, folder / "hour", env)]
    assert wrong == []
