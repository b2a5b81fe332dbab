"""A stand-in for the runner's half of the grader protocol: plain subprocesses in temporary folders."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

LIB = Path(__file__).parents[3] / "src/tallystick/runner/inside"
ISOLATED = [sys.executable, "-I", "-X", "pycache_prefix=/tmp/tally-test-pyc"]


@dataclass
class Reported:
    """What a grader said: tests by id, whether it said `done`, its stderr and exit code."""

    tests: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    done: bool = False
    stderr: str = ""
    exit: int | None = None
    runs: int = 0


def subject_env(bin_dir: Path) -> dict[str, str]:
    """The environment of the subject sandbox, with `python3` as the interpreter of the tests."""
    python = bin_dir / "python3"
    if not python.exists():
        python.symlink_to(sys.executable)
    return {
        "PATH": f"{bin_dir}:/usr/bin:/bin",
        "HOME": str(bin_dir),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def run_subject(workspace: Path, argv: list[str], stdin: bytes, timeout_s: float) -> dict[str, Any]:
    """One run on a fresh copy of the workspace, as the answer of the protocol."""
    with TemporaryDirectory() as room:
        copy, bin_dir = Path(room, "workspace"), Path(room, "bin")
        shutil.copytree(workspace, copy)
        bin_dir.mkdir()
        limit, code, out, err = None, None, b"", b""
        try:
            done = subprocess.run(
                argv, cwd=copy, input=stdin, capture_output=True, check=False, timeout=timeout_s, env=subject_env(bin_dir)
            )
            code, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            limit = "wall_ms"
        return {
            "exit": code if code is not None and code >= 0 else None,
            "signal": -code if code is not None and code < 0 else None,
            "limit": limit,
            "stdout": base64.b64encode(out).decode(),
            "stderr": base64.b64encode(err).decode(),
            "truncated": False,
        }


def answer(workspace: Path, message: dict[str, Any]) -> dict[str, Any]:
    if message["op"] == "run":
        stdin = base64.b64decode(message["stdin"])
        return run_subject(workspace, message["argv"], stdin, message["timeout_ms"] / 1000)
    path = workspace / message["path"]
    return {"content": base64.b64encode(path.read_bytes()).decode() if path.is_file() else None}


def run_grader(script: Path, workspace: Path) -> Reported:
    """Start the grader as the sandbox does and answer it until it ends."""
    said = Reported()
    process = subprocess.Popen(
        [*ISOLATED, str(LIB / "run_grader.py"), str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
        env={},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        for line in process.stdout:
            message = json.loads(line)
            if message["op"] == "test":
                said.tests[message["id"]] = message["outcome"]
                said.notes[message["id"]] = message["note"]
            elif message["op"] == "done":
                said.done = True
            else:
                said.runs += message["op"] == "run"
                process.stdin.write(json.dumps(answer(workspace, message)).encode() + b"\n")
                process.stdin.flush()
        process.stdin.close()
        said.stderr = process.stderr.read().decode()
    said.exit = process.returncode
    return said


def inspect(checks: list[dict[str, str]], files: dict[str, bytes]) -> dict[str, dict[str, str]]:
    """Results of the inspector by check id."""
    encoded = {path: base64.b64encode(content).decode() for path, content in files.items()}
    document = json.dumps({"checks": checks, "files": encoded})
    done = subprocess.run(
        [*ISOLATED, str(LIB / "inspector.py")], input=document.encode(), capture_output=True, check=False, env={}, cwd="/"
    )
    assert done.returncode == 0, done.stderr
    return {result["id"]: result for result in json.loads(done.stdout)["results"]}


__all__ = ["ISOLATED", "LIB", "Reported", "answer", "inspect", "run_grader", "run_subject"]
