"""What holds for every test session: a home of its own, no deadlines, and no skip that nobody expected."""

import os
from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

# A skip in CI is a hole in the proof, so its reason must start with one of these; any other fails the session.
EXPECTED_SKIPS: Final = (
    "needs another Python: ",  # compares interpreters, and a machine may have one only
    "needs another program: ",  # completes in zsh and fish, reads the manual page
    "needs root: ",  # becomes another user, makes device nodes
    "root ignores permissions: ",  # read-only folders and files that cannot be read
    "no delegated cgroup: ",  # limits that the kernel grants to some users only
    "no network: ",  # installs a system into a folder from Debian's packages
    "needs an agent: ",  # real agents, which `make agents` installs
    "needs a browser: ",  # Chromium, Node and axe-core, which Debian and npm have and other systems may not
)

# No test judges by the clock: the machines that run them are shared.
settings.register_profile("tally", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tally")

_unexpected_skips: dict[str, str] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With several workers, start what takes long first: at the end it would leave the others idle.

    Tests of a group stay as they are; a group is given out as a whole, the largest first.
    """
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: _in_group(item) or item.get_closest_marker("slow") is None)


def _in_group(item: pytest.Item) -> bool:
    return item.get_closest_marker("xdist_group") is not None


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep keys, settings and results of the person who runs the tests out of them, and theirs out of reach."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("TALLY_", "XDG_")) and name != "TALLY_AGENTS"]:
            patch.delenv(name)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        yield


def is_expected(reason: str) -> bool:
    """Tell whether a skip for this reason may happen in CI."""
    return reason.removeprefix("Skipped: ").startswith(EXPECTED_SKIPS)


def _note_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if not is_expected(reason):
        _unexpected_skips[report.nodeid] = reason.removeprefix("Skipped: ")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect skips of tests; with several workers this also runs in the process that sums up."""
    _note_skip(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Collect skips of whole modules."""
    _note_skip(report)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a session in CI that passed by skipping."""
    if os.environ.get("CI") and _unexpected_skips and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name every skip that made the session fail."""
    if os.environ.get("CI") and _unexpected_skips:
        terminalreporter.section("skips that CI does not expect", red=True)
        for nodeid, reason in sorted(_unexpected_skips.items()):
            terminalreporter.line(f"unexpected skip: {nodeid}: {reason}")
