"""Every import contract is kept by the project and broken by a violation planted in a copy of it."""

import configparser
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.repo.project import PACKAGE, ROOT, SRC

CONFIG = configparser.ConfigParser()
CONFIG.read(ROOT / ".importlinter", encoding="utf-8")
PREFIX = "importlinter:contract:"
CONTRACTS = [section.removeprefix(PREFIX) for section in CONFIG.sections() if section.startswith(PREFIX)]
FORBIDDEN = [contract for contract in CONTRACTS if CONFIG[PREFIX + contract]["type"] == "forbidden"]
LINT = "from importlinter.cli import lint_imports_command as lint; lint()"


def lint(root: Path, *options: str) -> tuple[int, str]:
    """Run import-linter on the project at ``root``; return its exit code and its output with single spaces."""
    command = [sys.executable, "-c", LINT, "--no-cache", "--no-logo", *options]
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "COLUMNS": "500"}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return the root of a copy of the project's modules and contracts."""
    shutil.copy(ROOT / ".importlinter", tmp_path)
    keep_modules = shutil.ignore_patterns("packaged", "parts", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "src" / "tallystick", ignore=keep_modules)
    return tmp_path


def listed(contract: str, key: str) -> list[str]:
    return CONFIG[PREFIX + contract][key].split()


def forbidden_modules(contract: str) -> list[str]:
    """Return the modules a contract forbids; a pattern becomes the one module it stands for."""
    homes = {"signing": "trust", "gateway": "recording"}
    names = listed(contract, "forbidden_modules")
    return [name.replace("*", homes[name.rpartition(".")[2]]) if "*" in name else name for name in names]


def plant(copy: Path, module: str, *imported: str) -> None:
    """Write a module that imports others, and the project's own among them where they do not exist yet."""
    for name in (name for name in imported if name.startswith("tallystick.")):
        path = copy / "src" / Path(*name.split("."))
        if not path.exists() and not path.with_suffix(".py").exists():
            path.with_suffix(".py").write_text("")
    target = copy / "src" / Path(*module.split(".")).with_suffix(".py")
    target.write_text("".join(f"import {name}\n" for name in imported))


def test_the_project_keeps_every_contract() -> None:
    code, output = lint(ROOT)
    assert code == 0, output
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken." in output


@pytest.mark.parametrize("contract", FORBIDDEN)
def test_a_planted_violation_breaks_its_contract(copy: Path, contract: str) -> None:
    """Each room a contract speaks of imports each module it forbids, and each such pair is named."""
    expected = []
    for room in listed(contract, "source_modules"):
        plant(copy, f"{room}.planted", *forbidden_modules(contract))
        expected += [f"{room}.planted -> {name}" for name in forbidden_modules(contract)]
    code, output = lint(copy, "--contract", contract)
    assert code == 1, output
    assert f"{CONFIG[PREFIX + contract]['name']} BROKEN" in output
    assert [pair for pair in expected if pair not in output] == []


def upward(copy: Path) -> str:
    plant(copy, "tallystick.core.planted", "tallystick.records")
    return "tallystick.core.planted -> tallystick.records"


def sideways(copy: Path) -> str:
    plant(copy, "tallystick.verify.planted", "tallystick.attest")
    return "tallystick.verify.planted -> tallystick.attest"


def unlisted(copy: Path) -> str:
    room = copy / "src" / "tallystick" / "attic"
    room.mkdir()
    (room / "__init__.py").write_text("")
    return "attic"


@pytest.mark.parametrize("violate", [upward, sideways, unlisted])
def test_a_planted_violation_breaks_the_layers(copy: Path, violate: Callable[[Path], str]) -> None:
    named = violate(copy)
    code, output = lint(copy, "--contract", "layers")
    assert code == 1, output
    assert f"{CONFIG[PREFIX + 'layers']['name']} BROKEN" in output
    assert named in output


def test_a_violation_through_another_room_is_seen(copy: Path) -> None:
    """Verify stays without a clock even where a room below it would hand it one."""
    plant(copy, "tallystick.trust.planted", "time")
    plant(copy, "tallystick.verify.planted", "tallystick.trust.planted")
    code, output = lint(copy, "--contract", "verify-alone-with-the-bytes")
    assert code == 1, output
    assert "tallystick.trust.planted -> time" in output


def test_every_room_on_disk_is_in_the_layers() -> None:
    rooms = {path.parent.name for path in (SRC / "tallystick").glob("*/__init__.py")}
    assert rooms == set(listed("layers", "layers")) - {"|"}
