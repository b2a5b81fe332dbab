import io
import runpy
import sys
from pathlib import Path

import pytest

from tallystick.suites.families.cli_from_manpage import FAMILY
from tallystick.suites.families.cli_from_manpage.cases import grader_cases
from tallystick.suites.families.cli_from_manpage.manual import Manual, draw_manual
from tallystick.suites.families.cli_from_manpage.model import Case, Outcome, outcome
from tallystick.suites.families.draws import Draws


def stream(seed: str) -> Draws:
    return Draws("task", FAMILY.name, seed, "1")


class Program:
    """The drawn solution, called in this process."""

    def __init__(self, seed: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._patch = folder, monkeypatch
        self.manual = draw_manual(stream(seed))
        for path, text in FAMILY.make(stream(seed)).items():
            if path.startswith("solution/"):
                place = folder / path.removeprefix("solution/")
                place.parent.mkdir(exist_ok=True)
                place.write_text(text, encoding="utf-8")

    def leaves(self, case: Case) -> Outcome:
        here, out, err = self._folder / "here", io.StringIO(), io.StringIO()
        here.mkdir(exist_ok=True)
        for name, text in case.files.items():
            if text is None:
                (here / name).mkdir(exist_ok=True)
            else:
                (here / name).write_text(text, encoding="utf-8", newline="")
        prog = self.manual.domain.prog
        with self._patch.context() as patch:
            patch.chdir(here)
            patch.setattr(sys, "path", [str(self._folder), *sys.path])
            patch.setattr(sys, "argv", [prog, *case.args])
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(case.stdin.encode())))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            patch.setenv(self.manual.variable, case.variable)
            with pytest.raises(SystemExit) as end:
                runpy.run_module(prog, run_name="__main__", alter_sys=True)
        for name in [name for name in sys.modules if name.split(".")[0] == prog]:
            del sys.modules[name]
        assert isinstance(end.value.code, int)
        return Outcome(out.getvalue(), err.getvalue(), end.value.code)


@pytest.mark.parametrize("seed", [f"solution-{n}" for n in range(3)])
def test_the_solution_does_what_the_model_says(seed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program(seed, tmp_path, monkeypatch)
    cases = grader_cases(program.manual, stream(seed).apart("other data"))
    for name, rows in cases.items():
        for case in rows:
            assert program.leaves(case) == outcome(program.manual, case), (name, case.args)


def drawn(seed: str) -> Manual:
    return draw_manual(stream(seed))


def test_programs_differ() -> None:
    manuals = [drawn(f"differ-{n}") for n in range(100)]
    assert len({repr(manual) for manual in manuals}) == 100
    for rule in ("mixed", "shortened", "repeats", "ties", "ties_turn", "shown", "total_of", "rounding", "order"):
        assert len({getattr(manual, rule) for manual in manuals}) > 1, rule


def test_no_rule_is_told_by_the_samples_alone() -> None:
    """A program that passes the visible tests has met no message and no exit status but 0."""
    for n in range(20):
        files = FAMILY.make(stream(f"samples-{n}"))
        text = files["workspace/tests/test_samples.py"]
        assert drawn(f"samples-{n}").long("lenient") not in text
        assert not any(Path(path).name == "cases.py" for path in files if path.startswith("workspace/"))


def test_every_wrong_call_ends_with_one_line_and_no_output() -> None:
    for n in range(20):
        manual = drawn(f"wrong-{n}")
        cases = grader_cases(manual, stream(f"wrong-{n}"))["usage_errors"]
        left = [outcome(manual, case) for case in cases]
        wrong = [each for each in left if each.status == manual.usage_status]
        assert len(wrong) >= 24
        assert all(each.out == "" and each.err.count("\n") == 1 for each in wrong)
