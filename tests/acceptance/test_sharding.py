"""The examples for many machines run as they stand, and what they make has the receipts of an undivided run."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.acceptance.support import CLI, environment, needs_bwrap, receipts, tally
from tests.repo.project import ROOT

pytestmark = [needs_bwrap, pytest.mark.slow, pytest.mark.xdist_group("acceptance")]

AGENT = """\
import pathlib

for path in pathlib.Path(".").rglob("*.py"):
    path.write_text(path.read_text() + "# seen\\n")
"""


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with `tally` on its path."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "tally").write_text(f"#!/bin/sh\nexec {sys.executable} -P -c '{CLI}' \"$@\"\n")
    (folder / "tally").chmod(0o755)
    plain = environment(folder / "home")
    return {**plain, "PATH": f"{folder}:{plain['PATH']}"}


@pytest.fixture(scope="module")
def undivided(tmp_path_factory: pytest.TempPathFactory, env: Mapping[str, str]) -> dict[tuple[str, int], bytes]:
    folder = tmp_path_factory.mktemp("undivided")
    (folder / "my_agent.py").write_text(AGENT)
    done = tally(["run", "golden-v1", "-k", "3", "--out", "b.json", "--", "python3", "my_agent.py"], cwd=folder, env=env)
    assert done.returncode == 0, done.stderr
    return receipts(folder / "b.json")


def shell(script: str, folder: Path, env: Mapping[str, str]) -> None:
    done = subprocess.run(["bash", "-euc", script], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_slurm_array(tmp_path: Path, env: Mapping[str, str], undivided: dict[tuple[str, int], bytes]) -> None:
    script = ROOT / "examples/slurm-array.sh"
    (tmp_path / "my_agent.py").write_text(AGENT)
    text = script.read_text(encoding="utf-8")
    said = re.search(r"--array=1-(\d+)$", text, re.MULTILINE)
    assert said is not None
    for number in range(1, int(said[1]) + 1):
        task = {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_ARRAY_TASK_COUNT": said[1], "SLURM_CPUS_PER_TASK": "2"}
        shell(str(script), tmp_path, {**env, **task})
    merge = re.search(r"--wrap '(.+)'$", text, re.MULTILINE)
    assert merge is not None
    shell(merge[1], tmp_path, env)
    assert receipts(tmp_path / "bundle.json") == undivided


def steps(job: Mapping[str, Any], **values: str) -> list[str]:
    """The shell steps of a job but its set-up, with the matrix filled in."""
    scripts = [step["run"] for step in job["steps"] if "run" in step and step["name"] != "Set up"]
    for name, value in values.items():
        scripts = [script.replace(f"${{{{ matrix.{name} }}}}", value) for script in scripts]
    assert not any("${{" in script for script in scripts)
    return scripts


def test_ci_matrix(tmp_path: Path, env: Mapping[str, str], undivided: dict[tuple[str, int], bytes]) -> None:
    jobs = yaml.safe_load((ROOT / "examples/ci-matrix.yml").read_text(encoding="utf-8"))["jobs"]
    last = tmp_path / "merge"
    last.mkdir()
    for part in jobs["part"]["strategy"]["matrix"]["part"]:
        machine = tmp_path / f"machine{part}"
        machine.mkdir()
        (machine / "my_agent.py").write_text(AGENT)
        for script in steps(jobs["part"], part=str(part)):
            shell(script, machine, {**env, "HOME": str(machine)})
        shutil.move(str(machine / f"{part}.shard"), last)
    made = tally(["key", "new"], cwd=last, env={**env, "HOME": str(last / "owner")})
    assert made.returncode == 0, made.stderr
    key = (last / "owner/.config/tallystick/keys/default.pem").read_text()
    for script in steps(jobs["merge"]):
        shell(script, last, {**env, "HOME": str(last), "SIGNING_KEY": key.rstrip("\n")})
    assert receipts(last / "bundle.json") == undivided
