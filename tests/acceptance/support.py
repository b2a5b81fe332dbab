"""Running `tally` as a person does: a process of its own, in a folder and with an environment of the test's choosing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tallystick.records.containers import open_bundle
from tallystick.sandbox.drivers import probe

ROOT = Path(__file__).resolve().parents[2]
CLI = "from tallystick.cli.main import main; main()"

needs_bwrap = pytest.mark.skipif(not probe().works, reason=f"no sandbox: {probe().problem}")


def found(*programs: str) -> str | None:
    """The first of these programs that is on PATH."""
    return next((path for path in map(shutil.which, programs) if path), None)


CHROMIUM = found("chromium", "chromium-browser", "google-chrome")
needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="needs a browser: no Chromium here; scripts/setup.sh dev installs it on Debian"
)


def environment(home: Path, **more: str) -> dict[str, str]:
    """A scrubbed environment with `tally` importable; temporary files go where those of the tests go."""
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(home), "PYTHONPATH": str(ROOT / "src"), "LANG": "C.UTF-8", **more}


def tally(
    args: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    python: str = sys.executable,
    prefix: Sequence[str] = (),
    umask: int = -1,
) -> subprocess.CompletedProcess[str]:
    """Run `tally ARGS`; its output is decoded text."""
    # -P: as the installed script, which never looks at the folder it is started in
    command = [*prefix, python, "-P", "-c", CLI, *args]
    return subprocess.run(
        command, cwd=cwd, env=dict(env), capture_output=True, text=True, umask=umask, timeout=600, check=False
    )


def run_oracle(folder: Path, env: Mapping[str, str], *args: str, **how: object) -> Path:
    """Run golden-v1 with the oracle; returns the bundle file."""
    folder.mkdir(parents=True, exist_ok=True)
    done = tally(["run", "golden-v1", "--agent", "oracle", "--out", "b.json", *args], cwd=folder, env=env, **how)  # type: ignore[arg-type]
    assert done.returncode == 0, done.stderr
    return folder / "b.json"


def receipts(bundle: Path) -> dict[tuple[str, int], bytes]:
    """Bytes of every receipt of a bundle file by task and attempt."""
    with bundle.open("rb") as stream:
        file = open_bundle(stream)
        return {
            (result.task_id, result.attempt.index): file.receipt_bytes(result.receipt_hash)
            for result in file.bundle.task_results
        }
