"""Opening a bundle whose numbers are to be used: it is verified first, and refused where anything is wrong or lacking."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tallystick.core.errors import InputError, TallyError
from tallystick.flows.page.sides import Side
from tallystick.flows.verify import UNWATCHED, VerifyRequest, Watching, open_file, suite_for, verify_open
from tallystick.records.containers import BundleFile, open_bundle
from tallystick.records.report import Level, Report, Status, Step, level_of
from tallystick.suites.loading import LoadedSuite
from tallystick.trust.policy import SignerPolicy

if TYPE_CHECKING:
    from tallystick.sandbox.drivers import SandboxName  # a name of types only

__all__ = ["NotVerifiedError", "Terms", "judge", "open_at", "refusal", "suite_of"]


class NotVerifiedError(TallyError):
    """A bundle whose numbers are not used, since it does not verify."""


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms the reader believes a bundle. `execute`: its tests are run again, as `tally verify` does."""

    suite: LoadedSuite | None = None
    execute: bool = False
    require_trusted_signer: bool = False
    policy: SignerPolicy = field(default_factory=SignerPolicy)
    sandbox: SandboxName = "bwrap"


def open_at(stack: ExitStack, path: Path) -> BundleFile:
    """The bundle at `path`, open until `stack` is closed.

    Raises:
        InputError: it cannot be read as a bundle; the line names the file.
    """
    stream = stack.enter_context(open_file(path))
    try:
        return open_bundle(stream)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def suite_of(path: Path, file: BundleFile, terms: Terms) -> LoadedSuite:
    """The suite to judge by. Raises `InputError` where it is not known here; the line names the file."""
    try:
        return suite_for(file, terms.suite)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def judge(mark: str, path: Path, file: BundleFile, suite: LoadedSuite, terms: Terms, watching: Watching = UNWATCHED) -> Side:
    """The bundle with the report about it, whatever that says."""
    asked = VerifyRequest(
        path=path,
        execute=terms.execute,
        demand=Level.regraded if terms.execute else Level.rederived,
        require_trusted_signer=terms.require_trusted_signer,
        policy=terms.policy,
        sandbox=terms.sandbox,
    )
    report = verify_open(file, suite, asked, before_running=watching.before_running, regraded=watching.regraded)
    return Side(mark, path, file, suite, report)


def refusal(report: Report) -> str | None:
    """Why the numbers of a bundle are not used, or None.

    A partial run is no score of its suite, so `tally verify` says PARTIAL; its verdicts follow from their evidence as others
    do, and may be held against those of a run of the same tasks. Then nothing else may be lacking.
    """
    if report.status is Status.PARTIAL:
        signature = next(step for step in report.steps if step.step == Step.signature)
        if signature.state == "failed":
            return signature.note
        short = next((row for row in report.rows if not _derived(row.level)), None)
        return None if short is None else f"{short.task_id} attempt {short.attempt} reaches {short.level} only"
    if report.status is not Status.MATCH:
        return f"{report.status.value}, {next(iter(report.reasons), '')}"
    return None if _derived(report.level) else f"it reaches {report.level} only"


def _derived(level: str) -> bool:
    return level_of(level) >= Level.rederived
