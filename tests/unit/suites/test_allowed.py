"""The grade workspace takes over the changes that a task allows, and nothing else."""

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallystick.core.digest import sha256
from tallystick.records.base import UNSET
from tallystick.records.evidence import Excluded
from tallystick.records.task import FileExists, Grading, Task, TaskLimits
from tallystick.records.tree import EMPTY_TREE, Tree, TreeRecord, compare_trees, file_record, link_record, make_tree
from tallystick.suites.allowed import grade_tree, steers
from tallystick.suites.stdlib_names import STDLIB_NAMES


def task(owned: tuple[str, ...] | None = None, protected: tuple[str, ...] = ()) -> Task:
    return Task(
        id="t",
        title="T",
        description="D",
        steps=(),
        assertions=(FileExists(id="a", path="a"),),
        category="c",
        tier="smoke",
        workspace=EMPTY_TREE,
        limits=TaskLimits(wall_ms=1, cost_usd=1, memory_mb=1, disk_mb=1, files=1, processes=1, output_kb=1),
        grading=Grading(mode="none", policy="v1", python="3.11", wall_ms=1),
        task_hash=sha256(b""),
        owned_files=UNSET if owned is None else owned,
        protected_files=protected,
    )


def tree(files: dict[str, str]) -> Tree:
    """Contents by path; `->x` is a link to x."""
    return make_tree([record(path, text) for path, text in files.items()])


def record(path: str, text: str) -> TreeRecord:
    if text.startswith("->"):
        return link_record(path, text[2:])
    return file_record(path, sha256(text.encode()), len(text))


def graded(base: dict[str, str], final: dict[str, str], **said: Any) -> tuple[list[str], dict[str, str]]:
    """What was carried over, marked +, ~ or -, and what was left out."""
    result, excluded = grade_tree(task(**said), tree(base), tree(final))
    change = compare_trees(tree(base), result)
    marks = [f"+{path}" for path in change.added] + [f"~{path}" for path in change.modified]
    return marks + [f"-{path}" for path in change.removed], {item.path: item.reason for item in excluded}


def test_without_owned_files_all_but_protected_and_steering_changes() -> None:
    base = {"a": "1", "b": "1", "keep/x": "1", "pytest.ini": "1"}
    final = {"a": "2", "new/file": "1", "keep/x": "2", "keep/y": "1", "pkg/conftest.py": "1", "json.py": "1"}
    assert graded(base, final, protected=("keep",)) == (
        ["+new/file", "~a", "-b"],
        {
            "json.py": "steering",
            "keep/x": "protected",
            "keep/y": "protected",
            "pkg/conftest.py": "steering",
            "pytest.ini": "steering",
        },
    )


def test_with_owned_files_only_these() -> None:
    base = {"src/a.py": "1", "src/b.py": "1", "setup.cfg": "1", "other": "1"}
    final = {"src/a.py": "2", "src/deep/c.py": "1", "src/conftest.py": "1", "setup.cfg": "2", "other": "2", "src2/x": "1"}
    assert graded(base, final, owned=("src/", "setup.cfg")) == (
        ["+src/deep/c.py", "~setup.cfg", "~src/a.py", "-src/b.py"],
        {"other": "not_owned", "src/conftest.py": "steering", "src2/x": "not_owned"},
    )


def test_a_folder_without_its_slash_is_not_owned() -> None:
    assert graded({}, {"src/a": "1"}, owned=("src",)) == ([], {"src/a": "not_owned"})
    assert graded({"a": "1"}, {"b": "1"}, owned=()) == ([], {"a": "not_owned", "b": "not_owned"})


def test_protected_wins_over_owned() -> None:
    assert graded({"src/k": "1"}, {"src/k": "2"}, owned=("src/",), protected=("src/k",)) == ([], {"src/k": "protected"})


def test_a_clash_is_resolved_for_the_base() -> None:
    """A protected folder cannot be replaced by a file or link, nor a protected file by a folder."""
    base = {"tests/a.py": "1", "tests/b.py": "1", "data": "1"}
    final = {"tests": "->elsewhere", "data/x": "1", "elsewhere/a.py": "fake"}
    assert graded(base, final, protected=("tests/a.py", "data")) == (
        ["+elsewhere/a.py", "-tests/b.py"],
        {"data": "protected", "data/x": "protected", "tests": "protected", "tests/a.py": "protected"},
    )
    assert graded({"conftest.py/x": "1"}, {"conftest.py": "1"}) == (
        [],
        {"conftest.py": "steering", "conftest.py/x": "steering"},
    )
    assert graded({"d/x": "1"}, {"d": "1"}, owned=("d",)) == ([], {"d": "not_owned", "d/x": "not_owned"})


def test_links_that_may_lead_out_are_not_carried() -> None:
    final = {"out": "->/etc/passwd", "up": "->../x", "a/ok": "->../b", "a/odd": "->b/../..", "b": "1"}
    assert graded({"out": "1"}, final) == (["+a/ok", "+b"], {"a/odd": "leaves", "out": "leaves", "up": "leaves"})


@pytest.mark.parametrize(
    "path",
    [
        *("conftest.py", "deep/down/conftest.py", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "sitecustomize.py"),
        *("usercustomize.py", "x.pth", "a/b.pyc", "__pycache__/a.py", "a/__pycache__/x.cpython-311.pyc", "conftest.py/x"),
        *("json.py", "unittest/__init__.py", "json.so", "json.cpython-311-x86_64-linux-gnu.so", "json.abi3.so", "re.pyd"),
        *("unittest/__init__.cpython-313-x86_64-linux-gnu.so", "annotationlib.py", "distutils.py", "_thread.py"),
    ],
)
def test_steering_names(path: str) -> None:
    assert steers(path)


@pytest.mark.parametrize(
    "path",
    [
        *("src/json.py", "json.txt", "json", "html/index.html", "site/page.py", "myjson.py", "json.also", "test_app.py"),
        *(
            "pytest.ini.bak",
            "setup.py",
            "pyproject.toml",
            "Conftest.py",
            "JSON.py",
            "docs/code/__init__.py",
            "jsonx/__init__.py",
        ),
    ],
)
def test_other_names(path: str) -> None:
    assert not steers(path)


def test_a_link_in_place_of_a_library_package_steers() -> None:
    assert steers("json", link=True)
    assert graded({}, {"json": "->own", "own/__init__.py": "1"}) == (["+own/__init__.py"], {"json": "steering"})


def test_the_list_knows_the_running_library() -> None:
    assert set(sys.stdlib_module_names) <= STDLIB_NAMES
    assert STDLIB_NAMES.isdisjoint({"test", "tests", "src", "app", "main", "utils"})


PARTS = st.sampled_from(["a", "b", "json", "json.py", "conftest.py", "src", "x.pyc", "__init__.py"])
PATHS = st.lists(PARTS, min_size=1, max_size=3).map("/".join)
TEXTS = st.sampled_from(["1", "2", "->a", "->../a", "->/x", "->b/../c"])


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    files = draw(st.dictionaries(PATHS, TEXTS, max_size=8))
    kept = {path: text for path, text in files.items() if not any(path != o and path.startswith(o + "/") for o in files)}
    return tree(kept)


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    either = PATHS | PATHS.map(lambda path: path + "/")
    owned = draw(st.none() | st.lists(either, max_size=3).map(tuple))
    return task(owned, draw(st.lists(either, max_size=2).map(tuple)))


@given(tasks(), trees(), trees())
def test_only_allowed_paths_change_and_every_other_is_named(task: Task, base: Tree, final: Tree) -> None:
    result, excluded = grade_tree(task, base, final)
    out = {item.path for item in excluded}
    before, after, now = base.by_path(), final.by_path(), result.by_path()
    for path in before.keys() | after.keys() | now.keys():
        assert now.get(path) == (before if path in out else after).get(path)
    for item in excluded:
        assert before.get(item.path) != after.get(item.path)
    for path in (path for path in now if now[path] != before.get(path)):
        assert not any(path == name.rstrip("/") or path.startswith(name.rstrip("/") + "/") for name in task.protected_files)
        if task.owned_files is not UNSET:
            assert path in task.owned_files or any(name.endswith("/") and path.startswith(name) for name in task.owned_files)


@given(tasks(), trees(), trees())
def test_grading_is_idempotent_and_sorted(task: Task, base: Tree, final: Tree) -> None:
    result, excluded = grade_tree(task, base, final)
    assert grade_tree(task, base, result) == (result, ())
    assert grade_tree(task, base, base) == (base, ())
    assert list(excluded) == sorted(excluded, key=lambda item: item.path.encode())
    assert all(isinstance(item, Excluded) for item in excluded)
