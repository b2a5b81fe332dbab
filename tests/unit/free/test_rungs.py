"""Each rung as the program that it is, started in a small workspace with an instruction on standard input."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tallystick.runner.ladder import FREE

FIXED = 'def last(items):\n    """The last item."""\n    return items[len(items) - 1]\n'
BROKEN = FIXED.replace("- 1", "- 2")
TEST = """import unittest

from shop import last


class LastTest(unittest.TestCase):
    def test_last(self):
        self.assertEqual([last([1]) if n == 1 else last(list(range(n))) for n in (3, 4)], [2, 3])
"""


def climbed(folder: Path, program: str, instruction: str, files: dict[str, str]) -> dict[str, str]:
    """The workspace that a rung leaves."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-I", "-B", str(FREE / program)],
        cwd=folder,
        input=instruction,
        text=True,
        capture_output=True,
        timeout=120,
        check=False,
        env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


REVERTED = {
    "copy": ({"a.py": "new\n", "a.py.orig": "old\n"}, {"a.py": "old\n", "a.py.orig": "old\n"}),
    "copy_alone": ({"a.cfg.bak": "old\n"}, {"a.cfg": "old\n", "a.cfg.bak": "old\n"}),
    "conflict": ({"a": "x\n<<<<<<< ours\nold\n=======\nnew\n>>>>>>> theirs\ny\n"}, {"a": "x\nold\ny\n"}),
    "conflict_of_three": ({"a": "<<<<<<< a\nold\n||||||| base\nzero\n=======\nnew\n>>>>>>> b\n"}, {"a": "old\n"}),
    "comment_above": ({"a.py": "if x:\n    # was: return 1\n    return 2\n"}, {"a.py": "if x:\n    return 1\n"}),
    "comment_behind": ({"a.py": "limit = 3  # previously: limit = 5\n"}, {"a.py": "limit = 5\n"}),
    "nothing_recorded": ({"a.py": "limit = 3  # it was five\n"}, {"a.py": "limit = 3  # it was five\n"}),
}


@pytest.mark.parametrize("name", REVERTED)
def test_revert(name: str, tmp_path: Path) -> None:
    before, after = REVERTED[name]
    assert climbed(tmp_path, "revert.py", "Undo the last change.\n", before) == after


FENCE = "```\nHello!\n```\n"
PATCHED = {
    "rename": ("Rename `foo` to `bar`.", {"a.py": "foo = foobar\n"}, {"a.py": "bar = foobar\n"}),
    "one_file": (
        "Change `1` to `2` in `a.txt`. Leave the rest.",
        {"a.txt": "v 1\n", "b.txt": "v 1\n"},
        {"a.txt": "v 2\n", "b.txt": "v 1\n"},
    ),
    "over_a_line_end": ('Replace\n"old words" with "new words".', {"a": "old words\n"}, {"a": "new words\n"}),
    "from_to": ("The version goes from `1.2` to `1.3`.", {"a": "v1.2, 102\n"}, {"a": "v1.3, 102\n"}),
    "set": ("Set `port` to `9090` in c.ini.", {"c.ini": "port = 80\nhost = a\n"}, {"c.ini": "port = 9090\nhost = a\n"}),
    "create": (f"Create `docs/hello.txt` with this line:\n\n{FENCE}", {}, {"docs/hello.txt": "Hello!\n"}),
    "add_a_line": (
        "Add this to `N.md` below `## New`:\n\n```\n- b\n```\n",
        {"N.md": "## New\n\n- a\n\n## Old\n\n- z\n"},
        {"N.md": "## New\n\n- a\n- b\n\n## Old\n\n- z\n"},
    ),
    "remove": ("Delete the line `x = 1` from `a`.", {"a": "x = 1\ny = 2\n"}, {"a": "y = 2\n"}),
    "remove_a_file": ("Remove `old.txt`.", {"old.txt": "x\n", "a": "x\n"}, {"a": "x\n"}),
    "far_away": (f"Create `a.txt` well.{' More words.' * 60}\n\n{FENCE}", {}, {}),
    "outside": (f"Create `../out.txt`:\n\n{FENCE}", {}, {}),
    "vague": ("Make the program faster and don't break the user's tests.", {"a": "x\n"}, {"a": "x\n"}),
}


@pytest.mark.parametrize("name", PATCHED)
def test_regex_patch(name: str, tmp_path: Path) -> None:
    instruction, before, after = PATCHED[name]
    folder = tmp_path / "workspace"
    folder.mkdir()
    assert climbed(folder, "regex_patch.py", instruction, before) == after
    assert list(tmp_path.iterdir()) == [folder]


def test_mutation_repair_keeps_the_first_mutant_that_passes(tmp_path: Path) -> None:
    left = climbed(tmp_path, "mutation_repair.py", "Fix it.\n", {"shop.py": BROKEN, "test_shop.py": TEST})
    assert left == {"shop.py": FIXED, "test_shop.py": TEST}


def test_mutation_repair_takes_the_command_that_is_quoted(tmp_path: Path) -> None:
    files = {"shop.py": BROKEN, "spec.py": TEST.replace("import unittest\n", "import unittest\n\nFAST = 1\n")}
    left = climbed(tmp_path, "mutation_repair.py", "Mend what `python3 -m unittest spec` finds.\n", files)
    assert left == {**files, "shop.py": FIXED}


@pytest.mark.parametrize("files", [{"shop.py": BROKEN}, {"shop.py": FIXED, "test_shop.py": TEST}])
def test_mutation_repair_needs_a_visible_test_that_fails(files: dict[str, str], tmp_path: Path) -> None:
    assert climbed(tmp_path, "mutation_repair.py", "Fix it.\n", files) == files


def test_mutation_repair_gives_up(tmp_path: Path) -> None:
    files = {"shop.py": "def last(items):\n    raise KeyError\n", "test_shop.py": TEST}
    assert climbed(tmp_path, "mutation_repair.py", "Fix it.\n", files) == files


def test_tests_are_not_what_is_repaired(tmp_path: Path) -> None:
    files = {"test_one.py": "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        assert 1 == 2\n"}
    assert climbed(tmp_path, "mutation_repair.py", "Fix it.\n", files) == files
