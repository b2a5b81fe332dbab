"""Whatever a person hands to `tally`: one clear line, exit 2, nothing lost, never a traceback, and bounded memory."""

from __future__ import annotations

import base64
import json
import os
import shlex
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tests.acceptance.killing import write_suite
from tests.acceptance.support import CLI, environment, found, needs_bwrap, run_oracle, tally

pytestmark = pytest.mark.xdist_group("acceptance")

MIB = 1 << 20
MEMORY_KB = 300 * 1024
"""What no file of this module may make `verify` use: a bundle's JSON is bounded at 96 MiB, its contents at 128 MiB."""

FULL = ["golden-v1", "--agent", "oracle", "--out", "b.json"]


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return environment(tmp_path / "home")


def refused(args: list[str], folder: Path, env: dict[str, str]) -> str:
    """The one line that `tally ARGS` says; it must exit with 2 and write no traceback."""
    done = tally(args, cwd=folder, env=env)
    assert done.returncode == 2, f"exit {done.returncode}: {done.stdout}{done.stderr}"
    return one_line(done.stderr)


def one_line(said: str) -> str:
    assert "Traceback" not in said
    lines = [line for line in said.splitlines() if line.startswith("tally: ")]
    assert len(lines) == 1, said
    assert lines[0] == said.splitlines()[-1]
    assert "bug in tally" not in lines[0]
    return lines[0]


def test_an_empty_file(tmp_path: Path, env: dict[str, str]) -> None:
    (tmp_path / "b.json").touch()
    assert "b.json: the file is empty" in refused(["verify", "b.json"], tmp_path, env)


def test_a_folder(tmp_path: Path, env: dict[str, str]) -> None:
    assert "is a folder" in refused(["verify", "."], tmp_path, env)
    assert "no suite" in refused(["run", "home", "--agent", "oracle"], tmp_path, env)


def test_nothing_there(tmp_path: Path, env: dict[str, str]) -> None:
    assert "b.json does not exist" in refused(["verify", "b.json"], tmp_path, env)


@pytest.mark.parametrize("command", ["verify", "show"])
@pytest.mark.parametrize(
    "data",
    [b'{"_type":"tallystick/bun', b"[" * 100_000, b'{"a":' * 100_000, b"not JSON at all", b"\xff\xfe\x00", b"{}", b"null\n"],
    ids=["truncated", "brackets", "braces", "words", "no_text", "empty_object", "null"],
)
def test_a_file_that_is_no_bundle(command: str, data: bytes, tmp_path: Path, env: dict[str, str]) -> None:
    (tmp_path / "b.json").write_bytes(data)
    assert "b.json" in refused([command, "b.json"], tmp_path, env)


@pytest.mark.parametrize("data", [b"", b'{"_type":', b"[" * 100_000, b"{}"], ids=["empty", "truncated", "brackets", "object"])
def test_a_file_that_is_no_suite(data: bytes, tmp_path: Path, env: dict[str, str]) -> None:
    (tmp_path / "s.json").write_bytes(data)
    assert "s.json" in refused(["run", "s.json", "--agent", "oracle"], tmp_path, env)


LEAVE_STATUS = "import atexit, shutil; atexit.register(shutil.copyfile, '/proc/self/status', 'peak')"
"""The kernel's own figure of this process alone: `ru_maxrss` starts with what its parent had when it was started."""


def bounded(args: list[str], folder: Path, env: dict[str, str]) -> str:
    """As `refused`, in a process that gets at most a gigabyte of addresses, and must stay below MEMORY_KB of memory."""
    code = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({1024 * MIB},) * 2); {LEAVE_STATUS}; {CLI}"
    command = [sys.executable, "-P", "-c", code, *args]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    status = dict(line.split(":", 1) for line in (folder / "peak").read_text().splitlines())
    peak = int(status["VmHWM"].split()[0])
    assert peak < MEMORY_KB, f"{peak} KiB"
    return one_line(done.stdout + done.stderr)


@pytest.mark.parametrize("start", [b"", b"{", b'{"_type":"tallystick/bundle/v1","x":"'], ids=["zeros", "brace", "string"])
def test_a_file_of_two_gigabytes(start: bytes, tmp_path: Path, env: dict[str, str]) -> None:
    with (tmp_path / "b.json").open("wb") as file:
        file.write(start)
        file.truncate(2 << 30)
    assert "b.json" in bounded(["verify", "b.json", "--no-exec"], tmp_path, env)
    assert "b.json" in bounded(["run", "b.json", "--agent", "oracle"], tmp_path, env)


def bomb(megabytes: int) -> str:
    """Base64 of a raw deflate stream that inflates to so many megabytes of zeros, a thousand times its own size."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join(packer.compress(bytes(MIB)) for _ in range(megabytes)) + packer.flush()
    return base64.b64encode(packed).decode()


@needs_bwrap
def test_a_deflate_bomb(tmp_path: Path, env: dict[str, str]) -> None:
    bundle = run_oracle(tmp_path, env)
    document = json.loads(bundle.read_text(encoding="utf-8"))
    document["blobs"]["data"] = bomb(300)
    bundle.write_text(json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False), encoding="utf-8")
    assert "b.json" in bounded(["verify", "b.json", "--no-exec"], tmp_path, env)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--workers", "0"], "--workers"),
        (["--workers", "many"], "--workers"),
        (["-k", "0"], "-k"),
        (["-k", "100000"], "-k"),
        (["--limit", "0"], "--limit"),
        (["--budget", "0"], "--budget"),
        (["--budget", "-1"], "--budget"),
        (["--budget", "nan"], "--budget"),
        (["--budget", "1", "--sandbox", "none"], "cannot be held"),
        (["--task", "file_io"], "has no task 'file_io'"),
        (["--container", "zip"], "--container"),
        (["--sandbox", "docker"], "--sandbox"),
        (["--no-such-option"], "no such option"),
        (["--key", "nobody"], "nobody"),
    ],
    ids=lambda value: "_".join(value).strip("-") if isinstance(value, list) else "",
)
def test_a_run_asked_for_wrongly(args: list[str], said: str, tmp_path: Path, env: dict[str, str]) -> None:
    assert said in refused(["run", *FULL, *args], tmp_path, env)
    assert not (tmp_path / ".tally").exists()
    assert not (tmp_path / "b.json").exists()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["golden-v2", "--agent", "oracle"], "did you mean golden-v1?"),
        (["golden-v1"], "no agent"),
        (["golden-v1", "--agent", "gpt"], "unknown agent 'gpt'"),
        (["golden-v1", "--agent", "cheat:none_such"], "none_such"),
        (["golden-v1", "--agent", "scripted:nothing.sh"], "nothing.sh"),
        (["golden-v1", "--agent", "scripted:."], "cannot read the script"),
        (["golden-v1", "--agent", "oracle", "--", "sh"], "not both"),
        (["golden-v1", "--", "no-such-agent"], "no-such-agent"),
        (["golden-v1", "--", "./home"], "./home"),
        (["golden-v1", "--mount", "nothing", "--", "true"], "nothing does not exist"),
    ],
    ids=["suite", "no_agent", "agent", "cheat", "script", "script_folder", "both", "program", "program_folder", "mount"],
)
def test_something_that_is_not_there(args: list[str], said: str, tmp_path: Path, env: dict[str, str]) -> None:
    assert said in refused(["run", *args], tmp_path, env)
    assert not (tmp_path / ".tally").exists()


def test_pipes_and_devices_are_not_waited_for(tmp_path: Path, env: dict[str, str]) -> None:
    os.mkfifo(tmp_path / "fifo")
    for args in (
        ["verify", "fifo"],
        ["show", "fifo"],
        ["run", "fifo", "--agent", "oracle"],
        ["verify", "fifo", "--suite", "fifo"],
        ["run", "golden-v1", "--agent", "scripted:fifo"],
        ["verify", "/dev/zero"],
        ["run", "golden-v1", "--agent", "oracle", "--state", "fifo"],
    ):
        refused(args, tmp_path, env)


def test_names_that_are_no_text(tmp_path: Path, env: dict[str, str]) -> None:
    name = os.fsdecode(b"b\xff\xfe.json")
    (tmp_path / name).write_bytes(b"{}")
    assert "b\\udcff\\udcfe.json" in refused(["verify", name], tmp_path, env)
    assert "\\udcff" in refused(["verify", os.fsdecode(b"none\xff")], tmp_path, env)
    assert "\\udcff" in refused(["run", os.fsdecode(b"suite\xff"), "--agent", "oracle"], tmp_path, env)
    assert "\\udcff" in refused(["run", "golden-v1", "--", os.fsdecode(b"./agent\xff")], tmp_path, env)
    assert "\\x1b" in refused(["verify", "red\x1b[31m\nline.json"], tmp_path, env)


@needs_bwrap
def test_a_run_in_folders_whose_names_are_no_text(tmp_path: Path, env: dict[str, str]) -> None:
    folder = tmp_path / os.fsdecode(b"work\xff")
    assert run_oracle(folder, env, "--task", "file_io_read_write").is_file()


def test_task_ids_that_are_not_unique(tmp_path: Path, env: dict[str, str]) -> None:
    suite = write_suite(tmp_path / "suite")
    for task in ("alpha", "beta"):
        path = suite / "smoke" / task / "task.md"
        path.write_text(path.read_text().replace("title:", "id: twin\ntitle:"))
    (suite / "suite.yaml").write_text("version: forty-v1\norder: [twin, gamma, delta, omega]\n")
    assert "twin" in refused(["run", "suite", "--agent", "oracle"], tmp_path, env)


def test_compiled_task_ids_that_are_not_unique(tmp_path: Path, env: dict[str, str]) -> None:
    write_suite(tmp_path / "suite")
    assert tally(["suite", "build", "suite", "--out", "built"], cwd=tmp_path, env=env).returncode == 0
    path = tmp_path / "built" / "suite.json"
    document = json.loads(path.read_text())
    document["tasks"].append(document["tasks"][0])
    path.write_text(json.dumps(document, sort_keys=True, separators=(",", ":")))
    assert "suite.json" in refused(["run", "built", "--agent", "oracle"], tmp_path, env)


def in_namespace(script: str, folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a shell script where it may mount file systems that nobody else sees; `tally` in it is ours."""
    unshare = found("unshare")
    assert unshare, "util-linux is installed by the set-up"
    command = [unshare, "-m"] if os.geteuid() == 0 else [unshare, "-r", "-m"]
    ours = f'tally() {{ {shlex.join([sys.executable, "-P", "-c", CLI])} "$@"; }}\n'
    return subprocess.run(
        [*command, "sh", "-eu", "-c", ours + script],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@needs_bwrap
def test_a_full_disk_under_the_state_folder(tmp_path: Path, env: dict[str, str]) -> None:
    suite = write_suite(tmp_path / "suite")
    (tmp_path / "state").mkdir()
    done = in_namespace(
        f"""
        mount -t tmpfs -o size=100k none state
        set -- run {suite} --agent oracle -k 8 --state state --out b.json --quiet
        code=0; tally "$@" 2> first || code=$?
        echo $code > code
        cp -a state before
        mount -o remount,size=20m state
        tally "$@"
        cp -a state after
        """,
        tmp_path,
        env,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "code").read_text() == "2\n"
    assert "No space left on device" in one_line((tmp_path / "first").read_text())
    before, after = (
        {path.name: path.read_bytes() for path in (tmp_path / name).glob("runs/*/attempts/*.json")}
        for name in ("before", "after")
    )
    assert 0 < len(before) < 40
    assert len(after) == 40
    assert {name: after[name] for name in before} == before
    assert tally(["verify", "b.json", "--suite", str(suite)], cwd=tmp_path, env=env).returncode == 0


@needs_bwrap
def test_a_full_disk_under_the_bundle(tmp_path: Path, env: dict[str, str]) -> None:
    suite = write_suite(tmp_path / "suite")
    (tmp_path / "out").mkdir()
    done = in_namespace(
        f"""
        mount -t tmpfs -o size=16k none out
        set -- run {suite} --agent oracle -k 8 --out out/b.json --quiet
        code=0; tally "$@" 2> first || code=$?
        echo $code > code
        ls -A out > left
        mount -o remount,size=20m out
        tally "$@"
        cp out/b.json .
        """,
        tmp_path,
        env,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "code").read_text() == "2\n"
    assert "No space left on device" in one_line((tmp_path / "first").read_text())
    assert (tmp_path / "left").read_text() == ""
    assert tally(["verify", "b.json", "--suite", str(suite)], cwd=tmp_path, env=env).returncode == 0


@needs_bwrap
def test_a_read_only_folder(tmp_path: Path, env: dict[str, str]) -> None:
    suite = write_suite(tmp_path / "suite")
    (tmp_path / "locked").mkdir()
    done = in_namespace(
        f"""
        mount -t tmpfs -o ro none locked
        code=0; tally run {suite} --agent oracle --state locked/state --out b.json --quiet 2> first || code=$?
        echo $code > code
        code=0; tally run {suite} --agent oracle --out locked/b.json --quiet 2> second || code=$?
        echo $code >> code
        cd locked
        code=0; tally run {suite} --agent oracle --quiet 2> ../third || code=$?
        echo $code >> ../code
        """,
        tmp_path,
        env,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "code").read_text() == "2\n2\n2\n"
    assert "--state" in one_line((tmp_path / "first").read_text())
    assert "--out" in one_line((tmp_path / "second").read_text())
    one_line((tmp_path / "third").read_text())
