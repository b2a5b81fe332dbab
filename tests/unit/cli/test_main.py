"""Where errors end: one line, an exit code, never a trace."""

import errno
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from tallystick.cli import main
from tallystick.core.errors import InputError, TallyError
from tests.unit.cli.conftest import Tally


class FailingCommand:
    """Stands in for the whole command line and fails as told."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def main(self, **_: Any) -> NoReturn:
        raise self.error


Fails = Callable[[BaseException], None]


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> Fails:
    return lambda error: monkeypatch.setattr(main, "build", lambda: FailingCommand(error))


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (TallyError("it broke"), 1, "tally: it broke"),
        (InputError("two\nlines and \x1b[31m"), 2, "tally: two lines and \\x1b[31m"),
        (KeyboardInterrupt(), 130, "tally: stopped"),
        (OSError(errno.ENOSPC, "No space left on device", "/x/y"), 1, "tally: /x/y: no space left on device"),
    ],
)
def test_a_foreseen_error_is_one_line(error: BaseException, code: int, line: str, fails: Fails, tally: Tally) -> None:
    fails(error)
    said = tally("anything")
    assert (said.code, said.out, said.err) == (code, "", f"{line}\n")


def test_a_bug_is_one_line_that_says_how_to_see_more(fails: Fails, tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    fails(KeyError("x" * 5000))
    said = tally("anything")
    assert said.code == 70
    assert said.err.startswith("tally: this is a bug in tally (KeyError: ")
    assert "TALLY_DEBUG=1" in said.err
    assert said.err.count("\n") == 1
    monkeypatch.setenv("TALLY_DEBUG", "1")
    assert "Traceback" in tally("anything").err


def test_a_reader_that_went_away_is_no_error(fails: Fails, tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "silence", lambda _: None)
    fails(BrokenPipeError())
    assert tally("anything").err == ""


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (("verify",), "missing argument"),
        (("--nonsense",), "no such option"),
        (("run", "golden-v1", "--wrkers", "2"), "--wrkers"),
        (("verify", "x", "--level", "best"), "--level"),
        (("key", "nonsense"), "nonsense"),
    ],
)
def test_misuse_says_where_to_read_on(args: tuple[str, ...], part: str, tally: Tally) -> None:
    said = tally(*args)
    assert said.code == 2
    assert said.err.startswith("tally: ")
    assert said.err.count("\n") == 1
    assert part in said.err
    assert "--help" in said.err
