"""`tally show`: what was asked, changed and checked, told without trusting the teller."""

import dataclasses
from pathlib import Path

from tallystick.cli.screen import Style
from tallystick.cli.show import shown_lines
from tallystick.flows.show import ShownCheck, ShownFile, describe
from tests.unit.cli.conftest import Tally


def test_a_task_in_full(bundle: Path, tally: Tally) -> None:
    said = tally("show", str(bundle), "--task", "lint_fix_unused_import")
    assert said.code == 0
    for part in ("golden-v1, agent mock", "asked", "changed", "checked", "-import functools", "✓ nothing_else: pass"):
        assert part in said.out
    assert "file_io_read_write" not in said.out
    assert f"as the submitter tells it; to check it: tally verify {bundle}" in said.out


def test_every_task_without_a_choice(bundle: Path, tally: Tally) -> None:
    assert tally("show", str(bundle)).out.count("  checked\n") == 5


def test_an_unknown_task_is_one_line(bundle: Path, tally: Tally) -> None:
    said = tally("show", str(bundle), "--task", "nope")
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert "lint_fix_unused_import" in said.err


def test_what_others_wrote_cannot_change_the_screen(bundle: Path) -> None:
    evil = "\x1b[2J\u202egood\r\x07"
    shown = describe(bundle)
    attempt = dataclasses.replace(
        shown.attempts[0],
        why=evil,
        asked=evil,
        files=(ShownFile(evil, "changed", (f"+{evil}", "-" + evil * 5000), evil), ShownFile(evil, "added", note=evil)),
        excluded=(evil,),
        refused=(evil,),
        checks=(ShownCheck(evil, evil, "pass", evil, "derived"),),
        outputs=((evil, f"{evil}\n" * 1000),),
    )
    lines = list(shown_lines(dataclasses.replace(shown, attempts=(attempt,)), Path(evil), Style()))
    assert all(line.isprintable() for line in lines)
    assert max(map(len, lines)) < 1500
