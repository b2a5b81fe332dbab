"""Byte code made from an agent's sources: once, by its own Python, in a sandbox, and without a line of the agent being run."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import sys
from pathlib import Path

import pytest

from tallystick.runner.adapters import NopAdapter
from tallystick.runner.byte_code import compiled, is_compiled, with_byte_code
from tallystick.runner.derived import BYTE_CODE
from tallystick.runner.presets import PresetAdapter, make_preset
from tallystick.runner.programs import Found, Machine, resolve_program
from tallystick.sandbox.drivers import open_sandbox
from tallystick.sandbox.spec import Limits, Mount, Outcome, Spec
from tests.support.fake_sandbox import FakeSandbox, ended
from tests.support.installed import SITE, environment, put
from tests.unit.runner.test_preset_files import GOOD
from tests.unit.runner.test_presets import FOUND
from tests.unit.runner.test_programs import PYTHON

LIMITS = Limits(60_000, 1 << 29, 64, 1 << 26, 1 << 26, 10_000, 1 << 20)


@pytest.fixture
def found(tmp_path: Path) -> Found:
    commands = environment(tmp_path / "venv", "the-bot", "1", "bot")
    site = tmp_path / "venv" / SITE
    put(site / "the_bot/run.py", "print('from the source')\n")
    put(site / "the_bot/bad.py", "def (\n")
    put(site / "evil.pth", "import os; os.system('touch /workspace/ran')\n")
    return resolve_program("bot", PYTHON, Machine(str(commands)))


def compiling(spec: Spec, workspace: Path, stdin: bytes) -> Outcome:
    put(workspace / "made/agent/bot/x.cpython-311.pyc", b"code")
    put(workspace / "made/agent/bot/notes.txt", b"no code")
    return ended()


def test_it_is_made_once_and_mounted(found: Found, tmp_path: Path) -> None:
    sandbox, cache = FakeSandbox(compiling), tmp_path / "cache"
    first = with_byte_code(found, sandbox, cache)
    assert with_byte_code(found, sandbox, cache) == first
    assert len(sandbox.asked) == 1
    mount = first.program.mounts[-1]
    assert mount.target == BYTE_CODE
    assert {path.name for path in mount.source.rglob("*") if path.is_file()} == {"x.cpython-311.pyc"}
    assert first.program.digest == found.program.digest
    assert [path.name for path in (cache / "byte-code").iterdir()] == [mount.source.name]


def test_python_starts_isolated_and_without_site(found: Found, tmp_path: Path) -> None:
    sandbox = FakeSandbox(compiling)
    with_byte_code(found, sandbox, tmp_path / "cache")
    assert sandbox.asked[0].argv[:4] == ("/agent/bot/bin/python3", "-I", "-S", "-X")
    assert sandbox.asked[0].env == {}


def test_other_sources_have_their_own(found: Found, tmp_path: Path) -> None:
    sandbox, cache = FakeSandbox(compiling), tmp_path / "cache"
    with_byte_code(found, sandbox, cache)
    put(tmp_path / "venv" / SITE / "the_bot/run.py", "print('changed')\n")
    with_byte_code(resolve_program("bot", PYTHON, Machine(str(tmp_path / "venv/bin"))), sandbox, cache)
    assert len(sandbox.asked) == 2


@pytest.mark.parametrize("outcome", [ended(1), ended(None, limit="wall"), ended()], ids=["failed", "stopped", "made nothing"])
def test_without_it_the_program_is_the_same_and_slower(found: Found, tmp_path: Path, outcome: Outcome) -> None:
    cache = tmp_path / "cache"
    assert with_byte_code(found, FakeSandbox(lambda *_: outcome), cache) == found
    assert list((cache / "byte-code").iterdir()) == []


def test_a_cache_that_cannot_be_written_to(found: Found, tmp_path: Path) -> None:
    put(tmp_path / "cache/byte-code", "no folder")
    sandbox = FakeSandbox(compiling)
    assert with_byte_code(found, sandbox, tmp_path / "cache") == found
    assert sandbox.asked == []


def test_another_process_was_quicker(found: Found, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    name = with_byte_code(found, FakeSandbox(compiling), tmp_path / "first").program.mounts[-1].source.name

    def slowly(spec: Spec, workspace: Path, stdin: bytes) -> Outcome:
        put(cache / "byte-code" / name / "agent/bot/x.cpython-311.pyc", b"code")
        return compiling(spec, workspace, stdin)

    ready = with_byte_code(found, FakeSandbox(slowly), cache)
    assert ready.program.mounts[-1].source == cache / "byte-code" / name
    assert [path.name for path in (cache / "byte-code").iterdir()] == [name]


def test_what_a_killed_process_left_is_swept(found: Found, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    for name in ("old", "new"):
        put(cache / f"byte-code/.making-{name}/made/x.pyc", b"code")
    os.utime(cache / "byte-code/.making-old", (0, 0))
    made = with_byte_code(found, FakeSandbox(compiling), cache).program.mounts[-1].source.name
    assert {path.name for path in (cache / "byte-code").iterdir()} == {".making-new", made}


def test_others_need_none(tmp_path: Path) -> None:
    sandbox = FakeSandbox()
    assert with_byte_code(FOUND, sandbox, tmp_path) == FOUND
    nop = NopAdapter()
    assert compiled(nop, sandbox, tmp_path) is nop
    assert is_compiled(nop, tmp_path)
    assert sandbox.asked == []


def test_an_adapter_stays_the_same_agent(found: Found, tmp_path: Path) -> None:
    adapter = PresetAdapter(make_preset("bot", GOOD.encode(), "x"), found, "m")
    assert not is_compiled(adapter, tmp_path / "cache")
    ready = compiled(adapter, FakeSandbox(compiling), tmp_path / "cache")
    assert is_compiled(adapter, tmp_path / "cache")
    assert ready.agent == adapter.agent
    assert ready != adapter


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="needs another Python: 3.11, as in the paths of the environment")
def test_in_a_real_sandbox_no_code_of_the_agent_runs_and_no_installed_byte_code_is_used(found: Found, tmp_path: Path) -> None:
    package = tmp_path / "venv" / SITE / "the_bot"
    sandbox = open_sandbox("bwrap")
    ready = with_byte_code(found, sandbox, tmp_path / "cache")
    made = next(mount.source for mount in ready.program.mounts if mount.target == BYTE_CODE)
    names = {path.name for path in made.rglob("*.pyc")}
    assert {"run.cpython-311.pyc", "argparse.cpython-311.pyc"} <= names
    assert "bad.cpython-311.pyc" not in names
    assert not list(tmp_path.rglob("ran"))

    # Byte code of other code, made to look as if it were of this source: Python would take it where it is installed.
    planted = package / "__pycache__/run.cpython-311.pyc"
    other = put(tmp_path / "other/run.py", "print('planted, not read')\n")
    planted.write_bytes(_byte_code_like(other, package / "run.py", tmp_path))
    for program in (found, ready):
        argv = (*program.program.argv[:2], "-c", "import the_bot.run")
        mounts: tuple[Mount, ...] = program.program.mounts
        spec = Spec(argv=argv, env=dict(program.env), limits=LIMITS, mounts=mounts, mask=program.program.mask)
        assert sandbox.run(spec, fill=lambda _: None).stdout.data == b"from the source\n"
        assert sandbox.run(Spec(argv=argv, env={}, limits=LIMITS, mounts=mounts), fill=lambda _: None).stdout.data == (
            b"planted, not read\n"
        )


def _byte_code_like(other: Path, source: Path, folder: Path) -> bytes:
    """The byte code of `other`, with time and size of `source` in its head."""
    compiled_to = py_compile.compile(str(other), cfile=str(folder / "other.pyc"), doraise=True)
    code = Path(compiled_to).read_bytes()[16:]
    status = source.stat()
    head = (
        importlib.util.MAGIC_NUMBER
        + b"\0\0\0\0"
        + int(status.st_mtime).to_bytes(4, "little")
        + status.st_size.to_bytes(4, "little")
    )
    return head + code
