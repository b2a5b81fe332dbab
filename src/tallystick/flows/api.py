"""The Python interface: run a suite, hold the bundle in memory, verify it. Names follow the documents this was asked for with.

from tallystick import BenchRunner, BenchVerifier, MockReplayAdapter, build_golden_suite_v1

suite = build_golden_suite_v1()
bundle = BenchRunner(suite=suite, adapter=MockReplayAdapter(), scheduler_config={}).run()
print(BenchVerifier(suite=suite).verify(bundle.sign(Signer.generate())).report())
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tallystick.attest.bundle import sign
from tallystick.core.digest import Digest
from tallystick.core.errors import InputError
from tallystick.core.exact import Num
from tallystick.flows.api_reliability import ReliabilityReceipt, ReliabilityRunner, ReliabilityVerifier
from tallystick.flows.frames import Library, to_frame
from tallystick.flows.publishing import contents_of
from tallystick.flows.regrade import regrader
from tallystick.flows.run import RunRequest, run
from tallystick.recording.passing import passing_folder
from tallystick.records.bundle import Bundle, TaskResult
from tallystick.records.containers import BlobView, BundleFile, open_bundle, receipts_of, write_bundle
from tallystick.records.report import Level, Report, Status
from tallystick.runner.adapters import Adapter
from tallystick.runner.mock import MockAdapter, StochasticMockAdapter
from tallystick.sandbox.drivers import SandboxName
from tallystick.suites.loading import LoadedSuite, load_suite
from tallystick.trust.policy import SignerPolicy
from tallystick.trust.signing import Signer
from tallystick.verify.bundle import verify
from tallystick.verify.ports import VerifyOptions

__all__ = [
    "BenchRunner",
    "BenchVerifier",
    "MockReplayAdapter",
    "ReliabilityReceipt",
    "ReliabilityRunner",
    "ReliabilityVerifier",
    "StochasticMockReplayAdapter",
    "SubmissionBundle",
    "VerificationResult",
    "build_golden_suite_v1",
]

MockReplayAdapter = MockAdapter
StochasticMockReplayAdapter = StochasticMockAdapter

_SETTINGS = frozenset({"attempts", "workers", "sandbox"})


def build_golden_suite_v1() -> LoadedSuite:
    """The packaged suite `golden-v1`."""
    return load_suite("golden-v1")


class SubmissionBundle:
    """A bundle in memory, as the bytes of its file."""

    def __init__(self, data: bytes) -> None:
        """Open the bytes of a bundle file; raises `InputError` when they are none."""
        self._data = data

    @property
    def file(self) -> BundleFile:
        """The opened container."""
        return open_bundle(io.BytesIO(self._data))

    @property
    def document(self) -> Bundle:
        """The bundle's document, without receipts and blobs."""
        return self.file.bundle

    def bundle_hash(self) -> Digest:
        """The name of the claim."""
        return self.document.bundle_hash

    @property
    def suite_hash(self) -> Digest:
        """Digest of the suite that was run."""
        return self.document.suite_hash

    @property
    def suite_version(self) -> str:
        """Name of the suite that was run."""
        return self.document.suite_version

    @property
    def submitted_at(self) -> int:
        """When the bundle was made, in seconds since 1970 (declared)."""
        return self.document.submitted_at

    @property
    def overall_score(self) -> Num:
        """The golden score."""
        return self.document.overall_score

    @property
    def pass_rate(self) -> Num:
        """Passed attempts over tasks x attempts."""
        return self.document.pass_rate

    @property
    def task_results(self) -> tuple[TaskResult, ...]:
        """One result per task and attempt."""
        return self.document.task_results

    def to_frame(self, library: Library | None = None) -> Any:  # noqa: ANN401  # a class of a library that may not be there
        """A data frame of polars, else of pandas, with a row for each attempt; raises `InputError` without either."""
        return to_frame(self.document, library)

    def sign(self, signer: Signer) -> SubmissionBundle:
        """The same bundle as a claim of `signer`."""
        file = self.file
        receipts = {digest: file.receipt_bytes(digest) for digest in file.receipts}
        written = write_bundle(sign(file.bundle, signer), receipts, BlobView(file.sizes, file))
        return SubmissionBundle(b"".join(written.chunks))

    def to_bytes(self) -> bytes:
        """The bytes of the file."""
        return self._data

    def write(self, path: str | Path) -> None:
        """Write the file."""
        Path(path).write_bytes(self._data)


class BenchRunner:
    """Runs a suite with an adapter. `scheduler_config` takes `attempts`, `workers` and `sandbox` (`bwrap` or `none`)."""

    def __init__(self, suite: LoadedSuite, adapter: Adapter, scheduler_config: Mapping[str, int | str] | None = None) -> None:
        """Raises `InputError` for a setting it does not know."""
        settings = dict(scheduler_config or {})
        unknown = sorted(settings.keys() - _SETTINGS)
        if unknown:
            raise InputError(f"scheduler_config: unknown {', '.join(unknown)}; it takes {', '.join(sorted(_SETTINGS))}")
        self._suite, self._adapter = suite, adapter
        self._attempts, self._workers = int(settings.get("attempts", 1)), int(settings.get("workers", 2))
        self._sandbox = _sandbox_name(settings.get("sandbox", "bwrap"))

    def run(self) -> SubmissionBundle:
        """Run all attempts and return the unsigned bundle. Errors as `flows.run.run`."""
        with passing_folder("run") as folder:
            request = RunRequest(
                suite=self._suite,
                adapter=self._adapter,
                state=folder,
                attempts=self._attempts,
                workers=self._workers,
                sandbox=self._sandbox,
            )
            done = run(request)
            if done.bundle is None or done.inputs is None:
                raise RuntimeError("nothing stops a run that has no cancel event")
            return SubmissionBundle(
                b"".join(write_bundle(done.bundle, receipts_of(done.bundle), contents_of(done.inputs)).chunks)
            )


def _sandbox_name(value: int | str) -> SandboxName:
    if value == "bwrap":
        return "bwrap"
    if value == "none":
        return "none"
    raise InputError(f"scheduler_config: sandbox {value!r}; it is bwrap or none")


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """What a verifier found."""

    found: Report

    @property
    def status(self) -> Status:
        """The overall status."""
        return self.found.status

    def report(self) -> str:
        """The finding as a few lines of text."""
        found = self.found
        lines = [
            f"bundle_hash : {found.bundle_hash}",
            f"suite_hash  : {found.suite_hash}",
            f"overall: {found.status.value}",
            f"level  : {found.level}",
        ]
        lines += [f"  {row.task_id} #{row.attempt}  {row.status.value}  {row.reason}".rstrip() for row in found.rows]
        return "\n".join([*lines, *found.reasons])


class BenchVerifier:
    """Verifies bundles of a suite.

    `adapter` is accepted for the call's shape and not used: everything a verdict needs is in the bundle. With `execute` the
    graders run again in the sandbox.
    """

    def __init__(
        self,
        suite: LoadedSuite,
        adapter: Adapter | None = None,  # noqa: ARG002 - see the docstring
        *,
        execute: bool = False,
        policy: SignerPolicy | None = None,
        sandbox: SandboxName = "bwrap",
    ) -> None:
        self._suite, self._execute, self._sandbox = suite, execute, sandbox
        self._policy = policy or SignerPolicy()

    def verify(self, bundle: SubmissionBundle) -> VerificationResult:
        """Derive the bundle's claim again; raises `InputError` when its bytes cannot be read."""
        file = bundle.file
        options = VerifyOptions(policy=self._policy, level=Level.regraded if self._execute else Level.rederived)
        if not self._execute:
            return VerificationResult(verify(file, self._suite, options))
        with regrader(self._suite, self._sandbox, file, workers=2) as opened:
            return VerificationResult(verify(file, self._suite, options, None if isinstance(opened, str) else opened))
