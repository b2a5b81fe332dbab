"""The act of verifying: one file, the reader's suite, and this machine's sandbox, to a report."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TypeVar

from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.records.blobs import BlobReader
from tallystick.records.containers import BundleFile, open_bundle
from tallystick.records.evidence import Grade
from tallystick.records.opinion import ModelRubric
from tallystick.records.report import Level, Report
from tallystick.records.task import Task
from tallystick.records.traffic.prices import PriceTable
from tallystick.records.traffic.rules import RuleSet
from tallystick.records.tree import Tree
from tallystick.suites.loading import LoadedSuite, load_suite, packaged_names
from tallystick.suites.reading import open_regular
from tallystick.trust.policy import SignerPolicy
from tallystick.verify.bundle import verify
from tallystick.verify.ports import CannotRegradeError, Regrader, Replayer, VerifyOptions

if TYPE_CHECKING:
    from tallystick.flows.replay import ReplayRequest
    from tallystick.sandbox.drivers import SandboxName  # a name of types only: without running anything no sandbox is loaded

__all__ = [
    "UNWATCHED",
    "OpenedEvidence",
    "Regraded",
    "VerifyRequest",
    "Watching",
    "open_file",
    "suite_for",
    "verify_open",
    "verify_path",
]


R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """What the reader wants to know of a file. `suite` is None where the bundle names a packaged one."""

    path: Path
    suite: LoadedSuite | None = None
    execute: bool = True
    demand: Level = Level.claimed
    require_trusted_signer: bool = False
    policy: SignerPolicy = field(default_factory=SignerPolicy)
    sandbox: SandboxName = "bwrap"
    workers: int = 2
    replay: ReplayRequest | None = None
    """The agent at hand for a replay; None where none is asked for."""


Regraded = Callable[[int, int], None]
"""Is told how many attempts were graded again, of how many."""


@dataclass(frozen=True, slots=True)
class Watching:
    """What is told while tests are run again: before the first one, and after each attempt."""

    before_running: Callable[[], None] | None = None
    regraded: Regraded | None = None


UNWATCHED: Final = Watching()
"""Nobody is told."""


class _NoRegrader:
    """Says for every row why nothing is run."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def regrade(self, task: Task, final: Tree, refused_total: int, blobs: BlobReader) -> Grade:  # noqa: ARG002
        raise CannotRegradeError(self._reason)


def open_file(path: Path) -> BinaryIO:
    """Open a file to be judged.

    Raises:
        InputError: it is not there, a folder, or not readable.
    """
    try:
        return open_regular(path)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder; give the bundle file that a run wrote") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


def suite_for(file: BundleFile, given: LoadedSuite | None) -> LoadedSuite:
    """The suite to judge by: the reader's own, or the packaged one that the bundle names; never one from the bundle.

    Raises:
        InputError: the bundle names a suite this reader does not have.
    """
    if given is not None:
        return given
    name = file.bundle.suite_version
    if name not in packaged_names():
        raise InputError(
            f"this bundle is about the suite {name}, which does not come with tally; give it with --suite DIR or FILE"
        )
    return load_suite(name)


def verify_path(
    request: VerifyRequest, *, before_running: Callable[[], None] | None = None, regraded: Regraded | None = None
) -> Report:
    """Verify a bundle file. `before_running` is called once, before the first grader is started; `regraded` after each.

    Raises:
        InputError: the file cannot be read as a bundle, or the suite is not known here.
    """
    with open_file(request.path) as stream:
        file = open_bundle(stream)
        return verify_open(file, suite_for(file, request.suite), request, before_running=before_running, regraded=regraded)


def verify_open(
    file: BundleFile,
    suite: LoadedSuite,
    request: VerifyRequest,
    *,
    before_running: Callable[[], None] | None = None,
    regraded: Regraded | None = None,
) -> Report:
    """The same for a bundle that is open already, and by this suite."""
    opened = OpenedEvidence(file, suite, request)

    def judge(options: VerifyOptions, grades: Regrader | None, again: Replayer | None) -> Report:
        return verify(file, suite, options, grades, again)

    return opened.judged(judge, before_running=before_running, regraded=regraded)


@dataclass(frozen=True, slots=True)
class OpenedEvidence:
    """A bundle that is open, the suite to judge it by, and what this machine is asked to do for it."""

    file: BundleFile
    suite: LoadedSuite
    request: VerifyRequest

    def judged(
        self,
        judge: Callable[[VerifyOptions, Regrader | None, Replayer | None], R],
        *,
        before_running: Callable[[], None] | None = None,
        regraded: Regraded | None = None,
    ) -> R:
        """What `judge` finds with this reader's options, and with whoever runs graders and agent here."""
        file, suite, request = self.file, self.suite, self.request
        replay = request.replay if request.execute and file.bundle.config.recording == "cassette" else None
        levels = {False: Level.rederived, True: Level.regraded if replay is None else Level.replayed}
        rules, prices = _known(file, execute=request.execute)
        options = VerifyOptions(
            policy=request.policy,
            level=levels[request.execute],
            require_trusted_signer=request.require_trusted_signer,
            rules=rules,
            prices=prices,
            rubrics=_rubrics(file),
            demand=request.demand,
        )
        if not request.execute:
            return judge(options, None, None)
        # Loaded only now: without running anything, neither runner nor sandbox is needed, and reading stays fast.
        from tallystick.flows.regrade import regrader  # noqa: PLC0415

        with (
            regrader(suite, request.sandbox, file, request.workers, before=before_running, after=regraded) as opened,
            _replayer(file, suite, replay, options) as again,
        ):
            grades = _NoRegrader(opened) if isinstance(opened, str) else opened
            return judge(options, grades, again)


@contextlib.contextmanager
def _replayer(
    file: BundleFile, suite: LoadedSuite, request: ReplayRequest | None, options: VerifyOptions
) -> Iterator[Replayer | None]:
    if request is None:
        yield None
        return
    from tallystick.flows.replay import replayer  # noqa: PLC0415  # as above

    with replayer(file.bundle, suite, request, options) as opened:
        yield opened


def _opinions(file: BundleFile) -> bool:
    return any(result.opinion for result in file.bundle.task_results)


def _rubrics(file: BundleFile) -> Mapping[Digest, ModelRubric]:
    """Rubrics of this reader, for a bundle with a model's opinions."""
    if not _opinions(file):
        return {}
    from tallystick.suites.rubrics import known_rubrics  # noqa: PLC0415  # as below

    return known_rubrics()


def _known(file: BundleFile, *, execute: bool) -> tuple[Mapping[Digest, RuleSet], Mapping[Digest, PriceTable]]:
    """Rules and prices of this reader, for a bundle that carries recordings."""
    if file.bundle.config.recording != "cassette" and not _opinions(file):
        return {}, {}
    from tallystick.flows.known import known_prices, known_rules  # noqa: PLC0415  # other bundles need none

    return known_rules(installed=execute), known_prices()
