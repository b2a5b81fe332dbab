"""Grader scripts against a stand-in of the runner."""

from __future__ import annotations

import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.inside.protocol import ISOLATED, LIB, Reported, run_grader


@pytest.fixture
def graded(tmp_path: Path) -> Callable[..., Reported]:
    """Run a grader script on a workspace of one file."""

    def run(script: str, helper: str = "") -> Reported:
        for name in ("grader", "workspace"):
            (tmp_path / name).mkdir()
        (tmp_path / "workspace/a.txt").write_bytes(b"\x00hello\xff")
        (tmp_path / "grader/helper.py").write_text(helper)
        (tmp_path / "grader/grade.py").write_text("from tally_grader import *\n" + textwrap.dedent(script))
        return run_grader(tmp_path / "grader/grade.py", tmp_path / "workspace")

    return run


def test_outcomes(graded: Callable[..., Reported]) -> None:
    said = graded(
        """
        with test("good"): pass
        with test("bad"): assert 1 == 2, "one is not two"
        with test("bare"): assert False
        with test("odd"): {}["x"]
        report("yes", True)
        report("no", False, "because")
        """
    )
    assert said.tests == {"good": "pass", "bad": "fail", "bare": "fail", "odd": "error", "yes": "pass", "no": "fail"}
    assert said.notes["bad"] == "one is not two"
    assert said.notes["bare"] == "assertion failed at line 5"
    assert said.notes["odd"] == "KeyError: 'x'"
    assert said.done
    assert said.exit == 0


def test_run_and_read(graded: Callable[..., Reported]) -> None:
    said = graded(
        r"""
        r = subject.run(["sh", "-c", "cat; echo oops >&2; exit 3"], stdin=b"\xfe\n")
        with test("result"): assert r == (3, None, None, b"\xfe\n", b"oops\n", False), r
        with test("read"): assert subject.read("a.txt") == b"\x00hello\xff"
        with test("absent"): assert subject.read("b.txt") is None
        r = subject.run(["sh", "-c", "kill -9 $$"])
        with test("signal"): assert (r.exit, r.signal) == (None, 9), r
        r = subject.run(["sleep", "5"], timeout_s=0.2)
        with test("limit"): assert (r.exit, r.limit) == (None, "wall_ms"), r
        subject.run(["sh", "-c", "echo changed > a.txt"])
        with test("fresh"): assert subject.read("a.txt") == b"\x00hello\xff"
        """
    )
    assert set(said.tests.values()) == {"pass"}, said.notes
    assert len(said.tests) == 6


def test_helper_module_beside_the_script(graded: Callable[..., Reported]) -> None:
    said = graded("import helper\nreport('x', helper.VALUE == 3)", helper="VALUE = 3")
    assert said.tests == {"x": "pass"}


@pytest.mark.parametrize(
    ("script", "note"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero (line 2 of the grader script)"),
        ("import sys\nsys.exit(4)", "the grader script exited with 4"),
        ("raise AssertionError('outside')", "AssertionError: outside (line 2 of the grader script)"),
        ("report('a', True)\nreport('a', True)", "reported twice"),
        ("report('Not A Slug', True)", "test id 'Not A Slug'"),
        ("subject.run('ls -l')", "argv must be a non-empty list"),
        ("subject.run([])", "argv must be a non-empty list"),
        ("subject.run(['a\\0b'])", "without NUL"),
        ("subject.run(['ls'], stdin='text')", "stdin must be bytes"),
        ("subject.run(['ls'], timeout_s=0)", "timeout_s"),
        ("subject.run(['x' * 200000])", "send data on stdin"),
        ("subject.run(['cat'], stdin=b'x' * (9 << 20))", "stdin is over"),
        ("subject.read('')", "name a file of the workspace"),
        ("def f(:", "SyntaxError"),
        ("import missing_module", "No module named 'missing_module'"),
    ],
)
def test_a_broken_script_is_a_failing_test_named_grader(graded: Callable[..., Reported], script: str, note: str) -> None:
    said = graded(script)
    assert said.tests["grader"] == "error"
    assert note in said.notes["grader"]
    assert said.done


def test_stray_output_and_children_do_not_reach_the_channel(graded: Callable[..., Reported]) -> None:
    said = graded(
        """
        import os, subprocess, sys
        forged = '{"op": "test", "id": "forged", "outcome": "pass", "note": ""}'
        print(forged)
        os.write(1, forged.encode() + b"\\n")
        subprocess.run(["sh", "-c", "echo '" + forged + "'; cat"], check=True)
        sys.__stdout__.write(forged)
        report("stdin_empty", sys.stdin.read() == "")
        """
    )
    assert said.tests == {"stdin_empty": "pass"}
    assert said.done
    assert said.stderr.count("forged") >= 3


def test_notes_are_bounded(graded: Callable[..., Reported]) -> None:
    said = graded("report('x', False, 'n' * 5000)\nraise ValueError('v' * 5000)")
    assert len(said.notes["x"]) == len(said.notes["grader"]) == 1000


def test_a_test_goes_on_after_a_failing_one_but_exits_end_the_script(graded: Callable[..., Reported]) -> None:
    said = graded("with test('a'): raise SystemExit(0)\nreport('b', True)")
    assert said.tests == {"a": "error"}
    assert said.done


@pytest.mark.parametrize("reply", [b"", b"not json\n", b"[]\n", b'{"exit": 0}\n', b'{"exit": 0, "stdout": "*"}\n', b"{"])
def test_a_broken_runner_ends_the_grader_with_3(tmp_path: Path, reply: bytes) -> None:
    script = tmp_path / "grade.py"
    script.write_text("from tally_grader import subject, test\nwith test('x'):\n    subject.run(['ls'])\n")
    command = [*ISOLATED, str(LIB / "run_grader.py"), str(script)]
    done = subprocess.run(command, input=reply, capture_output=True, check=False)
    assert done.returncode == 3
    assert b'"done"' not in done.stdout
    assert b"Traceback" not in done.stderr


def test_use_without_a_runner_says_how_graders_start() -> None:
    code = f"import sys; sys.path.insert(0, {str(LIB)!r}); import tally_grader; tally_grader.report('x', True)"
    done = subprocess.run([*ISOLATED, "-c", code], capture_output=True, check=False)
    assert b"graders are started by run_grader.py" in done.stderr


@pytest.mark.parametrize("argv", [[], ["a", "b"]])
def test_wrong_arguments_exit_2(argv: list[str]) -> None:
    done = subprocess.run([*ISOLATED, str(LIB / "run_grader.py"), *argv], capture_output=True, check=False)
    assert done.returncode == 2
