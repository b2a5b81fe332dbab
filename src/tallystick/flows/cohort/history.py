"""Is a cohort what its history tells, and has its history been the same all along? The act behind `validate --history`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tallystick.core import limits
from tallystick.core.errors import InputError
from tallystick.flows.cohort.folder import HISTORY, REVIEWS, Snapshot, read_kept, read_snapshot, review_name
from tallystick.flows.cohort.git_history import GitProof, git_proof
from tallystick.flows.cohort.opening import Where, read_cohort
from tallystick.flows.cohort.under_way import drift_of
from tallystick.records.cohort_history import CohortEntry, parse_review
from tallystick.suites.cohorts.chain import Chain, Demands, check_cohort, check_review, read_chain
from tallystick.suites.cohorts.history_codes import HistoryCode, HistoryFinding
from tallystick.suites.cohorts.lifecycle import State

__all__ = ["HistoryReport", "Outcomes", "validate_history"]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How many attempts were ever attached, and how many of those the cohort still lists: the first one is the denominator."""

    attached: int
    counted: int

    @property
    def excluded(self) -> int:
        """Attempts of tasks that were excluded after their outcome was seen."""
        return self.attached - self.counted


@dataclass(frozen=True, slots=True)
class HistoryReport:
    """What was found. `cohort` are the bytes that belong to the history; `git` is None where there is no repository."""

    findings: tuple[HistoryFinding, ...]
    chain: Chain
    cohort: bytes | None
    git: GitProof | None
    reviewer: str | None = None
    """The thumbprint of who reviewed the frozen definition."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def state(self) -> State | None:
        """What the history comes to."""
        return self.chain.state

    @property
    def entries(self) -> tuple[CohortEntry, ...]:
        """The entries that could be followed."""
        return self.chain.entries

    @property
    def outcomes(self) -> Outcomes:
        """The attempts that were ever attached."""
        state = self.state
        return Outcomes(0, 0) if state is None else Outcomes(len(state.attempts), len(state.counted_attempts))


def validate_history(where: Where, search_path: str, demands: Demands | None = None) -> HistoryReport:
    """Follow the history of a cohort, compare it with the cohort, its review and the repository it lies in.

    Raises:
        CohortFolderError: the folder cannot be read.
        GitError: it lies in a repository that cannot be read.
    """
    found = read_snapshot(where.folder)
    chain = _chain(found.history, demands)
    whole = chain.state if not chain.findings else None
    findings = [*chain.findings, *_pending(found, chain), *_cohort(where, found, chain)]
    reviewed = None if chain.state is None or chain.state.review is None else _kept_review(where.folder, chain.state)
    if chain.state is not None:
        findings.extend(check_review(reviewed, chain.state))
    git = git_proof(where.folder, found, whole, search_path)
    if git is not None:
        findings.extend(git.findings)
    return HistoryReport(tuple(findings), chain, found.cohort, git, _reviewer(reviewed))


def _chain(history: bytes | None, demands: Demands | None) -> Chain:
    if history is not None:
        return read_chain(history, demands)
    says = f"there is no {HISTORY} beside the cohort, so nothing is known of what came before"
    return Chain((), None, (HistoryFinding(HistoryCode.MISSING, 20, None, says),))


def _cohort(where: Where, found: Snapshot, chain: Chain) -> tuple[HistoryFinding, ...]:
    """Step 24, as far as there is a cohort; what is wrong with its own bytes is for the validator to say."""
    if chain.state is None or chain.findings:
        return ()
    try:
        return check_cohort(chain.state, read_cohort(found.cohort, where.path))
    except InputError as error:
        return (HistoryFinding(HistoryCode.COHORT_CHANGED, 24, None, str(error)),)


def _pending(found: Snapshot, chain: Chain) -> tuple[HistoryFinding, ...]:
    says = drift_of(found, chain)
    return () if says is None else (HistoryFinding(HistoryCode.PENDING_DRIFT, 20, None, says),)


def _kept_review(folder: Path, state: State) -> bytes | None:
    assert state.review is not None  # as the caller has asked
    return read_kept(folder / REVIEWS / review_name(state.review), limits.DOCUMENT_BYTES)


def _reviewer(data: bytes | None) -> str | None:
    try:
        return None if data is None else parse_review(data).kid
    except InputError:
        return None
