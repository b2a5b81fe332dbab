"""Which files are tests, and which of them can run without pytest."""

import pytest

from tallystick.flows.task_tests import is_test_file, is_test_part, unrunnable


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("tests/data/a.json", (True, False)),
        ("pkg/Tests/x.py", (True, False)),
        ("test/x.py", (True, False)),
        ("pkg/test_a.py", (True, True)),
        ("pkg/a_test.py", (True, True)),
        ("conftest.py", (True, False)),
        ("pkg/testing/x.py", (False, False)),
        ("contest.py", (False, False)),
        ("latest_a.py", (False, False)),
        ("tests.py", (False, False)),
    ],
)
def test_parts_of_a_repository(path: str, found: tuple[bool, bool]) -> None:
    assert (is_test_part(path), is_test_file(path)) == found


@pytest.mark.parametrize(
    "source",
    [
        "import unittest\nclass T(unittest.TestCase):\n    def setUp(self): ...\n    def test_a(self, x=1): ...\n",
        "def test_a():\n    assert True\n",
        "import pytest\ndef test_a():\n    with pytest.raises(ValueError, match='x'):\n        pytest.fail('y')\n",
        "from pytest import raises, skip\n",
        "class TestA:\n    def test_a(self): ...\n    @staticmethod\n    def test_b(): ...\n    def helper(self, x): ...\n",
        "def helper(tmp_path): ...\n",
    ],
)
def test_what_runs_as_it_is(source: str) -> None:
    assert unrunnable("t.py", source.encode()) == []


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def test_a(tmp_path, capsys): ...\n", "t.py:1: test_a takes the fixtures tmp_path, capsys"),
        ("def test_a(*, tmp_path): ...\n", "t.py:1: test_a takes the fixtures tmp_path"),
        ("class TestA:\n    def test_a(self, tmp_path): ...\n", "t.py:2: test_a takes the fixtures tmp_path"),
        ("import pytest\n@pytest.fixture\ndef a(): ...\n", "t.py:2: uses pytest.fixture"),
        ("import pytest as p\n@p.mark.parametrize('a', [1])\ndef helper(a): ...\n", "t.py:2: uses pytest.mark"),
        ("from pytest import approx\n", "t.py:1: uses pytest.approx"),
        ("import pytest_mock\n", "t.py:1: imports pytest_mock"),
        ("async def test_a(): ...\n", "t.py:1: test_a is async and needs a plugin"),
        ("def setup_module(): ...\n", "t.py:1: setup_module() is called by pytest only"),
        ("class TestA:\n    def setup_method(self): ...\n", "t.py:2: setup_method() is called by pytest only"),
        ("def f(:\n", "t.py: does not parse as Python"),
    ],
)
def test_what_only_pytest_can_run(source: str, reason: str) -> None:
    assert unrunnable("t.py", source.encode()) == [reason]
