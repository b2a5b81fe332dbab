"""A stranger verifies a bundle: in another folder, without network, keys or state, or where an attacker prepared things."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.acceptance.support import environment, found, needs_bwrap, run_oracle, tally

pytestmark = [needs_bwrap, pytest.mark.xdist_group("acceptance")]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    return run_oracle(folder, environment(folder / "home"))


def verdict(text: str) -> tuple[str, str]:
    report = json.loads(text)
    return report["status"], report["level"]


def test_without_network_keys_or_state(bundle: Path, tmp_path: Path) -> None:
    unshare = found("unshare")
    assert unshare, "util-linux is installed by the set-up"
    copied = Path(shutil.copy(bundle, tmp_path / "b.json"))
    prefix = [unshare, "-n"] if os.geteuid() == 0 else [unshare, "-r", "-n"]
    done = tally(["verify", copied.name, "--json"], cwd=tmp_path, env=environment(tmp_path / "empty"), prefix=prefix)
    assert done.returncode == 0, done.stdout + done.stderr
    assert verdict(done.stdout) == ("MATCH", "regraded")
    assert list((tmp_path / "empty").iterdir()) == [], "verifying leaves nothing behind"


def test_without_bubblewrap(bundle: Path, tmp_path: Path) -> None:
    env = environment(tmp_path / "home", PATH="/nonexistent")
    done = tally(["verify", str(bundle)], cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "MATCH" in done.stdout
    assert "bubblewrap is not installed" in " ".join(done.stdout.split())
    as_json = tally(["verify", str(bundle), "--json"], cwd=tmp_path, env=env)
    assert verdict(as_json.stdout) == ("MATCH", "rederived")


def test_regraded_on_demand_fails_without_bubblewrap(bundle: Path, tmp_path: Path) -> None:
    env = environment(tmp_path / "home", PATH="/nonexistent")
    done = tally(["verify", str(bundle), "--level", "regraded", "--json"], cwd=tmp_path, env=env)
    assert done.returncode == 1
    assert verdict(done.stdout)[0] == "NOT_REGRADED"


def test_in_a_folder_that_an_attacker_prepared(bundle: Path, tmp_path: Path) -> None:
    golden = tmp_path / ".tally/eval/golden/smoke/file_io_read_write"
    golden.mkdir(parents=True)
    (golden / "task.md").write_text("---\ntitle: easy\nassertions:\n- {kind: file_absent, path: x}\n---\nnothing\n")
    (tmp_path / "golden-v1").mkdir()
    (tmp_path / "golden-v1/suite.json").write_text("{}")
    (tmp_path / "tally.toml").write_text('suite = "evil"\nsandbox = "none"\nexecute = false\n')
    for name in ("msgspec.py", "json.py", "sitecustomize.py", "bwrap"):
        (tmp_path / name).write_text("raise SystemExit('the working directory was executed')\n")
        (tmp_path / name).chmod(0o755)
    done = tally(["verify", str(bundle), "--json"], cwd=tmp_path, env=environment(tmp_path / "home"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert verdict(done.stdout) == ("MATCH", "regraded")


def test_unknown_suite_is_named(bundle: Path, tmp_path: Path) -> None:
    done = tally(["verify", str(bundle), "--suite", "golden-v9"], cwd=tmp_path, env=environment(tmp_path / "home"))
    assert done.returncode == 2
    assert "golden-v1" in done.stderr
    assert "Traceback" not in done.stderr
