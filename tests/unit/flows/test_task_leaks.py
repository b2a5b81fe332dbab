"""Answers in sight, history, weight and network: read from the files."""

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest

from tallystick.flows.task_leaks import find_history, find_leaks, find_weight
from tallystick.suites.fairness import Finding
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import compile_suite, load_suite
from tests.unit.flows.repositories import CART, MENDED, git, shop
from tests.unit.suites.authored import TASK, task_text, write_files

GRADED = task_text("title: T\nassertions:\n  - {kind: grader, id: g, script: g.py, tests: [a]}\n")


def suite_of(folder: Path, files: dict[str, str], text: str = TASK) -> LoadedSuite:
    write_files(folder, {"smoke/t/task.md": text, **{f"smoke/t/{path}": content for path, content in files.items()}})
    return compile_suite(folder)


def told(find: Callable[..., object], suite: LoadedSuite) -> list[tuple[str, str]]:
    found: list[Finding] = list(find(suite, suite.tasks[0]))  # type: ignore[call-overload]
    return [(finding.code, finding.message) for finding in found]


def test_a_git_folder_is_found_before_it_keeps_a_suite_from_being_read(tmp_path: Path) -> None:
    shop(tmp_path / "t" / "workspace")
    git(tmp_path / "t" / "workspace", "gc", "-q")
    write_files(tmp_path / "t", {"grader/sub/.git": "gitdir: ../../elsewhere\n"})
    found = list(find_history(tmp_path / "t"))
    assert [code for code, _ in found] == ["git_history", "git_history"]
    assert "workspace/.git is a repository with" in found[0][1]
    assert "1 packs" in found[0][1]
    assert "log of what HEAD was" in found[0][1]
    assert "grader/sub/.git points to a repository elsewhere" in found[1][1]


@pytest.mark.parametrize("name", ["objects.pack", "backup.bundle", "HEAD", "packed-refs"])
def test_history_under_another_name(tmp_path: Path, name: str) -> None:
    shop(tmp_path / "r")
    git(tmp_path / "r", "gc", "-q")
    git(tmp_path / "r", "bundle", "create", "-q", "../backup.bundle", "main")
    dot = tmp_path / "r" / ".git"
    sources = {
        "objects.pack": next((dot / "objects/pack").glob("*.pack")),
        "backup.bundle": tmp_path / "backup.bundle",
        "HEAD": dot / "HEAD",
        "packed-refs": dot / "packed-refs",
    }
    place = tmp_path / "s/smoke/t/workspace" / name
    place.parent.mkdir(parents=True)
    place.write_bytes(sources[name].read_bytes())
    assert [code for code, _ in told(find_leaks, suite_of(tmp_path / "s", {}))] == ["git_history"]


def test_loose_objects_under_another_name(tmp_path: Path) -> None:
    shop(tmp_path / "r")
    place = tmp_path / "s/smoke/t/workspace/copy"
    place.parent.mkdir(parents=True)
    (tmp_path / "r/.git/objects").rename(tmp_path / "objects")
    place.mkdir()
    (tmp_path / "objects").rename(place / "objects")
    assert {code for code, _ in told(find_leaks, suite_of(tmp_path / "s", {}))} == {"git_history"}


def patch_of(old: str, new: str) -> str:
    return "".join(difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), "a", "b"))


@pytest.mark.parametrize("answer", [patch_of(CART, MENDED), "# notes\n" + MENDED + "\n# end\n"])
def test_a_file_that_holds_most_of_the_solution(tmp_path: Path, answer: str) -> None:
    files = {"workspace/shop/cart.py": CART, "solution/shop/cart.py": MENDED, "workspace/notes.txt": answer}
    assert told(find_leaks, suite_of(tmp_path, files)) == [
        ("answer_visible", "workspace file notes.txt holds the new lines of solution file shop/cart.py")
    ]


def test_the_packaged_tasks_leak_nothing() -> None:
    suite = load_suite("golden-v1")
    assert [finding for task in suite.tasks for find in (find_leaks, find_weight) for finding in find(suite, task)] == []


def test_network_and_packages(tmp_path: Path) -> None:
    files = {
        "workspace/a.py": "import numpy.linalg\nimport json, b\ntry:\n    import orjson\nexcept ImportError:\n    pass\n",
        "workspace/b.py": "",
        "grader/g.py": "import urllib.request\nfrom tally_grader import test\n",
    }
    text = GRADED.replace("Do it.", "Run pip install numpy first.")
    assert [message for _, message in told(find_weight, suite_of(tmp_path, files, text))] == [
        "the instruction speaks of 'pip install', and a sandbox has no network",
        "workspace file a.py imports numpy, which no sandbox has; vendor it, or do without it",
        "grader file g.py imports urllib.request, and a sandbox has no network",
    ]


def test_a_heavy_workspace(tmp_path: Path) -> None:
    assert "9 MiB" in told(find_weight, suite_of(tmp_path, {"workspace/a.bin": "x" * (9 << 20)}))[0][1]
