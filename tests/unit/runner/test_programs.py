"""From a preset to the program on this machine: what is mounted where, and that its identity is content and not place."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

import pytest

from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError
from tallystick.runner import programs
from tallystick.runner.derived import BYTE_CODE
from tallystick.runner.preset_files import ProgramFile
from tallystick.runner.programs import Found, Machine, installed_version, resolve_program
from tests.support.installed import ELF, SITE, environment, npm_package, npm_program, put
from tests.support.ordinary import ordinary_user

PYTHON = ProgramFile(find=("bot", "bot2"), kind="python", package="the-bot", module="the_bot.run")
NODE = ProgramFile(find=("bot",), kind="node", package="@org/bot", entry=("dist/bot.js", "bot.js"))
NATIVE = ProgramFile(
    find=("bot",),
    kind="native",
    package="@org/bot",
    folders=("@org/bot-linux-{arch}/vendor", "@org/bot-{cpu}"),
    entry=("bin/bot",),
    parts=("bin", "tools", "absent"),
)
ARCH = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())


def found(file: ProgramFile, *folders: Path, forbidden: frozenset[Digest] = frozenset(), never: tuple[Path, ...] = ()) -> Found:
    path = ":".join([*map(str, folders), "/usr/bin", "/bin"])
    return resolve_program("bot", file, Machine(path, forbidden=forbidden, never=never))


def mounted(program: Found) -> dict[str, str]:
    return {mount.target: str(mount.source) for mount in program.program.mounts}


def refusal(file: ProgramFile, *folders: Path, forbidden: frozenset[Digest] = frozenset()) -> str:
    with pytest.raises(InputError) as error:
        found(file, *folders, forbidden=forbidden)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_is_not_installed(tmp_path: Path) -> None:
    assert refusal(PYTHON, tmp_path) == "bot is not installed: no bot or bot2 on PATH; install the package the-bot"


# --- Python ---


def test_a_virtual_environment(tmp_path: Path) -> None:
    program = found(PYTHON, environment(tmp_path / "venv", "the-bot", "1.2.3", "bot2"))
    assert program.version == "1.2.3"
    assert program.program.argv == ("/agent/bot/bin/python3", "-P", "-m", "the_bot.run")
    assert mounted(program)["/agent/bot"] == str(tmp_path / "venv")
    assert program.env == (("PYTHONPYCACHEPREFIX", BYTE_CODE),)


def test_one_without_a_module_is_started_by_its_script(tmp_path: Path) -> None:
    file = ProgramFile(find=("bot",), kind="python", package="the-bot")
    program = found(file, environment(tmp_path / "venv", "the-bot", "1", "bot"))
    assert program.program.argv == ("/agent/bot/bin/python3", "-P", "/agent/bot/bin/bot")


def test_a_link_into_an_environment(tmp_path: Path) -> None:
    commands = environment(tmp_path / "venvs/x", "the-bot", "1", "bot")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/bot").symlink_to(commands / "bot")
    assert mounted(found(PYTHON, tmp_path / "bin"))["/agent/bot"] == str(tmp_path / "venvs/x")


def test_the_identity_of_an_environment_is_not_its_place(tmp_path: Path) -> None:
    digests = set()
    for name in ("one", "another/place"):
        commands = environment(tmp_path / name, "the-bot", "1", "bot")
        digests.add(found(PYTHON, commands).program.digest)
    assert len(digests) == 1


CHANGES = {
    "source": (f"{SITE}/the_bot/__init__.py", "import os"),
    "byte code beside sources": (f"{SITE}/the_bot/hidden.pyc", "x"),
    "path file": (f"{SITE}/extra.pth", "import os"),
    "script": ("bin/bot", "#!/bin/sh\n"),
    "another version": ("pyvenv.cfg", "home = /usr/bin\nversion = 3.12.1\n"),
    "binary in place of the link": ("bin/python3.11", ELF.decode()),
    "metadata": (f"{SITE}/the_bot-1.dist-info/METADATA", "Name: the-bot\n"),
    "a list elsewhere": (f"{SITE}/the_bot/RECORD", "x"),
}


@pytest.mark.parametrize(("path", "text"), CHANGES.values(), ids=CHANGES)
def test_what_can_run_belongs_to_the_identity(tmp_path: Path, path: str, text: str) -> None:
    commands = environment(tmp_path / "venv", "the-bot", "1", "bot")
    before = found(PYTHON, commands).program.digest
    put(tmp_path / "venv" / path, text, run=path.startswith("bin/"))
    assert found(PYTHON, commands).program.digest != before


UNCHANGED = {
    "byte code of a source": (f"{SITE}/the_bot/__pycache__/__init__.cpython-311.pyc", "x"),
    "list of files": (f"{SITE}/the_bot-1.dist-info/RECORD", "x"),
    "where it came from": (f"{SITE}/the_bot-1.dist-info/direct_url.json", "x"),
}


@pytest.mark.parametrize(("path", "text"), UNCHANGED.values(), ids=UNCHANGED)
def test_what_follows_from_the_place_does_not(tmp_path: Path, path: str, text: str) -> None:
    commands = environment(tmp_path / "venv", "the-bot", "1", "bot")
    before = found(PYTHON, commands).program.digest
    put(tmp_path / "venv" / path, text)
    assert found(PYTHON, commands).program.digest == before


def test_packages_from_outside_are_refused(tmp_path: Path) -> None:
    commands = environment(tmp_path / "venv", "the-bot", "1", "bot")
    put(tmp_path / "venv/pyvenv.cfg", f"home = /usr/bin\nInclude-System-Site-Packages = True\ncommand = {tmp_path}\n")
    assert "without --system-site-packages" in refusal(PYTHON, commands)


def test_a_program_without_an_environment_is_refused(tmp_path: Path) -> None:
    put(tmp_path / "bot", "#!/usr/bin/python3\n", run=True)
    assert "belongs to no virtual environment; install the-bot in one" in refusal(PYTHON, tmp_path)


def test_one_that_cannot_be_read_is_refused() -> None:
    with ordinary_user() as folder:
        commands = environment(folder / "venv", "the-bot", "1", "bot")
        closed = folder / "closed"
        closed.mkdir()
        (folder / "venv/bin/python3").unlink()
        (folder / "venv/bin/python3").symlink_to(closed / "python3")
        closed.chmod(0)
        said = refusal(PYTHON, commands)
        assert said.startswith("bot cannot be read: /")
        assert said.endswith(": permission denied")
        closed.chmod(0o700)


def test_no_answer_is_shown(tmp_path: Path) -> None:
    commands = environment(tmp_path / "venv", "the-bot", "1", "bot")
    answer = b"assert solution == 42\n"
    put(tmp_path / "venv" / SITE / "answers.py", answer)
    assert "is a grader, solution or cheat" in refusal(PYTHON, commands, forbidden=frozenset({sha256(answer)}))


# --- npm ---


def npm(folder: Path) -> Path:
    modules = folder / "node_modules"
    npm_package(modules, "@org/bot", "3.0.0-rc.1", needs=("left",), files={"bot.js": b"//"})
    npm_package(modules, "left")
    npm_package(modules, "unrelated")
    return npm_program(modules, "bot", "@org/bot/bot.js")


def node(folder: Path, data: bytes = ELF) -> Path:
    return put(folder / "node/bin/node", data, run=True).parent


def test_an_npm_package_with_what_it_needs(tmp_path: Path) -> None:
    program = found(NODE, npm(tmp_path), node(tmp_path))
    assert program.version == "3.0.0-rc.1"
    assert program.program.argv == ("/agent/node/bin/node", "/agent/node_modules/@org/bot/bot.js")
    assert mounted(program) == {
        "/agent/node_modules/@org/bot": str(tmp_path / "node_modules/@org/bot"),
        "/agent/node_modules/left": str(tmp_path / "node_modules/left"),
        "/agent/node/bin/node": str(tmp_path / "node/bin/node"),
    }


def test_node_of_the_system_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "of_system", lambda path: path.is_relative_to(tmp_path / "node"))
    assert found(NODE, npm(tmp_path), node(tmp_path)).program.argv[0] == "node"


def test_the_identity_of_a_package_is_not_its_place(tmp_path: Path) -> None:
    first = found(NODE, npm(tmp_path / "one"), node(tmp_path))
    npm_package(tmp_path / "two/node_modules", "something-else")
    second = found(NODE, npm(tmp_path / "two"), node(tmp_path / "two", ELF + b" of another release"))
    assert first.program.digest == second.program.digest
    put(tmp_path / "two/node_modules/left/index.js", "process.exit(1)", run=True)
    changed = found(NODE, tmp_path / "two/node_modules/.bin", node(tmp_path))
    assert changed.program.digest != first.program.digest


def test_a_script_that_chooses_a_node_is_refused(tmp_path: Path) -> None:
    assert "is no program but a script that chooses one" in refusal(NODE, npm(tmp_path), node(tmp_path, b"#!/bin/sh\n"))


def test_a_release_with_other_files_is_refused(tmp_path: Path) -> None:
    commands = npm(tmp_path)
    (tmp_path / "node_modules/@org/bot/bot.js").rename(tmp_path / "node_modules/@org/bot/new.js")
    (commands / "bot").unlink()
    (commands / "bot").symlink_to("../@org/bot/new.js")
    (tmp_path / "node_modules/@org/bot/new.js").chmod(0o755)
    assert "has none of dist/bot.js, bot.js; this preset knows another release" in refusal(NODE, commands, node(tmp_path))


def test_a_program_of_that_name_from_elsewhere_is_refused(tmp_path: Path) -> None:
    put(tmp_path / "bot", "#!/bin/sh\n", run=True)
    for file in (NODE, NATIVE):
        assert "is not of the npm package @org/bot" in refusal(file, tmp_path)


# --- native binaries ---


def native(folder: Path, *inner: str) -> Path:
    modules = folder / "node_modules"
    npm_package(modules, "@org/bot", "3", files={"bin/bot.js": b"//"})
    place = modules.joinpath(*inner) if inner else modules
    npm_package(place, f"@org/bot-linux-{ARCH}", files={"vendor/bin/bot": ELF, "vendor/tools/rg": ELF, "vendor/huge": ELF})
    return npm_program(modules, "bot", "@org/bot/bin/bot.js")


@pytest.mark.parametrize("inner", [(), ("@org", "bot", "node_modules")], ids=["beside", "in the package"])
def test_of_a_native_package_only_parts_are_mounted(tmp_path: Path, inner: tuple[str, ...]) -> None:
    program = found(NATIVE, native(tmp_path, *inner))
    vendor = tmp_path.joinpath("node_modules", *inner, f"@org/bot-linux-{ARCH}/vendor")
    assert program.program.argv == ("/agent/bot/bin/bot",)
    assert mounted(program) == {"/agent/bot/bin": str(vendor / "bin"), "/agent/bot/tools": str(vendor / "tools")}
    assert program.version == "3"


def test_a_binary_by_itself(tmp_path: Path) -> None:
    put(tmp_path / "versions/3.1", ELF, run=True)
    (tmp_path / "bot").symlink_to("versions/3.1")
    program = found(NATIVE, tmp_path)
    assert program.program.argv == ("/agent/bot/bot",)
    assert mounted(program) == {"/agent/bot/bot": str(tmp_path / "versions/3.1")}
    assert program.version is None


def test_a_package_for_another_machine_is_refused(tmp_path: Path) -> None:
    commands = native(tmp_path)
    shutil.rmtree(tmp_path / f"node_modules/@org/bot-linux-{ARCH}")
    assert "has no binary for this machine; install @org/bot with its optional packages" in refusal(NATIVE, commands)


def test_versions_with_strange_characters_are_unknown(tmp_path: Path) -> None:
    modules = tmp_path / "node_modules"
    npm_package(modules, "@org/bot", "1.0\\u001b[31m", files={"bot.js": b"//"})
    commands = npm_program(modules, "bot", "@org/bot/bot.js")
    assert installed_version(NODE, commands / "bot") is None
