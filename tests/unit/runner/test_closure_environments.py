"""Virtual environments and scripts: what a newcomer types must find what it needs, or be told at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tallystick.core.errors import InputError
from tallystick.runner.closure import resolve


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    site = next((folder / "lib").glob("python3*")) / "site-packages"
    (site / "helper.py").write_text("x = 1\n")
    (site / "tallystick").mkdir()
    (site / "tallystick" / "secret.py").write_text("answer = 42\n")
    script = folder / "bin/agent"
    script.write_text(f"#!{folder}/bin/python\nimport helper\n")
    script.chmod(0o755)
    return folder


def test_python_of_an_active_environment_brings_the_environment(environment: Path, tmp_path: Path) -> None:
    path = f"{environment}/bin:{os.environ['PATH']}"
    program = resolve(("python3", "-c", "import helper"), cwd=tmp_path, search_path=path)
    assert program.argv[0] == "/agent/venv/bin/python3"
    assert next(mount.target for mount in program.mounts) == "/agent/venv"


def test_a_script_with_a_shebang_into_its_environment_is_started_by_that_python(environment: Path, tmp_path: Path) -> None:
    program = resolve((str(environment / "bin/agent"),), cwd=tmp_path, search_path="/usr/bin")
    assert program.argv == ("/agent/venv/bin/python", "/agent/venv/bin/agent")


def test_copies_of_this_package_are_masked_and_do_not_count(environment: Path, tmp_path: Path) -> None:
    before = resolve((str(environment / "bin/agent"),), cwd=tmp_path, search_path="/usr/bin")
    assert [Path(path).name for path in before.mask] == ["tallystick"]
    next(environment.glob("lib/python3*/site-packages/tallystick/secret.py")).write_text("answer = 43\n")
    assert resolve((str(environment / "bin/agent"),), cwd=tmp_path, search_path="/usr/bin").digest == before.digest
    next(environment.glob("lib/python3*/site-packages/helper.py")).write_text("x = 2\n")
    assert resolve((str(environment / "bin/agent"),), cwd=tmp_path, search_path="/usr/bin").digest != before.digest


@pytest.mark.parametrize("argv", [("python3", "nosuch.py"), ("sh", "run/me"), ("node", "gone.mjs")])
def test_a_script_that_is_not_there_is_refused(argv: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        resolve(argv, cwd=tmp_path, search_path="/usr/bin:/bin")


@pytest.mark.parametrize("argv", [("sh", "-c", "a/b.py"), ("python3", "-m", "x"), ("python3", "/agent/fixer/main.py")])
def test_words_that_are_no_script_are_left_alone(argv: tuple[str, ...], tmp_path: Path) -> None:
    assert resolve(argv, cwd=tmp_path, search_path="/usr/bin:/bin").argv == argv
