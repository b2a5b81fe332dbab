"""The runner of hidden tests: how tests of unittest and plain functions come out."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tallystick.flows.task_hidden import write_grader
from tests.unit.suites.authored import write_files

UNITTEST = """\
import unittest
import helper

def setUpModule():
    helper.ready = True

class Base(unittest.TestCase):
    def test_inherited(self): self.assertTrue(helper.ready)

class T(Base):
    def test_fails(self): self.fail("as it must\\nmore")
    def test_raises(self): raise KeyError("k")
    def test_exits(self): raise SystemExit(0)
    def test_skips(self): self.skipTest("later")
    def test_parts(self):
        for number in (1, 2):
            with self.subTest(number): self.assertEqual(number, 1)
    @unittest.expectedFailure
    def test_expected(self): self.fail()
    @unittest.expectedFailure
    def test_unexpected(self): pass

class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise ValueError
    def test_never(self): pass

class Async(unittest.IsolatedAsyncioTestCase):
    async def test_awaits(self): pass
"""
FUNCTIONS = """\
import pytest
from shop import total

def test_passes(): print(total([1, 2])); assert total([1, 2]) == 3
def test_fails(): assert total([]) == 1
def test_raises():
    with pytest.raises(TypeError, match="iterable") as caught: total(1)
    assert caught.type is TypeError
def test_does_not_raise():
    with pytest.raises(TypeError): total([])
def test_other_message():
    with pytest.raises(TypeError, match="nonsense"): total(1)
def test_called(): pytest.raises(TypeError, total, 1)
def test_skips(): pytest.skip("later")
def helper(x): pass
class TestThings:
    def test_method(self): assert self
    @staticmethod
    def test_static(): pass
"""


def outcomes(folder: Path, file: str) -> tuple[dict[str, list[str]], str]:
    write_grader(folder, None)
    line = [sys.executable, "-I", "-B", "tally_hidden/run.py", file]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return found["tests"], found["problem"]


def test_unittest_classes(tmp_path: Path) -> None:
    found, problem = outcomes(write_files(tmp_path, {"tests/test_a.py": UNITTEST, "tests/helper.py": ""}), "tests/test_a.py")
    assert problem == ""
    assert {name: row[0] for name, row in found.items()} == {
        "Base.test_inherited": "pass",
        "T.test_inherited": "pass",
        "T.test_fails": "fail",
        "T.test_raises": "error",
        "T.test_exits": "error",
        "T.test_skips": "skip",
        "T.test_parts": "fail",
        "T.test_expected": "pass",
        "T.test_unexpected": "fail",
        "Broken.test_never": "error",
        "Async.test_awaits": "pass",
    }
    assert found["T.test_fails"][1] == "as it must"


@pytest.mark.parametrize("place", ["shop.py", "src/shop.py"])
def test_functions(tmp_path: Path, place: str) -> None:
    files = {"tests/__init__.py": "", "tests/a_test.py": FUNCTIONS, place: "def total(numbers):\n    return sum(numbers)\n"}
    found, _ = outcomes(write_files(tmp_path, files), "tests/a_test.py")
    passed = ("test_passes", "test_raises", "test_called", "TestThings.test_method", "TestThings.test_static")
    failed = ("test_fails", "test_does_not_raise", "test_other_message")
    assert {name: row[0] for name, row in found.items()} == {
        **dict.fromkeys(passed, "pass"),
        **dict.fromkeys(failed, "fail"),
        "test_skips": "skip",
    }


@pytest.mark.parametrize("source", ["import nowhere\n", "raise SystemExit(0)\n", "def f(:\n"])
def test_a_file_that_does_not_import(tmp_path: Path, source: str) -> None:
    found, problem = outcomes(write_files(tmp_path, {"test_a.py": source}), "test_a.py")
    assert found == {}
    assert problem
