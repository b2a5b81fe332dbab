"""Tasks made of commits: those that can become one pass their check, the others are refused with the reason."""

from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.flows.task_check import check_tasks
from tallystick.flows.task_new import NewTask
from tallystick.flows.task_repo import RepositoryRequest, UnsuitableCommitError, new_from_repository
from tallystick.records.task import Grader
from tallystick.suites.loading import compile_suite
from tests.acceptance.support import needs_bwrap
from tests.unit.flows.repositories import BASE, CART, ENVIRONMENT, FIX, FUNCTION_TESTS, MENDED, NEW_TESTS, commit, git, shop
from tests.unit.flows.test_task_git import hostile

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12\n"


def make(folder: Path, fix: str, without: tuple[str, ...] = ()) -> NewTask:
    return new_from_repository(
        RepositoryRequest("mend", "my répo", fix, folder / "suite", "smoke", without, folder, ENVIRONMENT["PATH"])
    )


def listed(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()}


@needs_bwrap
@pytest.mark.slow
def test_a_python_package_becomes_a_task_that_passes_its_check(tmp_path: Path) -> None:
    fix = shop(tmp_path / "my répo")
    made = make(tmp_path, fix)
    assert listed(made.folder / "workspace") == set(BASE)
    assert listed(made.folder / "solution") == {"shop/cart.py"}
    assert listed(made.folder / "grader") == {
        "tests/test_cart.py",
        *(f"tally_hidden/{name}.py" for name in ("run", "checks", "fixed", "kept")),
    }
    suite = compile_suite(made.suite)
    task = suite.tasks[0]
    tests = {check.id: set(check.tests) for check in task.assertions if isinstance(check, Grader)}
    assert tests == {
        "fixed": {"cart-carttest-total", "cart-carttest-remove", "names-testtotal-one"},
        "kept": {"cart-carttest-empty", "names-names", "names-testtotal-no_name"},
    }
    assert task.protected_files == ("tests/",)
    assert task.grading.mode == "in_process"
    assert "Signed-off-by" not in task.description
    assert "words: `remove`" in task.description  # the tests call it, and neither message nor workspace say it
    found = check_tasks(suite)
    assert found.wrong == ()
    assert [finding.code for finding in found.advice] == ["few_cheats"]


@needs_bwrap
@pytest.mark.slow
def test_a_repository_of_plain_functions_with_src_layout_becomes_one_too(tmp_path: Path) -> None:
    base = {"src/shop/__init__.py": "", "src/shop/cart.py": CART, "old.txt": "remove me\n", "setup.cfg": "[x]\n"}
    tests = FUNCTION_TESTS.replace("lines ==", "lines  ==")
    fix = shop(
        tmp_path / "my répo",
        base,
        {"src/shop/cart.py": MENDED, "shop_test.py": tests, "old.txt": None, "setup.cfg": "[y]\n"},
    )
    made = make(tmp_path, fix)
    assert made.notes == ("setup.cfg: its change is left out of the solution, since its name steers Python",)
    assert listed(made.folder / "solution") == {"src/shop/cart.py", ".tally-removes"}
    assert check_tasks(compile_suite(made.suite)).wrong == ()


def test_a_commit_that_touches_tests_only_is_refused(tmp_path: Path) -> None:
    fix = shop(tmp_path / "my répo", fix={"tests/test_cart.py": NEW_TESTS})
    with pytest.raises(UnsuitableCommitError, match=r"touches tests only \(tests/test_cart.py\).*choose the commit"):
        make(tmp_path, fix)
    assert not (tmp_path / "suite").exists()


def test_a_commit_without_tests_is_refused(tmp_path: Path) -> None:
    fix = shop(tmp_path / "my répo", fix={"shop/cart.py": MENDED})
    with pytest.raises(UnsuitableCommitError, match=r"has no tests in Python \(it changes shop/cart.py\)"):
        make(tmp_path, fix)


def with_submodule(folder: Path) -> str:
    """A repository with a submodule and Git LFS pointers; the id of its fix."""
    shop(folder, {**BASE, "data/big.bin": LFS})
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{git(folder, 'rev-parse', 'HEAD')},vendor/lib")
    git(folder, "commit", "-q", "-m", "Vendor by reference")
    git(folder, "reset", "-q", "--hard")
    (folder / "shop/cart.py").write_text(MENDED + "\n# once more\n")
    (folder / "tests/test_cart.py").write_text(NEW_TESTS + "\n# once more\n")
    git(folder, "commit", "-q", "-a", "-m", "Mend")
    return git(folder, "rev-parse", "HEAD")


def test_submodules_and_lfs_pointers_are_refused_with_what_to_do(tmp_path: Path) -> None:
    fix = with_submodule(tmp_path / "my répo")
    with pytest.raises(UnsuitableCommitError, match=r"submodules \(vendor/lib\).*--without vendor/lib"):
        make(tmp_path, fix)
    with pytest.raises(UnsuitableCommitError, match=r"LFS pointers in place of files \(data/big.bin\).*--without data/big.bin"):
        make(tmp_path, fix, without=("vendor/",))
    assert not (tmp_path / "suite").exists()


@needs_bwrap
def test_what_is_left_out_by_name_does_not_stand_in_the_way(tmp_path: Path) -> None:
    shop(tmp_path / "my répo", {**BASE, "data/big.bin": LFS})
    made = make(tmp_path, "main", without=("data/",))
    assert listed(made.folder / "workspace") == set(BASE)


@pytest.mark.parametrize("target", ["/etc/passwd", "../../secret", "a/../../b"])
def test_links_that_leave_are_refused(tmp_path: Path, target: str) -> None:
    folder = tmp_path / "my répo"
    commit(folder, BASE, "Begin\n")
    (folder / "shop/link").symlink_to(target)
    fix = commit(folder, FIX) and commit(folder, {"shop/cart.py": CART, "tests/test_cart.py": "# other\n"})
    with pytest.raises(UnsuitableCommitError, match=r"the link shop/link.*--without shop/link"):
        make(tmp_path, fix)


@pytest.mark.parametrize("name", ["größe.txt", "a(1).txt", "tally_hidden/x"])
def test_names_that_no_suite_can_hold_are_refused(tmp_path: Path, name: str) -> None:
    fix = shop(tmp_path / "my répo", {**BASE, name: "x"})
    with pytest.raises(UnsuitableCommitError, match=r"without|rename it"):
        make(tmp_path, fix)


def test_names_that_differ_in_case_only_are_refused(tmp_path: Path) -> None:
    fix = shop(tmp_path / "my répo", {**BASE, "a.txt": "x", "A.txt": "y"})
    with pytest.raises(InputError, match=r"(?i)^smoke/mend/workspace: .*a\.txt"):
        make(tmp_path, fix)


def test_tests_with_fixtures_are_refused_with_their_line(tmp_path: Path) -> None:
    tests = "import pytest\n\n\ndef test_a(tmp_path):\n    pass\n"
    fix = shop(tmp_path / "my répo", fix={**FIX, "tests/test_files.py": tests})
    with pytest.raises(UnsuitableCommitError, match=r"tests/test_files.py:4: test_a takes the fixtures tmp_path.*unittest"):
        make(tmp_path, fix)


@needs_bwrap
def test_tests_that_were_there_before_and_need_pytest_are_passed_over(tmp_path: Path) -> None:
    fix = shop(tmp_path / "my répo", {**BASE, "tests/test_files.py": "def test_a(tmp_path):\n    pass\n"})
    assert "tests/test_files.py:1: test_a takes the fixtures tmp_path" in make(tmp_path, fix).notes[0]


@needs_bwrap
@pytest.mark.parametrize(
    ("tests", "says"),
    [
        (NEW_TESTS.replace("750", "751").replace("[]", "[1]"), "no test fails before the fix"),
        ("import requests\n\n\ndef test_a():\n    pass\n", "No module named 'requests'.*vendor"),
    ],
)
def test_a_fix_that_its_tests_do_not_show_is_refused(tmp_path: Path, tests: str, says: str) -> None:
    base = {path: text for path, text in BASE.items() if path != "tests/test_names.py"}
    fix = shop(tmp_path / "my répo", base, {"shop/cart.py": MENDED, "tests/test_cart.py": tests})
    with pytest.raises(InputError, match=says.replace("no test fails before the fix", "no (hidden )?test")):
        make(tmp_path, fix)


@needs_bwrap
def test_tests_that_change_their_mind_are_left_out(tmp_path: Path) -> None:
    flaky = (
        NEW_TESTS + "\n    def test_luck(self):\n        import os\n        assert os.urandom(8)[0] % 2 and self.cart.remove\n"
    )
    fix = shop(tmp_path / "my répo", fix={**FIX, "tests/test_cart.py": flaky})
    made = make(tmp_path, fix)
    text = (made.folder / "task.md").read_text()
    assert "cart-carttest-luck" not in text or not made.notes  # one in four times all repeats agree
    assert "cart-carttest-total" in text


@needs_bwrap
def test_a_hostile_repository_runs_nothing_on_this_machine(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    fix = hostile(tmp_path / "my répo", ran)
    (tmp_path / "my répo" / "setup.py").write_text(f"open({str(ran)!r}, 'w')\n")
    made = make(tmp_path, fix)
    assert not ran.exists()
    assert not any(path.name == ".git" for path in made.folder.rglob("*"))
