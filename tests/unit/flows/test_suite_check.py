"""The proof of a suite, on suites that are fair and on ones that are not, in the real sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from tallystick.flows.suite_check import SuiteCheck, check_suite
from tallystick.suites.loading import compile_suite
from tests.acceptance.support import needs_bwrap

pytestmark = [needs_bwrap, pytest.mark.xdist_group("acceptance")]


def checked(folder: Path, assertions: str, *, solution: str = "two\n", cheats: str = "{}", **lies: str) -> SuiteCheck:
    task = folder / "smoke" / "only"
    for name, text in {"workspace/in.txt": "one\n", "solution/out.txt": solution}.items():
        (task / name).parent.mkdir(parents=True, exist_ok=True)
        (task / name).write_text(text)
    for name, text in lies.items():
        (task / "cheats" / name).mkdir(parents=True)
        (task / "cheats" / name / "out.txt").write_text(text)
    front = f"title: only\nassertions:\n{assertions}\ncheats: {cheats}\n"
    (task / "task.md").write_text(f"---\n{front}---\nWrite `two` into out.txt.\n")
    (folder / "suite.yaml").write_text("version: small-v1\norder: [only]\n")
    return check_suite(compile_suite(folder))


CONTAINS = '- {kind: content_eq, id: text, path: out.txt, content: "two\\n"}'
COMMAND = "- {kind: command, id: size, argv: [sh, -c, 'test $(wc -c < out.txt) = 4']}"


def rows(found: SuiteCheck, tried: str) -> list[bool]:
    return [row.ok for row in found.rows if row.tried == tried]


def test_a_fair_suite_is_proven(tmp_path: Path) -> None:
    found = checked(
        tmp_path,
        f"{CONTAINS}\n{COMMAND}",
        cheats="{short: {fails: [text, size]}, wrong: {fails: [text]}}",
        short="2\n",
        wrong="owt\n",
    )
    assert found.ok, found.rows
    assert [rows(found, tried) for tried in ("nop", "oracle", "cheat:short", "cheat:wrong")] == [[True]] * 4
    assert found.count("cheat") == (2, 2)


def test_a_task_that_passes_untouched(tmp_path: Path) -> None:
    found = checked(tmp_path, "- {kind: contains, path: in.txt, text: one}")
    assert not found.ok
    assert rows(found, "nop") == [False]
    assert rows(found, "oracle") == [True]


def test_a_solution_that_does_not_solve(tmp_path: Path) -> None:
    found = checked(tmp_path, CONTAINS, solution="three\n")
    assert rows(found, "oracle") == [False]
    assert any("text" in row.detail for row in found.rows if row.tried == "oracle")


def test_a_cheat_that_passes_or_fails_for_another_reason(tmp_path: Path) -> None:
    found = checked(
        tmp_path,
        f"{CONTAINS}\n{COMMAND}",
        cheats="{same: {fails: [text]}, other: {fails: [size]}}",
        same="two\n",
        other="owt\n",
    )
    assert rows(found, "cheat:same") == [False]
    assert rows(found, "cheat:other") == [False]
    assert any("stated: size; failed: text" in row.detail for row in found.rows)


def test_a_check_that_changes_its_mind(tmp_path: Path) -> None:
    random = "- {kind: command, id: luck, argv: [sh, -c, 'test -f out.txt && exit $(($(od -An -N2 -tu2 /dev/urandom) % 200))']}"
    found = checked(tmp_path, f"{CONTAINS}\n{random}")
    assert rows(found, "oracle") == [False]
