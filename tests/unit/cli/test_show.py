"""`tally show`: what was asked, changed and checked, told without trusting the teller."""

import dataclasses
from pathlib import Path

import pytest

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


def test_two_side_by_side(bundle: Path, tally: Tally) -> None:
    said = tally("show", str(bundle), str(bundle))
    assert said.code == 0
    for part in ("A: agent mock", "B: agent mock", "  = lint_fix_unused_import ", f"tally verify {bundle}", "a smaller"):
        assert part in said.out
    assert max(map(len, said.out.splitlines())) <= max(80, len(f"  tally verify {bundle}"))


@pytest.mark.parametrize(
    ("options", "says"),
    [((), "checked: arithmetic only, graders not re-run"), (("--verify", "no"), "not verified, and the page says so")],
)
def test_a_page(options: tuple[str, ...], says: str, bundle: Path, tally: Tally, tmp_path: Path) -> None:
    said = tally("show", str(bundle), "--html", "page.html", *options)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[0].startswith("wrote page.html (")
    assert said.out.splitlines()[1] == f"  b.json: {says}"
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_page_of_what_does_not_hold_says_so(bundle: Path, tally: Tally) -> None:
    bundle.write_bytes(bundle.read_bytes().replace(b'"pass_rate":1', b'"pass_rate":0'))
    said = tally("show", str(bundle), "--html", "page.html")
    assert said.code == 0
    assert "NOT verified: " in said.out


def test_verifying_without_a_page_is_tally_verify(bundle: Path, tally: Tally) -> None:
    said = tally("show", str(bundle), "--verify", "regraded")
    assert said.code == 2
    assert f"tally verify {bundle}" in said.err


@pytest.mark.parametrize("out", [".", "b.json", "missing/page.html"])
def test_a_page_that_cannot_be_written_is_one_line(out: str, bundle: Path, tally: Tally) -> None:
    before = bundle.read_bytes()
    said = tally("show", str(bundle), "--html", out)
    assert said.code in {1, 2}
    assert said.err.count("\n") == 1
    assert bundle.read_bytes() == before
