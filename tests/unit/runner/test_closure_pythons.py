"""The Python behind a virtual environment: its installation and the links to it are shown, the folders they lie in are not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tallystick.core.digest import Digest, sha256
from tallystick.core.errors import InputError
from tallystick.runner.closure import Program, resolve
from tallystick.sandbox.drivers import open_sandbox, probe
from tallystick.sandbox.spec import Limits, Mount, Spec

LIMITS = Limits(20_000, 1 << 29, 64, 1 << 24, 1 << 24, 1000, 1 << 20)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with secrets, a Python in `opt/py` (nobody starts it), and folders of links."""
    home = tmp_path / "home"
    for name in (".ssh", ".local/bin", "bin", "opt"):
        (home / name).mkdir(parents=True)
    (home / ".ssh/id").write_text("secret")
    installation(home / "opt/py")
    return home


def installation(prefix: Path) -> Path:
    for name in ("bin", "lib/python3.12/site-packages/left", "lib/python3.12/json"):
        (prefix / name).mkdir(parents=True)
    (prefix / "lib/python3.12/os.py").write_text("")
    (prefix / "bin/python3.12").write_text("#!/bin/sh\n")
    (prefix / "bin/python3.12").chmod(0o755)
    (prefix / "bin/python3").symlink_to("python3.12")
    return prefix


def environment(home: Path, python: Path) -> Path:
    """An environment as `python -m venv` makes it."""
    venv = home / "project/venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "pyvenv.cfg").write_text(f"home = {python.parent}\n")
    (venv / "bin/python3").symlink_to(python)
    (venv / "bin/python").symlink_to("python3")
    return venv


def resolved(home: Path, venv: Path, forbidden: frozenset[Digest] = frozenset()) -> Program:
    never = (home, home / ".local")
    return resolve((f"{venv}/bin/python",), cwd=home, search_path="/usr/bin", forbidden=forbidden, never=never)


def others(program: Program) -> set[Mount]:
    return {mount for mount in program.mounts if not mount.target.startswith("/agent/")}


@pytest.mark.parametrize("folder", [".local/bin", "bin"])
def test_a_link_is_shown_and_its_folder_is_not(folder: str, home: Path) -> None:
    link, real = home / folder / "python3", home / "opt/py"
    link.symlink_to(real / "bin/python3")
    program = resolved(home, environment(home, link))
    assert program.argv == ("/agent/venv/bin/python",)
    assert others(program) == {Mount(real, str(real)), Mount(link, str(link))}
    assert program.mask == (f"{real}/lib/python3.12/site-packages",)


def test_a_folder_that_is_a_link_is_shown_as_a_link(home: Path) -> None:
    link, real = home / "opt/current", home / "opt/py"
    link.symlink_to("py")
    assert others(resolved(home, environment(home, link / "bin/python3"))) == {Mount(real, str(real)), Mount(link, str(link))}


def test_a_python_at_its_own_place_needs_no_link(home: Path) -> None:
    real = home / "opt/py"
    assert others(resolved(home, environment(home, real / "bin/python3"))) == {Mount(real, str(real))}


def test_links_to_the_system_or_to_the_sandboxs_own_python_show_only_themselves(home: Path) -> None:
    for number, target in enumerate((Path("/usr/bin/env"), Path(sys.base_prefix).resolve() / "bin/python3")):
        link = home / f"bin{number}/python3"
        link.parent.mkdir()
        link.symlink_to(target)
        assert others(resolved(home, environment(home / f"{number}", link))) == {Mount(link, str(link))}


@pytest.mark.parametrize("said", ["/bin", "/usr/bin", "/", "/nonexistent/bin", "relative"])
def test_a_home_of_the_system_or_of_nothing_needs_no_mount(said: str, home: Path) -> None:
    venv = environment(home, Path("/usr/bin/env"))
    (venv / "pyvenv.cfg").write_text(f"home = {said}\n")
    assert others(resolved(home, venv)) == set()


def test_a_prefix_without_a_library_is_not_shown(home: Path) -> None:
    script = home / "bin/python3"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert others(resolved(home, environment(home, script))) == set()


@pytest.mark.parametrize("prefix", ["", ".local"])
def test_a_python_that_shares_its_prefix_with_the_user_is_refused(prefix: str, home: Path) -> None:
    installation_into = home / prefix
    for name in ("lib/python3.12", "bin"):
        (installation_into / name).mkdir(parents=True, exist_ok=True)
    (installation_into / "lib/python3.12/os.py").write_text("")
    (installation_into / "bin/python3").write_text("#!/bin/sh\n")
    (installation_into / "bin/python3").chmod(0o755)
    with pytest.raises(InputError, match="make it with another Python"):
        resolved(home, environment(home, installation_into / "bin/python3"))


def test_packages_and_other_environments_of_an_installation_are_masked(home: Path) -> None:
    conda = installation(home / "opt/conda")
    for name in ("conda-meta", "pkgs/x", "envs/other/bin", "share/tallystick/suites/packaged", "suite/grader"):
        (conda / name).mkdir(parents=True)
    venv = environment(home, conda / "bin/python3")
    masked = ("envs", "lib/python3.12/site-packages", "pkgs", "share/tallystick")
    assert resolved(home, venv).mask == tuple(f"{conda}/{name}" for name in masked)
    (conda / "suite/grader/grade.py").write_text("answer")
    with pytest.raises(InputError, match="grader, solution or cheat"):
        resolved(home, venv, frozenset({sha256(b"answer")}))


def test_links_in_a_circle_end(home: Path) -> None:
    (home / "bin/python3").symlink_to("python")
    (home / "bin/python").symlink_to("python3")
    venv = environment(home, Path("/usr/bin/env"))
    (venv / "pyvenv.cfg").write_text(f"home = {home}/bin\n")
    assert others(resolved(home, venv)) == set()


def test_a_program_linked_out_of_its_environment_brings_it(home: Path) -> None:
    venv = environment(home, Path("/usr/bin/env"))
    (venv / "bin/venv").write_text(f"#!{venv}/bin/python\n")
    (venv / "bin/venv").chmod(0o755)
    (home / ".local/bin/venv").symlink_to(venv / "bin/venv")
    program = resolve((f"{home}/.local/bin/venv",), cwd=home, search_path="/usr/bin", never=(home,))
    assert program.argv == ("/agent/venv/bin/python", "/agent/venv/bin/venv")


@pytest.mark.skipif(not probe().works, reason=f"no sandbox: {probe().problem}")
def test_inside_the_python_works_and_sees_nothing_else(home: Path) -> None:
    link = home / ".local/bin/python3"
    link.symlink_to(Path(sys.base_prefix).resolve() / f"bin/python{sys.version_info.major}.{sys.version_info.minor}")
    (home / ".local/secret").write_text("secret")
    venv = environment(home, link)
    code = f"import json, os, sys; print(sys.prefix, os.listdir({str(home)!r}), os.listdir({str(home / '.local')!r}))"
    program = resolve((f"{venv}/bin/python3", "-c", code), cwd=home, search_path="/usr/bin", never=(home,))
    spec = Spec(program.argv, {}, LIMITS, mounts=program.mounts, mask=program.mask)
    done = open_sandbox("bwrap").run(spec, fill=lambda _: None)
    assert (done.exit, done.stdout.data) == (0, b"/agent/venv ['.local'] ['bin']\n"), done.stderr.data
