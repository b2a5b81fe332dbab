"""What doctor finds on machines that lack something, made so in a namespace or by an environment of the test's own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tallystick.flows.doctor import fix
from tallystick.flows.findings import Finding, Mend
from tests.acceptance.support import CLI, environment, needs_bwrap, tally

UNSHARE = shutil.which("unshare") or "unshare"
IN_MOUNTS = [UNSHARE, "-m" if os.getuid() == 0 else "-rm", "sh", "-c"]
FORBIDDEN = [UNSHARE, "-Ur", "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"', "sh"]

pytestmark = pytest.mark.xdist_group("doctor")


@dataclass(frozen=True)
class Machine:
    """A place to run tally: a folder, a home, and what is put before the command."""

    folder: Path
    env: dict[str, str]
    prefix: tuple[str, ...] = ()

    def say(self, *args: str) -> subprocess.CompletedProcess[str]:
        return tally(args, cwd=self.folder, env=self.env, prefix=self.prefix)

    def doctor(self, *args: str) -> tuple[int, dict[str, dict[str, str]]]:
        """(exit code, findings by their check)."""
        done = self.say("doctor", "--json", *args)
        assert done.stderr == ""
        tree: dict[str, Any] = json.loads(done.stdout)
        assert tree["ok"] is (done.returncode == 0)
        return done.returncode, {row["check"]: row for row in tree["findings"]}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    folder = tmp_path / "work"
    folder.mkdir()
    return Machine(folder, environment(tmp_path / "home"))


def with_programs(machine: Machine, folder: Path, *names: str) -> Machine:
    """The same with nothing on PATH but these programs."""
    folder.mkdir()
    for name in names:
        found = shutil.which(name)
        assert found, name
        (folder / name).symlink_to(found)
    return Machine(machine.folder, {**machine.env, "PATH": str(folder)}, machine.prefix)


@needs_bwrap
def test_a_machine_that_can_run(machine: Machine) -> None:
    code, found = machine.doctor()
    assert code == 0
    assert [name for name, row in found.items() if row["standing"] == "problem"] == []
    assert {"python", "bubblewrap", "namespaces", "tmpfs", "limits", "attempt", "state", "keys", "tmp", "agents"} <= set(found)
    assert "was run, sealed and graded" in found["attempt"]["says"]
    assert list(machine.folder.iterdir()) == [], "looking leaves nothing behind"
    done = machine.say("doctor")
    assert done.returncode == 0
    assert "runs are possible" in done.stdout
    assert [line for line in done.stdout.splitlines() if len(line) > 80 and "/" not in line] == [], "only paths are longer"


def test_no_bubblewrap(machine: Machine, tmp_path: Path) -> None:
    code, found = with_programs(machine, tmp_path / "bin", "git", "cc").doctor()
    assert code == 1
    assert found["bubblewrap"]["standing"] == "problem"
    assert found["bubblewrap"]["says"] == "bubblewrap is not installed"
    assert found["bubblewrap"]["mend"].endswith("bubblewrap")
    assert "attempt" not in found


def test_an_old_bubblewrap(machine: Machine, tmp_path: Path) -> None:
    old = with_programs(machine, tmp_path / "bin", "sh")
    (tmp_path / "bin/bwrap").write_text("#!/bin/sh\necho bubblewrap 0.4.1\n")
    (tmp_path / "bin/bwrap").chmod(0o755)
    code, found = old.doctor()
    assert code == 1
    assert found["bubblewrap"]["says"] == "bubblewrap 0.4.1 is too old, 0.8 or newer is needed"
    assert found["bubblewrap"]["mend"].endswith("bubblewrap")


@needs_bwrap
def test_user_namespaces_forbidden(machine: Machine) -> None:
    code, found = Machine(machine.folder, machine.env, tuple(FORBIDDEN)).doctor()
    assert code == 1
    assert found["bubblewrap"]["standing"] == "ok"
    assert found["namespaces"]["standing"] == "problem"
    assert "namespace" in found["namespaces"]["says"]
    assert found["namespaces"]["mend"] == "sudo sysctl -w user.max_user_namespaces=15000"
    assert found["namespaces"]["mend_by"] == "root"


@needs_bwrap
@pytest.mark.parametrize("lack", ["bubblewrap", "namespaces"])
def test_every_command_says_the_same_line(lack: str, machine: Machine, tmp_path: Path) -> None:
    assert machine.say("run", "golden-v1", "--agent", "oracle", "--out", "b.json").returncode == 0
    broken = Machine(machine.folder, machine.env, tuple(FORBIDDEN))
    if lack == "bubblewrap":
        broken = with_programs(machine, tmp_path / "bin", "git")
    row = broken.doctor()[1][lack]
    for args, code in (
        (("run", "golden-v1", "--agent", "oracle", "--fresh"), 1),
        (("run", "golden-v1", "--agent", "oracle", "--dry-run"), 0),
        (("suite", "check", "golden-v1"), 1),
        (("demo",), 1),
        (("doctor",), 1),
        (("verify", "b.json"), 0),
    ):
        done = broken.say(*args)
        said = " ".join((done.stdout + done.stderr).split())
        assert row["says"] in said, args
        assert f"run: {row['mend']}" in done.stdout + done.stderr, "the command is on one line, to be copied"
        assert "Traceback" not in done.stderr
        assert done.returncode == code, args


@needs_bwrap
def test_a_home_that_cannot_be_written(machine: Machine) -> None:
    mount = 'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME" && exec "$@"'
    read_only = Machine(machine.folder, machine.env, (*IN_MOUNTS, mount, "sh"))
    code, found = read_only.doctor()
    assert code == 1
    assert found["keys"]["standing"] == "problem"
    assert "read-only file system" in found["keys"]["says"]
    assert found["keys"]["mend"] == 'export XDG_CONFIG_HOME="$PWD/.tally/config"'
    mended = Machine(machine.folder, {**machine.env, "XDG_CONFIG_HOME": f"{machine.folder}/.tally/config"}, read_only.prefix)
    assert mended.doctor()[0] == 0
    assert mended.say("run", "golden-v1", "--agent", "oracle", "--task", "file_io_read_write", "-q").returncode == 0


@needs_bwrap
def test_a_tiny_folder_for_temporary_files(machine: Machine, tmp_path: Path) -> None:
    tiny = tmp_path / "tiny"
    tiny.mkdir()
    mount = f'mount -t tmpfs -o size=256k tmpfs {tiny} && exec "$@"'
    small = Machine(machine.folder, {**machine.env, "TMPDIR": str(tiny)}, (*IN_MOUNTS, mount, "sh"))
    code, found = small.doctor()
    assert found["tmp"]["standing"] == "advice"
    assert "256 KiB free: too little" in found["tmp"]["says"]
    assert found["tmp"]["mend"].startswith("export TMPDIR=/")
    assert found["attempt"]["standing"] == "ok", "an attempt needs no temporary folder"
    assert code == 0
    mended = Machine(small.folder, {**small.env, "TMPDIR": found["tmp"]["mend"].partition("=")[2]}, small.prefix)
    assert mended.doctor()[1]["tmp"]["standing"] == "ok"


@needs_bwrap
def test_a_working_folder_that_cannot_be_written(machine: Machine) -> None:
    mount = 'mount --bind . . && mount -o remount,ro,bind . && cd "$PWD" && exec "$@"'
    code, found = Machine(machine.folder, machine.env, (*IN_MOUNTS, mount, "sh")).doctor()
    assert code == 1
    assert found["state"]["standing"] == "problem"
    assert found["state"]["mend"] == 'cd "$(mktemp -d)"'


@needs_bwrap
def test_limits_that_are_only_watched(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/systemd-run").write_text("#!/bin/sh\n")
    (tmp_path / "bin/systemd-run").chmod(0o755)
    env = {**machine.env, "PATH": f"{tmp_path}/bin:{machine.env['PATH']}"}
    hidden = 'mount -t tmpfs tmpfs /sys/fs/cgroup && exec "$@"'
    code, found = Machine(machine.folder, env, (*IN_MOUNTS, hidden, "sh")).doctor()
    assert (code, found["limits"]["standing"]) == (0, "advice")
    assert "memory" in found["limits"]["says"].partition("only watched")[0]
    assert found["limits"]["mend"].startswith("systemd-run --user --scope")


@needs_bwrap
def test_no_compiler_and_no_git_are_advice(machine: Machine, tmp_path: Path) -> None:
    code, found = with_programs(machine, tmp_path / "bin", "bwrap").doctor()
    assert code == 0
    for check, package in (("launcher", "gcc"), ("git", "git")):
        assert found[check]["standing"] == "advice"
        assert package in found[check]["mend"].split()
    assert "there is no compiler" in found["launcher"]["says"]


@needs_bwrap
def test_the_launcher_is_tried_and_leaves_nothing(machine: Machine) -> None:
    _, found = machine.doctor()
    assert found["launcher"]["standing"] == "ok", found["launcher"]
    assert not (Path(machine.env["HOME"]) / ".cache").exists()


def test_provider_variables_are_named_and_never_shown(machine: Machine, tmp_path: Path) -> None:
    secret = "sk-verysecretvalue"
    env = {**machine.env, "OPENAI_API_KEY": secret, "GEMINI_API_KEY": "", "PATH": str(tmp_path)}
    (machine.folder / "tally.toml").write_text('[run]\nkey_variable = "MY_OWN_KEY"\n')
    for args in (("doctor",), ("doctor", "--json")):
        done = Machine(machine.folder, env).say(*args)
        assert secret not in done.stdout + done.stderr
    found = Machine(machine.folder, env).doctor()[1]
    assert found["provider"]["standing"] == "advice"
    assert "MY_OWN_KEY" in found["provider"]["says"]
    found = Machine(machine.folder, {**env, "MY_OWN_KEY": secret}).doctor()[1]
    assert "set: MY_OWN_KEY, OPENAI_API_KEY" in found["provider"]["says"]


def test_agents_on_the_path(machine: Machine, tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("codex", "mini"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    found = Machine(machine.folder, {**machine.env, "PATH": str(folder)}).doctor()[1]
    assert found["agents"]["says"] == "codex, mini-swe-agent on PATH"


@needs_bwrap
def test_fix_runs_what_touches_only_folders_of_tally(machine: Machine) -> None:
    assert machine.say("key", "new").returncode == 0
    keys = Path(machine.env["HOME"]) / ".config/tallystick/keys"
    keys.chmod(0o777)
    code, found = machine.doctor()
    assert (code, found["keys"]["standing"], found["keys"]["mend_by"]) == (1, "problem", "tally")
    done = machine.say("doctor", "--fix")
    assert f"ran: {found['keys']['mend']} (done)" in done.stdout
    assert done.returncode == 0, done.stdout
    assert keys.stat().st_mode & 0o777 == 0o700


def test_fix_never_becomes_root(tmp_path: Path) -> None:
    told = tmp_path / "told"
    findings = (
        Finding("a", "problem", "x", Mend(f"sudo touch {told}", "root")),
        Finding("b", "advice", "x", Mend(f"touch {told}", "you")),
        Finding("c", "ok", "x", Mend(f"touch {told}", "tally")),
        Finding("d", "problem", "x", Mend("chmod 700 /no/such/folder", "tally")),
    )
    fixed = fix(findings)
    assert not told.exists()
    assert [(each.ran, each.outcome.partition(":")[0]) for each in fixed] == [
        (False, "needs root; not run"),
        (False, "is yours to run; not run"),
        (True, "failed"),
    ]


def test_a_broken_tally_toml_is_named(machine: Machine) -> None:
    (machine.folder / "tally.toml").write_text("[run]\nattempt = 3\n")
    done = subprocess.run(
        [sys.executable, "-P", "-c", CLI, "doctor"],
        cwd=machine.folder,
        env=machine.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "tally: tally.toml: [run]: unknown key 'attempt'; did you mean attempts?\n"
