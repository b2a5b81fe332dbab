"""The suites and agents that are measured: tiny tasks, so that what is left is what tally itself costs."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tallystick.flows.adapters import AgentRequest, make_adapter
from tallystick.flows.run import RunDone, RunRequest, run
from tallystick.suites.loading import LoadedSuite, load_suite

_EDIT: Final = """\
cat > /dev/null
sed s/hello/goodbye/ greeting.txt > new && mv new greeting.txt
cat /proc/sys/kernel/random/uuid | tee log.txt
"""
AGENT: Final = ("sh", "-c", _EDIT)
"""A program that reads its instruction, edits a file, and leaves something new each time, as agents do."""

_PORTABLE: Final = """\
  - {kind: content_eq, id: text, path: greeting.txt, content: "goodbye, world\\n"}
  - {kind: only_changed, id: only, paths: [greeting.txt, log.txt]}
"""
_COMMAND: Final = _PORTABLE + "  - {kind: command, id: runs, argv: [grep, -q, goodbye, greeting.txt]}\n"
_GRADER: Final = _PORTABLE + "  - {kind: grader, id: behaviour, script: grade.py, tests: [says_goodbye]}\n"
_SCRIPT: Final = """\
from tally_grader import subject, test

with test("says_goodbye"):
    assert subject.run(["cat", "greeting.txt"]).stdout == b"goodbye, world\\n"
"""
CHECKS: Final = {"portable": _PORTABLE, "command": _COMMAND, "grader": _GRADER}


def suite(kind: str, folder: Path) -> LoadedSuite:
    """A suite of one task whose assertions are of a kind of `CHECKS`, written below `folder`."""
    task = folder / f"bench-{kind}" / "smoke" / "greet"
    (task / "workspace" / "src").mkdir(parents=True)
    (task / "workspace" / "greeting.txt").write_text("hello, world\n")
    for number in range(8):
        (task / "workspace" / "src" / f"module{number}.py").write_text(f"VALUE = {number}\n" * 40)
    (task / "solution").mkdir()
    (task / "solution" / "greeting.txt").write_text("goodbye, world\n")
    if kind == "grader":
        (task / "grader").mkdir()
        (task / "grader" / "grade.py").write_text(_SCRIPT)
    task.joinpath("task.md").write_text(
        f"---\ntitle: Say goodbye\ncategory: file_io\nassertions:\n{CHECKS[kind]}---\nMake the greeting a goodbye.\n"
    )
    folder.joinpath(f"bench-{kind}", "suite.yaml").write_text(
        textwrap.dedent(f"""\
            version: bench-{kind}
            order: [greet]
            """)
    )
    return load_suite(folder / f"bench-{kind}")


@dataclass(frozen=True, slots=True)
class Workload:
    """A suite, and the folder where its runs are kept."""

    suite: LoadedSuite
    state: Path

    def run(self, attempts: int, workers: int = 2) -> RunDone:
        """A fresh run of the agent; every attempt must pass."""
        request = AgentRequest("command", argv=AGENT, cwd=self.state, search_path="/usr/bin:/bin")
        adapter = make_adapter(request, self.suite)
        done = run(RunRequest(self.suite, adapter, self.state, attempts=attempts, workers=workers, fresh=True))
        if done.bundle is None or done.bundle.totals.passed != attempts:
            raise RuntimeError(f"not every attempt passed: {done.bundle and done.bundle.totals}")
        return done
