"""What a user installs holds every file of the package, unchanged, those of packaged tasks included."""

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.repo.project import PACKAGE, ROOT, SRC, files

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("build")]

# What a careless packaging rule would leave out of a task's workspace.
AWKWARD = {
    ".tally-removes": "old.py\n",
    "task.md": "---\ntitle: T\n---\n",
    "workspace/build/out.txt": "kept\n",
    "workspace/dist/a.py": "broken = (\n",
    "workspace/.hidden": "kept\n",
    "workspace/tests/test_a.py": "def test_a(): pass\n",
    "grader/grade.py": "print()\n",
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project with one more packaged task, full of awkward names."""
    root = tmp_path_factory.mktemp("checkout")
    for path in files():
        target = root / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    for name, text in AWKWARD.items():
        path = root / "src/tallystick/suites/packaged/awkward" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture(scope="module")
def built(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the wheel and the sdist."""
    out = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out)]
    subprocess.run(command, cwd=checkout, check=True, capture_output=True)
    return out


def package_files(checkout: Path) -> dict[str, bytes]:
    source = checkout / "src"
    return {path.relative_to(source).as_posix(): path.read_bytes() for path in source.rglob("*") if path.is_file()}


def test_the_wheel_holds_every_file_of_the_package(checkout: Path, built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        held = {name: wheel.read(name) for name in wheel.namelist() if ".dist-info/" not in name}
        metadata = wheel.read(next(name for name in wheel.namelist() if name.endswith("/METADATA"))).decode()
    assert held == package_files(checkout)
    assert set(AWKWARD) <= {name.partition("/awkward/")[2] for name in held}
    assert "License-Expression: Apache-2.0" in metadata


def test_executable_files_stay_executable(checkout: Path, built: Path) -> None:
    executable = {
        path.relative_to(checkout / "src").as_posix()
        for path in (checkout / "src").rglob("*")
        if path.is_file() and path.stat().st_mode & 0o100
    }
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        held = {entry.filename for entry in wheel.infolist() if (entry.external_attr >> 16) & 0o100}
    assert held == executable


def test_the_sdist_holds_every_file_of_the_project(checkout: Path, built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        held = {name.partition("/")[2] for name in sdist.getnames()} - {"PKG-INFO"}
    expected = {path.relative_to(checkout).as_posix() for path in checkout.rglob("*") if path.is_file()}
    assert held == expected


def test_the_version_is_the_packages() -> None:
    namespace: dict[str, str] = {}
    line = next(line for line in (PACKAGE / "__init__.py").read_text().splitlines() if line.startswith("__version__"))
    exec(line, namespace)
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "version"], cwd=SRC.parent, check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == namespace["__version__"]
