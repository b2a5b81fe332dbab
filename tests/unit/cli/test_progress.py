"""How far a run is, on a terminal and elsewhere."""

import io
from dataclasses import dataclass
from decimal import Decimal

import pytest

from tallystick.cli.progress import PLAIN_LINES, LiveLine, PlainLines, Silent, clock, open_display
from tallystick.cli.screen import Screen, Style
from tallystick.core.exact import Num


@dataclass(frozen=True)
class At:
    """A moment of a run."""

    done: int
    total: int
    running: tuple[str, ...] = ()
    seconds_left: float | None = None
    last: str | None = None
    cost_usd: Num | None = None
    cost_unknown: int = 0


def screen(*, live: bool = False) -> Screen:
    return Screen(io.StringIO(), io.StringIO(), err_style=Style(), live=live)


def text(of: Screen) -> str:
    assert isinstance(of.err, io.StringIO)
    return of.err.getvalue()


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0:00"), (-3, "0:00"), (61.4, "1:01"), (3600, "1:00:00"), (36_065, "10:01:05")]
)
def test_clock(seconds: float, shown: str) -> None:
    assert clock(seconds) == shown


def test_where_it_goes_decides_how_it_looks() -> None:
    assert isinstance(open_display(screen(live=True), quiet=False), LiveLine)
    assert isinstance(open_display(screen(), quiet=False), PlainLines)
    assert isinstance(open_display(screen(live=True), quiet=True), Silent)


def test_a_log_gets_a_line_for_each_finished_attempt() -> None:
    on = screen()
    with PlainLines(on) as display:
        display(At(0, 10, ("a #1",)))
        display(At(1, 10, last="a\x1b #1", seconds_left=90))
    assert text(on) == " 1/10  a\\x1b #1 finished  1:30 left\n"


def test_a_log_of_a_long_run_stays_short() -> None:
    on = screen()
    with PlainLines(on) as display:
        for done in range(1, 10_001):
            display(At(done, 10_000, last=f"t #{done}"))
    lines = text(on).splitlines()
    assert len(lines) <= PLAIN_LINES + 1
    assert lines[-1].startswith("10000/10000")


def test_a_terminal_gets_one_line_that_fits_and_is_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    on = screen(live=True)
    with LiveLine(on) as display:
        display(At(3, 12, ("a_long_task_name #1", "another_one #2"), seconds_left=65))
    drawn = text(on).split("\r\x1b[2K")
    assert drawn[-1] == ""
    assert drawn[1].startswith(" 3/12  0:00 gone  1:05 left  running")
    assert all(len(line) <= 37 for line in drawn)
    assert "\n" not in text(on)


@pytest.mark.parametrize(
    ("cost", "unknown", "shown"),
    [
        (None, 0, "a finished\n"),
        (0, 0, "a finished  0 USD\n"),
        (Decimal("0.1234567"), 0, "a finished  0.123457 USD\n"),
        (Decimal("1.5"), 2, "a finished  1.5 USD and 2 unknown\n"),
        (0, 4, "a finished  cost unknown\n"),
    ],
)
def test_what_was_spent_and_what_nobody_knows(cost: Num | None, unknown: int, shown: str) -> None:
    on = screen()
    with PlainLines(on) as display:
        display(At(4, 4, last="a", cost_usd=cost, cost_unknown=unknown))
    assert text(on) == f"4/4  {shown}"


def test_at_80_columns_the_live_line_has_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    on = screen(live=True)
    with LiveLine(on) as display:
        display(At(3, 12, ("file_io_read_write #1",), seconds_left=65, cost_usd=Decimal("0.25")))
    assert " 3/12  0:00 gone  1:05 left  0.25 USD  running file_io_read_write #1" in text(on)


def test_quiet_is_quiet() -> None:
    on = screen()
    with open_display(on, quiet=True) as display:
        display(At(1, 1, last="x"))
    assert text(on) == ""
