"""What `tally eval` scores: bundle files, finished runs of the state folder, and telemetry files, each opened and checked.

A bundle, and a saved run as the bundle it would make, is verified at `rederived` before a number of it is used: nothing is run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import tallystick
from tallystick.attest.bundle import BundleInputs, build
from tallystick.core import limits
from tallystick.core.errors import InputError
from tallystick.flows.finished import evidence_of
from tallystick.flows.harness.baselines import Baselines
from tallystick.flows.harness.evidence import EvidenceReader
from tallystick.flows.harness.suites import KnownSuites
from tallystick.flows.publishing import contents_of
from tallystick.flows.verified import NotVerifiedError
from tallystick.flows.verify import VerifyRequest, open_file, verify_open
from tallystick.recording.blobs import BlobStore
from tallystick.recording.passing import passing_folder
from tallystick.recording.runs import RunFolder
from tallystick.records.containers import BundleFile, open_bundle, receipts_of, write_bundle
from tallystick.records.evidence import Attempt
from tallystick.records.report import Level, Report, Status
from tallystick.records.state import FinishedAttempt, parse_run_state
from tallystick.records.telemetry import TaskTelemetry, parse_telemetry
from tallystick.suites.loaded import LoadedSuite

__all__ = [
    "BundleSource",
    "TelemetrySource",
    "UnfinishedError",
    "open_source",
    "read_run",
    "telemetry_files",
]

_ACCEPTED: Final = frozenset({Status.MATCH, Status.UNSIGNED, Status.UNTRUSTED_SIGNER, Status.PARTIAL})
"""What a bundle that is scored may be: who signed it changes no number, and what a partial run lacks counts as not passed."""
_HEAD: Final = 512


class UnfinishedError(InputError):
    """A run with attempts that were not finished."""


@dataclass(frozen=True, slots=True)
class BundleSource:
    """A verified bundle, open, or the one that a saved run makes."""

    kind: Literal["bundle", "run"]
    name: str
    reader: EvidenceReader
    report: Report

    @property
    def level(self) -> str:
        """How much of it was checked. A run of this state folder needs no signature: the level of its attempts counts."""
        if self.kind == "bundle":
            return self.report.level
        return min((Level[row.level] for row in self.report.rows), default=Level.claimed).name


@dataclass(frozen=True, slots=True)
class TelemetrySource:
    """A telemetry file, read."""

    name: str
    attempts: tuple[TaskTelemetry, ...]


@contextlib.contextmanager
def open_source(path: Path, state: Path, suites: KnownSuites, baselines: Baselines) -> Iterator[BundleSource | TelemetrySource]:
    """Open one source: a bundle file, a telemetry file, the folder of a run, or the name of a run below `state`.

    Raises:
        InputError: it is none of these, or cannot be read.
        NotVerifiedError: a bundle that does not verify.
        UnfinishedError: a run that is not finished.
    """
    place = path if path.exists() or not (state / "runs" / path / "run.json").is_file() else state / "runs" / path
    if place.suffix.lower() in {".yaml", ".yml"}:
        raise InputError(
            f"{path}: a YAML spec is not what tally eval takes; it scores bundles, runs and telemetry files. "
            "Tasks of your own: docs/write-a-task.md"
        )
    if (place / "run.json").is_file():
        with _run_source(place, state, suites, baselines) as source:
            yield source
        return
    with open_file(place) as stream:
        head = stream.read(_HEAD)
        stream.seek(0)
        if not _is_bundle(head):
            yield TelemetrySource(str(path), _telemetry(stream.read(limits.DOCUMENT_BYTES + 1), path))
            return
        try:
            file = open_bundle(stream)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        yield _checked(file, str(path), "bundle", suites, baselines)


def _is_bundle(head: bytes) -> bool:
    """Whether a file offers itself as a document of ours: by its type, or as a `.tally` archive."""
    return b'"_type"' in head or head.startswith(b"bundle.json") or head.lstrip()[:1] not in {b"{", b"["}


def _telemetry(data: bytes, path: Path) -> tuple[TaskTelemetry, ...]:
    try:
        return parse_telemetry(data)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _checked(
    file: BundleFile, name: str, kind: Literal["bundle", "run"], suites: KnownSuites, baselines: Baselines
) -> BundleSource:
    try:
        suite = suites.of_bundle(file.bundle.suite_version, file.bundle.suite_hash)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    report = verify_open(file, suite, VerifyRequest(path=Path(name), suite=suite, execute=False))
    if report.status not in _ACCEPTED:
        bad = next((row for row in report.rows if row.status is not Status.MATCH), None)
        where = f"{bad.task_id} attempt {bad.attempt}: {bad.reason}" if bad else "; ".join(report.reasons[:1])
        raise NotVerifiedError(f"{name} does not verify ({report.status.value}; {where}), so nothing of it is scored")
    return BundleSource(kind, name, EvidenceReader(file, suite, baselines), report)


@contextlib.contextmanager
def _run_source(folder: Path, state: Path, suites: KnownSuites, baselines: Baselines) -> Iterator[BundleSource]:
    try:
        run = RunFolder(folder, parse_run_state((folder / "run.json").read_bytes()))
        suite = suites.of_bundle(run.state.suite_version, run.state.suite_hash)
    except (InputError, OSError) as error:
        raise InputError(f"{folder}: {error}") from None
    inputs = _inputs(run, suite, BlobStore(state / "blobs"))
    with passing_folder("eval") as place:
        bundle = build(inputs)
        written = write_bundle(bundle, receipts_of(bundle), contents_of(inputs))
        file = place / "bundle"
        with file.open("wb") as out:
            out.writelines(written.chunks)
        with file.open("rb") as stream:
            yield _checked(open_bundle(stream), folder.name, "run", suites, baselines)


def read_run(run: RunFolder) -> tuple[FinishedAttempt, ...]:
    """All attempts of a run, in suite order.

    Raises:
        UnfinishedError: some are not finished.
        StoreError: one is damaged.
    """
    wanted = [(task, index) for task in run.state.tasks for index in range(1, run.state.attempts + 1)]
    found = [run.finished(task, Attempt(index=index, of=run.state.attempts)) for task, index in wanted]
    done = tuple(each for each in found if each is not None)
    if len(done) < len(wanted):
        raise UnfinishedError(
            f"{run.path.name} has {len(done)} of {len(wanted)} attempts; the command that started it finishes the others"
        )
    return done


def _inputs(run: RunFolder, suite: LoadedSuite, store: BlobStore) -> BundleInputs:
    return BundleInputs(
        suite=suite.document,
        agent=run.state.agent,
        config=run.state.config,
        evidence=tuple(evidence_of(each, store) for each in read_run(run)),
        attempts=run.state.attempts,
        submitted_at=run.state.started_at,
        harness_version=tallystick.__version__,
        blobs=store,
        suite_blobs=suite.blobs,
        tasks=run.state.tasks,
    )


def telemetry_files(folder: Path) -> tuple[Path, ...]:
    """The `.json` files of a folder, by name."""
    return tuple(sorted(path for path in folder.glob("*.json") if path.is_file()))
