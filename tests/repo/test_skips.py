"""In CI a skip that nobody expected fails the run and is named."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repo.project import ROOT


def session(folder: Path, source: str, *options: str, ci: bool = True) -> tuple[int, str]:
    """Run pytest on one test module beside a copy of the project's conftest; return exit code and output."""
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_planted.py").write_text(f"import pytest\n\ndef test_passes(): pass\n\n{source}\n")
    environment = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options],
        cwd=folder,
        env=environment | ({"CI": "true"} if ci else {}),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


UNEXPECTED = {
    "mark": "@pytest.mark.skip(reason='no bubblewrap')\ndef test_skipped(): pass",
    "call": "def test_skipped(): pytest.skip('no bubblewrap')",
    "module": "pytest.skip('no bubblewrap', allow_module_level=True)",
}


@pytest.mark.parametrize("options", [[], ["-n", "2"]], ids=["one process", "workers"])
@pytest.mark.parametrize("source", UNEXPECTED.values(), ids=UNEXPECTED)
def test_an_unexpected_skip_fails_the_run_in_ci(tmp_path: Path, source: str, options: list[str]) -> None:
    (tmp_path / "test_other.py").write_text("def test_other(): pass\n")
    code, output = session(tmp_path, source, *options)
    assert code == 1
    assert "unexpected skip: test_planted.py" in output
    assert "no bubblewrap" in output
    assert "1 skipped" in output.splitlines()[-1]


def test_the_same_skip_passes_elsewhere(tmp_path: Path) -> None:
    assert session(tmp_path, UNEXPECTED["mark"], ci=False)[0] == 0


def test_an_expected_skip_passes_in_ci(tmp_path: Path) -> None:
    code, output = session(tmp_path, "def test_skipped(): pytest.skip('needs another Python: 3.13')")
    assert (code, "unexpected skip" in output) == (0, False)


def test_an_expected_failure_is_no_skip(tmp_path: Path) -> None:
    assert session(tmp_path, "@pytest.mark.xfail\ndef test_fails(): assert False")[0] == 0
