"""Sitting where the agent sits."""

import os
import select
import threading
from pathlib import Path

import pytest

from tallystick.cli.terminal import open_terminal
from tallystick.core.errors import InputError
from tallystick.flows.task_new import new_skeleton
from tallystick.flows.task_try import try_script, try_shell
from tallystick.suites.loaded import LoadedSuite
from tallystick.suites.loading import compile_suite
from tests.acceptance.support import needs_bwrap

MEND = "sed -i 's/60}\")/60:02}\")/' clock.py"


@pytest.fixture
def suite(tmp_path: Path) -> LoadedSuite:
    return compile_suite(new_skeleton("mend", tmp_path / "s", "smoke").suite)


@needs_bwrap
def test_a_script_is_graded_as_an_agent_is(suite: LoadedSuite) -> None:
    tried = try_script(suite, "mend", f"{MEND}\nls -a; id -u; pwd".encode())
    assert tried.passed
    assert tried.changes == ("changed clock.py",)
    assert [(check.id, check.holds) for check in tried.checks] == [("nothing_else", True), ("behaviour", True)]
    out = dict(tried.outputs)["agent.stdout"].split()
    assert out == [".", "..", ".git", "README.md", "clock.py", "1000", "/workspace"]


@needs_bwrap
def test_what_fails_is_told_with_its_tests(suite: LoadedSuite) -> None:
    tried = try_script(suite, "mend", b"echo x > notes.txt; mkfifo pipe; echo > json.py; exit 3")
    assert not tried.passed
    assert tried.why == "does not hold: nothing_else, behaviour"
    assert tried.checks[1].bad == ("hours: fail", "short_minutes: fail", "many: fail")
    assert tried.excluded == ("json.py (steering)", "notes.txt (not_owned)")
    assert tried.refused == ("pipe (fifo)",)


def test_scripts_that_are_none(suite: LoadedSuite) -> None:
    for script in (b"\xff", b"x" * ((1 << 20) + 1)):
        with pytest.raises(InputError):
            try_script(suite, "mend", script)
    with pytest.raises(InputError, match="no task"):
        try_script(suite, "other", b"")


PATIENCE_S = 120
"""Seconds without a sign of life after which the person goes away, so that a test ends."""
PROMPT = b"$ "


class Person:
    """Types at the other end of a terminal: each step is what is waited for on the screen, and what is typed then."""

    def __init__(self, steps: list[tuple[bytes, bytes]]) -> None:
        self.master, self.slave = os.openpty()
        self.steps, self.shown = steps, b""
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self) -> None:
        unread = b""
        while select.select([self.master], [], [], PATIENCE_S)[0]:
            data = os.read(self.master, 65536)
            self.shown += data
            unread += data
            if self.steps and self.steps[0][0] in unread:
                unread = b""
                os.write(self.master, self.steps.pop(0)[1])
        os.close(self.master)


@needs_bwrap
@pytest.mark.slow
def test_a_person_in_a_shell(suite: LoadedSuite) -> None:
    # Ctrl-C is typed when the program itself says that it runs: earlier, it would reach the shell and stop nothing.
    sleeping = (PROMPT, b"sh -c 'echo a\"\"sleep; exec sleep 500'\r"), (b"asleep", b"\x03")
    person = Person([(PROMPT, b"tty && stty size\r"), (PROMPT, MEND.encode() + b"\r"), *sleeping, (PROMPT, b"exit\r")])
    told = []
    tried = try_shell(suite, "mend", open_terminal(person.slave, person.slave), lambda task: told.append(task.id))
    assert told == ["mend"]
    assert tried.passed
    assert b"/dev/pts/0" in person.shown
    assert tried.changes == ("changed clock.py",)


@needs_bwrap
@pytest.mark.slow
def test_the_end_of_the_input_leaves_the_shell(suite: LoadedSuite) -> None:
    person = Person([(PROMPT, MEND.encode() + b"\r"), (PROMPT, b"\x04")])
    assert try_shell(suite, "mend", open_terminal(person.slave, person.slave)).passed
