"""An attempt of a bundle that was verified here, opened: what its documents are bound to, and which files they name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import Final

from tallystick.core.errors import InputError
from tallystick.flows.cohort.patches import candidate_patch
from tallystick.records.base import UNSET, UnsetType
from tallystick.records.blobs import ChainedBlobs
from tallystick.records.bundle import Bundle, Observed, TaskResult
from tallystick.records.cohort.reading import Whole
from tallystick.records.containers import BundleFile
from tallystick.records.evidence import Receipt
from tallystick.records.task import Task
from tallystick.records.tree import parse_tree
from tallystick.suites.loaded import LoadedSuite
from tallystick.trust.signing import Signer

__all__ = [
    "ARTIFACTS",
    "AUTHORITY_KEY",
    "GRADE",
    "LOGS",
    "UNSIGNED",
    "Bound",
    "OpenAttempt",
    "Witness",
    "instant",
    "open_attempt",
    "stamp",
    "worker_name",
]

AUTHORITY_KEY: Final = "org.idkmesh.authority"
"""Where both documents write that they grant nothing."""
ARTIFACTS: Final[Mapping[str, str]] = {
    "candidate.patch": "candidate-patch",
    "workspace.json": "workspace",
    "receipt.json": "receipt",
}
"""Files that an attempt produced, and their ids in both documents."""
GRADE: Final = "grade.json"
"""The file with the grade of an attempt, which its result names."""
LOGS: Final = ("stderr", "stdout")
"""Logs of an agent, each in a file of that name with `.txt`."""
UNSIGNED: Final = "unsigned"
"""The worker of a bundle that nobody signed."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What the documents of an attempt are bound to: its task in the cohort, and its place among the attempts there."""

    work_unit_id: str
    work_unit_version: Whole
    work_unit_digest: str
    plan_digest: str
    revision: str
    signature: str
    ordinal: int
    """From 1, over all signatures."""
    id: str
    """Of the manifest; the result's adds `/verification`."""
    hidden: bool = False
    """Whether its evaluator is: then no document says which assertions there are."""
    worker: str | None = None
    """The name of the worker; None where it is that of the key that signed the bundle."""


@dataclass(frozen=True, slots=True)
class Witness:
    """Who verifies, when (seconds since 1970, at the end), and what beside the bundle is said of each attempt."""

    signer: Signer
    now: int
    took: Fraction = Fraction(0)
    """Seconds, for each attempt."""
    human_minutes: Fraction | None = None


@dataclass(frozen=True, slots=True)
class OpenAttempt:
    """One attempt, opened."""

    bundle: Bundle
    result: TaskResult
    receipt: Receipt
    task: Task
    bound: Bound
    files: Mapping[str, bytes]
    """Named in the documents, by file name."""

    @property
    def worker(self) -> str:
        """How its worker is named."""
        return self.bound.worker or worker_name(self.bundle)

    @property
    def observed(self) -> Observed | None:
        """What was measured of it, as far as the bundle says so."""
        return None if isinstance(self.result.observed, UnsetType) else self.result.observed


def worker_name(bundle: Bundle) -> str:
    """How a worker is named: by the key that signed the bundle."""
    return UNSIGNED if bundle.submitter is UNSET else f"key/{bundle.submitter.kid}"


def open_attempt(file: BundleFile, suite: LoadedSuite, result: TaskResult, bound: Bound) -> OpenAttempt:
    """The attempt with its files. Raises `MissingBlobError` where the bundle withholds what documents must name."""
    task, receipt = suite.task(result.task_id), file.receipt(result.receipt_hash)
    files = {} if bound.hidden else {"receipt.json": file.receipt_bytes(result.receipt_hash)}
    final, grade = receipt.link("workspace.final"), receipt.link("grade")
    if final is not None:
        tree = parse_tree(file.read(final))
        files["workspace.json"] = file.read(final)
        files["candidate.patch"] = candidate_patch(suite.tree(task.workspace), tree, ChainedBlobs(file, suite.blobs))
    if grade is not None and not bound.hidden:
        files[GRADE] = file.read(grade)
    outputs = () if isinstance(result.observed, UnsetType) else result.observed.outputs
    for name, blob in outputs:
        if blob in file.sizes and name in LOGS:
            files[f"{name}.txt"] = file.read(blob)
    return OpenAttempt(file.bundle, result, receipt, task, bound, files)


def instant(seconds: int, now: int) -> datetime:
    """A moment in the past. Raises `InputError` for one after `now`."""
    if seconds > now:
        raise InputError(
            f"the bundle says that it was submitted {seconds - now} seconds from now; set this machine's clock right"
        )
    return datetime.fromtimestamp(seconds, UTC)


def stamp(at: datetime) -> str:
    """A moment as documents write it."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond:06}Z"
