"""What a lie is made of, and how its discovery is written down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from tallystick.records.report import Status, Step
from tests.support.forge import Forgery

__all__ = [
    "ALL",
    "DOC",
    "FILES",
    "GEN",
    "LINT",
    "REFACTOR",
    "Caught",
    "Container",
    "Found",
    "Lie",
    "Stands",
    "Status",
    "Step",
    "Unreadable",
    "cassette_broken",
    "judged",
    "receipt_broken",
    "recorded",
    "row_lies",
    "rows",
    "stale",
]

Container = Literal["json", "tally"]
Key = tuple[str, int]

FILES: Final = "file_io_read_write"
REFACTOR: Final = "refactor_rename_symbol"
GEN: Final = "test_generation_happy_path"
LINT: Final = "lint_fix_unused_import"
DOC: Final = "doc_update_docstring"
ALL: Final[tuple[Key, ...]] = tuple((task, index) for task in (FILES, REFACTOR, GEN, LINT, DOC) for index in (1, 2))
"""Every attempt of the honest bundle. Those that did not pass: files 1, refactor 2, lint 2, doc 2 (stopped at a limit)."""


@dataclass(frozen=True)
class Caught:
    """Read and not verified (exit 1): exactly these steps fail for the whole, exactly these rows fail, each at its step."""

    status: Status
    whole: tuple[Step, ...] = ()
    rows: Mapping[Key, tuple[Status, Step]] | None = None
    says: str = ""
    level: str | None = None


@dataclass(frozen=True)
class Unreadable:
    """Not read as a bundle at all (exit 2): the step that refused it, and what it says."""

    step: Step
    says: str


@dataclass(frozen=True)
class Stands:
    """MATCH (exit 0): what the evidence in a file cannot show. `passed` counts attempts derived as passed."""

    passed: int | None
    attempts: int = 10
    level: str = "rederived"
    signer: str = "unknown"
    says: str = ""
    """Stands in what is said of a step or an attempt."""
    references: int | None = None
    """Rows whose final workspace equals the reference solution, where a lie is about who made it."""


Found = Caught | Unreadable | Stands


@dataclass(frozen=True)
class Lie:
    """One lie.

    `tell` changes the bundle in pieces; `rewrite` changes the bytes of the finished file (and its container). `regraded` is
    what is found of the resigned form when graders are run again, `replayed` when the agent is, on its recording; `tally`
    overrides by form where the `.tally` container comes out otherwise. `variants` are lies of one kind with one discovery.
    """

    edited: Found
    resigned: Found
    tell: Callable[[Forgery], None] | None = None
    rewrite: Callable[[bytes, Container, str], bytes] | None = None
    regraded: Found | None = None
    replayed: Found | None = None
    tally: Mapping[str, Found] | None = None
    variants: tuple[str, ...] = ("",)
    containers: tuple[Container, ...] = ("json", "tally")
    base: Literal["honest", "donor", "recorded", "judged"] = "honest"
    trusted_only: bool = False
    names_suite: bool = True
    """The reader gives the suite himself; otherwise it is the packaged one of the name in the bundle."""


def recorded(passed: int = 3, level: str = "rederived", says: str = "") -> Stands:
    """The recorded run of four attempts verifies."""
    return Stands(passed, attempts=4, level=level, says=says)


def judged(passed: int = 2, level: str = "rederived", says: str = "") -> Stands:
    """The judged run of three attempts verifies."""
    return Stands(passed, attempts=3, level=level, says=says)


def rows(status: Status, step: Step, *keys: Key) -> Mapping[Key, tuple[Status, Step]]:
    """These attempts fail with this status at this step."""
    return dict.fromkeys(keys, (status, step))


def stale(*whole: Step, rows: Mapping[Key, tuple[Status, Step]] | None = None, says: str = "bundle_hash is") -> Caught:
    """The bundle's hash does not fit any more, and what else is seen."""
    return Caught(Status.HASH_MISMATCH, (Step.bundle_hash, *whole), rows, says)


def row_lies(status: Status, step: Step, *keys: Key, says: str = "") -> Caught:
    """Nothing is wrong with the claim as a whole; these attempts are named."""
    return Caught(Status.DIVERGED, rows=rows(status, step, *keys), says=says)


def receipt_broken(*keys: Key) -> Caught:
    """The receipts of these attempts, which `bundle_hash` covers by their own hash only, have other bytes."""
    return row_lies(Status.HASH_MISMATCH, Step.blobs, *keys, says="its bytes were changed")


def cassette_broken(*keys: Key) -> Caught:
    """The recordings of these attempts, which receipts name by their hash, have other bytes."""
    return Caught(Status.DIVERGED, (Step.blobs,), rows(Status.HASH_MISMATCH, Step.blobs, *keys), "its bytes were changed")
