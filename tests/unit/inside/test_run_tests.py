"""Added tests in the subject: what counts as passing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.inside.protocol import LIB

PASSED = 77


def run(folder: Path, **files: str) -> int:
    """Write files (`__` is a slash) and run those that hold tests."""
    paths = []
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if "test" in path.name:
            paths.append(str(path.relative_to(folder)))
    script = [sys.executable, "-s", "-B", str(LIB / "run_tests.py"), *paths]
    return subprocess.run(script, cwd=folder, capture_output=True, check=False).returncode


CASE = "import unittest\nclass T(unittest.TestCase):\n    def test_x(self):\n        self.assertEqual({}, 1)\n"


@pytest.mark.parametrize(
    ("source", "passes"),
    [
        (CASE.format(1), True),
        (CASE.format(2), False),
        ("def test_x():\n    assert True\n", True),
        ("def test_x():\n    assert False\n", False),
        ("def test_x(fixture):\n    pass\n", False),
        ("x = 1\n", False),
        ("raise SystemExit(0)\n", False),
        ("import os\nos._exit(0)\n", False),
        ("def test_x(:\n", False),
        ("import unittest\n@unittest.skip('')\nclass T(unittest.TestCase):\n    def test_x(self): pass\n", False),
        ("import nothing_of_this_name\ndef test_x(): pass\n", False),
    ],
)
def test_what_passes(tmp_path: Path, source: str, *, passes: bool) -> None:
    assert (run(tmp_path, test_m=source) == PASSED) is passes


def test_modules_of_the_workspace_are_found(tmp_path: Path) -> None:
    source = "from m import X\nfrom helper import Y\ndef test_x():\n    assert X == Y\n"
    assert run(tmp_path, m="X = 1\n", tests__helper="Y = 1\n", tests__test_m=source) == PASSED


def test_tests_in_packages_may_import_relatively(tmp_path: Path) -> None:
    source = "from .helper import Y\ndef test_x():\n    assert Y == 1\n"
    files = {"tests____init__": "", "tests__helper": "Y = 1\n", "tests__test_m": source}
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/__init__.py").write_text("")
    files.pop("tests____init__")
    assert run(tmp_path, **files) == PASSED
