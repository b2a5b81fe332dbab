"""What a hostile program may not see: other people's files, secrets and processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tallystick.sandbox import Mount

from .conftest import Attack


def test_grader_and_solution_of_the_source_tree_are_not_there(attack: Attack) -> None:
    package = Path(__file__).parents[2] / "src"
    seen = attack(f"import os; print(os.path.exists({str(package)!r}), os.path.exists({str(package.parent)!r}))")
    assert seen.said == "False False\n"


def test_own_files_below_a_mount_are_masked(attack: Attack) -> None:
    source = Path(__file__).parents[2] / "src"
    mount = Mount(source, str(source))
    seen = attack(f"import os; print(os.listdir({str(source)!r}), os.listdir({str(source / 'tallystick')!r}))", mounts=(mount,))
    assert seen.said == "['tallystick'] []\n"


def test_the_package_cannot_be_imported(attack: Attack) -> None:
    seen = attack("import tallystick; print(tallystick.__path__, tallystick.__version__)")
    assert "tallystick" in seen.outcome.stderr.data.decode()
    assert seen.outcome.exit == 1


def test_a_masked_file_cannot_be_read(attack: Attack, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("hidden")
    seen = attack("print(repr(open('/opt/m/key').read()))", mounts=(Mount(tmp_path, "/opt/m"),), mask=("/opt/m/key",))
    assert seen.said == ""
    assert b"PermissionError" in seen.outcome.stderr.data


def test_home_of_the_host_is_not_there(attack: Attack, tmp_path: Path) -> None:
    secret = tmp_path / "token"
    secret.write_text("s3cret")
    seen = attack(
        f"""
        import os
        for path in ({str(secret)!r}, {str(Path.home())!r} + '/.ssh', '/etc/shadow', '/proc/1/root/etc/shadow', '/home/agent'):
            try:
                print(os.listdir(path) if os.path.isdir(path) else open(path).read())
            except OSError as error:
                print(type(error).__name__)
        """
    )
    assert seen.said.splitlines() == ["FileNotFoundError"] * 3 + ["PermissionError", "[]"]


def test_the_environment_is_ours_alone(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "s3cret")
    monkeypatch.setenv("LD_PRELOAD", "/nonexistent/evil.so")
    seen = attack("import os, json; print(sorted(os.environ)); print(open('/proc/1/environ').read())", env={"GIVEN": "yes"})
    assert "s3cret" not in seen.said
    assert "LD_PRELOAD" not in seen.said
    names = "GIVEN HOME LANG LOGNAME NO_COLOR PATH PWD PYTHONDONTWRITEBYTECODE PYTHONHASHSEED TERM TZ USER"
    assert seen.said.splitlines()[0] == str(names.split())


def test_the_environment_is_not_on_the_command_line_of_the_host(attack: Attack) -> None:
    """Any user of the host may read it with `ps`: bubblewrap gets it through a descriptor."""
    seen = attack("print(open('/proc/1/cmdline').read())", env={"TOKEN": "s3cret"})
    assert "s3cret" not in seen.said


def test_processes_of_the_host_are_invisible(attack: Attack) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()", "--password=s3cret"], stdin=subprocess.PIPE) as other:
        seen = attack(
            f"""
            import os
            pids = [p for p in os.listdir('/proc') if p.isdigit()]
            print(len(pids), any('s3' + 'cret' in open(f'/proc/{{p}}/cmdline').read() for p in pids))
            try:
                os.kill({other.pid}, 9); print('killed')
            except ProcessLookupError:
                print('no such process')
            """
        )
        other.communicate(b"\n")
    assert seen.said.splitlines() == ["2 False", "no such process"]


def test_no_descriptor_of_the_host_leaks(attack: Attack, tmp_path: Path) -> None:
    fd = os.open(tmp_path, os.O_RDONLY)
    os.set_inheritable(fd, True)  # noqa: FBT003 - the library's own signature
    try:
        seen = attack("import os; print([n for n in os.listdir('/proc/self/fd') if int(n) > 2])")
    finally:
        os.close(fd)
    assert seen.said == "['3']\n"  # the listing's own


def test_the_system_is_read_only(attack: Attack) -> None:
    seen = attack(
        """
        import os
        for folder in ('/', '/usr', '/etc', '/tally', '/tally/bin', '/dev', '/proc/1', os.path.dirname(os.__file__)):
            try:
                os.close(os.open(folder + '/new', os.O_CREAT | os.O_WRONLY)); print(folder)
            except OSError:
                pass
        """
    )
    assert seen.said == ""


def test_no_setting_of_the_kernel_can_be_written(attack: Attack) -> None:
    """With tally run by root, the program's user is root for sysctl files unless they are mounted read-only."""
    seen = attack(
        """
        import os
        for folder, _, names in os.walk('/proc/sys'):
            for name in names:
                try:
                    os.close(os.open(folder + '/' + name, os.O_WRONLY)); print(folder, name)
                except OSError:
                    pass
        """
    )
    assert seen.said == ""


@pytest.mark.parametrize("call", ["os.setuid(0)", "os.chroot('/')", "os.mknod('d', 0o60600, os.makedev(254, 0))"])
def test_no_privilege_is_to_be_had(attack: Attack, call: str) -> None:
    seen = attack(f"import os\n{call}")
    assert seen.outcome.exit == 1
    assert b"PermissionError" in seen.outcome.stderr.data or b"Invalid argument" in seen.outcome.stderr.data


def test_no_user_namespace_inside(attack: Attack) -> None:
    seen = attack("import ctypes; print(ctypes.CDLL(None).unshare(0x10000000))")
    assert seen.said == "-1\n"


def test_key_rings_of_the_session_are_out_of_reach(attack: Attack) -> None:
    seen = attack(
        """
        import ctypes, errno, platform
        number = {'x86_64': 250, 'aarch64': 219}[platform.machine()]
        libc = ctypes.CDLL(None, use_errno=True)
        print(libc.syscall(number, 0, -3, 0), ctypes.get_errno() == errno.ENOSYS)
        """
    )
    assert seen.said == "-1 True\n"
