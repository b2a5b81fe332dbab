"""Two runs on the same inputs give byte-identical receipts, whoever runs them, wherever, under whatever Python."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.support import CLI, ROOT, environment, needs_bwrap, receipts, run_oracle

pytestmark = [needs_bwrap, pytest.mark.xdist_group("acceptance")]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], bytes]:
    folder = tmp_path_factory.mktemp("first")
    return receipts(run_oracle(folder, environment(folder / "home")))


VARIATIONS = {
    "other_zone": {"env": {"TZ": "Pacific/Kiritimati"}},
    "other_language": {"env": {"LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"}},
    "other_hash_seed": {"env": {"PYTHONHASHSEED": "4242"}},
    "one_worker": {"args": ["--workers", "1"]},
    "four_workers": {"args": ["--workers", "4"]},
    "tight_umask": {"umask": 0o077},
    "loose_umask": {"umask": 0},
    "secrets_around": {"env": {"OPENAI_API_KEY": "sk-not-a-key", "PYTHONSTARTUP": "/nowhere", "PYTHONWARNINGS": "default"}},
}


@pytest.mark.parametrize("name", VARIATIONS)
def test_circumstances_do_not_reach_receipts(name: str, first: dict[tuple[str, int], bytes], tmp_path: Path) -> None:
    how = dict(VARIATIONS[name])
    folder = tmp_path / "another folder with spaces" / name
    env = environment(tmp_path / "another home", **how.pop("env", {}))  # type: ignore[arg-type]
    args = how.pop("args", [])
    assert receipts(run_oracle(folder, env, *args, **how)) == first  # type: ignore[misc]


def locked_environment(program: str, folder: Path) -> Path | None:
    """A virtual environment of `program` with the locked packages, or None where it cannot make one."""
    if subprocess.run([program, "-m", "venv", str(folder)], capture_output=True, check=False).returncode:
        return None
    python = folder / "bin/python"
    pip = [str(python), "-m", "pip", "install", "-q", "--require-hashes", "-r", str(ROOT / "requirements/run.txt")]
    installed = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert installed.returncode == 0, installed.stderr
    return python


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter: pytest's own belong to their user alone, and every session closes them again."""
    with tempfile.TemporaryDirectory(prefix="tally-open-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.slow
def test_another_user(first: dict[tuple[str, int], bytes], open_folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root: only root can become another user")
    nobody = pwd.getpwnam("nobody")
    shutil.copytree(ROOT / "src", open_folder / "src")
    python = locked_environment("/usr/bin/python3", open_folder / "python")
    if python is None:
        pytest.skip("needs another Python: the system's cannot make a virtual environment")
    (open_folder / "work").mkdir()
    env = {**environment(open_folder / "work/home"), "PYTHONPATH": str(open_folder / "src")}
    for path in (open_folder / "work", open_folder / "work/home"):
        os.chown(path, nobody.pw_uid, nobody.pw_gid)
    command = [str(python), "-P", "-c", CLI, "run", "golden-v1", "--agent", "oracle", "--out", "b.json"]
    who = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    done = subprocess.run(command, cwd=open_folder / "work", env=env, capture_output=True, check=False, **who)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stderr.decode()
    assert receipts(open_folder / "work/b.json") == first


@pytest.fixture(scope="module")
def another_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the locked packages under another minor version of Python."""
    ours = f"{sys.version_info.major}.{sys.version_info.minor}"
    candidates = [f"python3.{minor}" for minor in (13, 14, 12, 11) if f"3.{minor}" != ours]
    programs = [path for name in candidates if (path := shutil.which(name))]
    home = Path(pwd.getpwuid(os.geteuid()).pw_dir)
    programs += [str(p) for p in sorted((home / ".pyenv/versions").glob("3.1[1-9].*/bin/python3"), reverse=True)]
    for program in programs:
        python = None if ours in program else locked_environment(program, tmp_path_factory.mktemp("python"))
        if python is not None:
            return python
    pytest.skip(f"needs another Python: only {ours} is on this machine")


@pytest.mark.slow
def test_another_python(first: dict[tuple[str, int], bytes], another_python: Path, tmp_path: Path) -> None:
    made = run_oracle(tmp_path, environment(tmp_path / "home"), python=str(another_python))
    assert receipts(made) == first
