"""What a hostile workspace may hold. Nothing is followed, nothing outside is read, every refusal has the path and a reason."""

from __future__ import annotations

import dataclasses

from .conftest import LIMITS, Attack


def test_links_out_of_the_workspace_stay_links(attack: Attack) -> None:
    seen = attack(
        """
        import os
        os.symlink('/etc/passwd', 'file'); os.symlink('/', 'root'); os.symlink('../../..', 'up'); os.symlink('.', 'loop')
        """
    )
    assert seen.links == {b"file": b"/etc/passwd", b"loop": b".", b"root": b"/", b"up": b"../../.."}
    assert not seen.files


def test_a_folder_replaced_by_a_link(attack: Attack) -> None:
    seen = attack(
        """
        import os, shutil
        shutil.rmtree('src'); os.symlink('/etc', 'src')
        """,
        files={"src/passwd": b"mine"},
    )
    assert (seen.files, seen.links) == ({}, {b"src": b"/etc"})


def test_fifo_socket_and_device(attack: Attack) -> None:
    seen = attack(
        """
        import os, socket
        os.mkfifo('fifo'); socket.socket(socket.AF_UNIX).bind('socket')
        try:
            os.mknod('null', 0o20666, os.makedev(1, 3))
        except PermissionError:
            print('no device')
        """
    )
    assert seen.said == "no device\n"
    assert seen.refused == {b"fifo": "is a fifo", b"socket": "is a socket"}


def test_names_that_no_document_can_hold(attack: Attack) -> None:
    seen = attack(
        """
        for name in (b'new\\nline', b'esc\\x1b[2J', b'\\xff\\xfe', b'\\xc2\\x85', b'fine \\xc3\\xa9'):
            open(name, 'w').close()
        """
    )
    assert seen.refused == {
        b"new\nline": "has a control character",
        b"esc\x1b[2J": "has a control character",
        b"\xff\xfe": "is not UTF-8",
        b"\xc2\x85": "has a control character",
    }
    assert list(seen.files) == [b"fine \xc3\xa9"]


def test_git_folders_are_no_part_of_the_workspace_and_run_nothing(attack: Attack) -> None:
    config = b"[core]\n\tfsmonitor = touch /workspace/ran\n\thooksPath = hooks\n[alias]\n\tstatus = !touch /workspace/ran\n"
    seen = attack(
        """
        import os, pathlib
        pathlib.Path('sub/.git').mkdir(parents=True)
        hook = pathlib.Path('.git/hooks/post-checkout'); hook.write_text('#!/bin/sh\\ntouch ran\\n'); hook.chmod(0o755)
        """,
        files={".git/config": config, ".git/hooks/post-commit": b"#!/bin/sh\ntouch /workspace/ran\n", "a": b"1"},
    )
    assert seen.files == {b"a": b"1"}
    assert seen.refused == {b"sub/.git": "has a part .git"}


def test_unreadable_files_and_folders_are_read(attack: Attack) -> None:
    seen = attack(
        """
        import os
        os.mkdir('d'); open('d/f', 'w').write('hidden'); os.chmod('d/f', 0); os.chmod('d', 0); os.chmod('.', 0)
        """
    )
    assert seen.files == {b"d/f": b"hidden"}
    assert seen.modes == {b"d/f": 0}


def test_hard_links_are_files_and_count_each(attack: Attack) -> None:
    seen = attack(
        """
        import os
        open('a', 'wb').write(b'x' * (6 << 20)); os.link('a', 'b'); os.link('a', 'c')
        """
    )
    assert sorted(seen.files) == [b"a", b"b"]
    assert seen.refused == {b"c": "is too large"}


def test_long_names_and_paths(attack: Attack) -> None:
    seen = attack(
        """
        import os
        for _ in range(6):
            os.mkdir('n' * 255); os.chdir('n' * 255)
        """
    )
    assert list(seen.refused.values()) == ["is empty or too long"]


def test_many_refusals_end_the_walk(attack: Attack) -> None:
    limits = dataclasses.replace(LIMITS, workspace_files=5000)
    seen = attack("import os\nfor n in range(3000): os.mkfifo(f'{n:04}')", limits=limits)
    assert len(seen.refused) == 1001
    assert seen.refused[b"1000"] == "too many refusals"


def test_set_user_id_bits_are_reported_as_they_are_and_grant_nothing(attack: Attack) -> None:
    seen = attack("import os; open('s', 'w').close(); os.chmod('s', 0o4755)")
    assert seen.modes == {b"s": 0o4755}


def test_a_detached_process_cannot_write_after_the_end(attack: Attack) -> None:
    """Setsid and double fork: process 1 ends, and the kernel ends the rest before the walk begins."""
    seen = attack(
        """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.close(0); os.close(1); os.close(2)
                n = 0
                while True:
                    open('late', 'w').write(str(n)); n += 1
            os._exit(0)
        while not os.path.exists('late'): time.sleep(0.01)
        """
    )
    assert seen.outcome.exit == 0
    assert seen.outcome.measured.orphans == 1
    assert len(seen.files) == 1
