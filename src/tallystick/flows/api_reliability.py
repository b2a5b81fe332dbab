"""The Python interface to reliability receipts: run k attempts, hold the receipt in memory, verify it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Self

from tallystick.attest.reliability import check_k
from tallystick.flows.regrade import regrader
from tallystick.flows.reliability import receipt_bytes
from tallystick.flows.run import RunRequest, run
from tallystick.recording.passing import passing_folder
from tallystick.records.containers import open_reliability
from tallystick.records.containers.reliability import ReliabilityFile
from tallystick.records.reliability import Reliability, ReliabilityReport
from tallystick.records.report import Level
from tallystick.runner.adapters import Adapter
from tallystick.sandbox.drivers import SandboxName
from tallystick.suites.loaded import LoadedSuite
from tallystick.trust.policy import SignerPolicy
from tallystick.trust.signing import Signer
from tallystick.verify.ports import VerifyOptions
from tallystick.verify.reliability import verify_reliability

__all__ = ["ReliabilityReceipt", "ReliabilityRunner", "ReliabilityVerifier"]


class ReliabilityReceipt:
    """A reliability receipt in memory, as the bytes of its file."""

    def __init__(self, data: bytes) -> None:
        """Open the bytes of a receipt file; raises `InputError` when they are none."""
        self._data = data
        self._document = self.file.receipt

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a file."""
        return cls(Path(path).read_bytes())

    @property
    def file(self) -> ReliabilityFile:
        """The opened file, with the bundle inside."""
        return open_reliability(io.BytesIO(self._data))

    @property
    def document(self) -> Reliability:
        """The receipt, without its bundle."""
        return self._document

    def to_bytes(self) -> bytes:
        """The bytes of the file."""
        return self._data

    def write(self, path: str | Path) -> None:
        """Write the file."""
        Path(path).write_bytes(self._data)


class ReliabilityRunner:
    """Runs a suite `k` times with an adapter."""

    def __init__(
        self, suite: LoadedSuite, adapter: Adapter, k: int, *, workers: int = 2, sandbox: SandboxName = "bwrap"
    ) -> None:
        """Raises `InputError` for a k of which no receipt can tell."""
        check_k(k)
        self._suite, self._adapter, self._k = suite, adapter, k
        self._workers, self._sandbox = workers, sandbox

    def run(self, signer: Signer | None = None) -> ReliabilityReceipt:
        """Run all attempts; the receipt and the bundle inside are signed by `signer`. Errors as `flows.run.run`."""
        with passing_folder("run") as folder:
            request = RunRequest(
                suite=self._suite,
                adapter=self._adapter,
                state=folder,
                attempts=self._k,
                workers=self._workers,
                sandbox=self._sandbox,
            )
            return ReliabilityReceipt(receipt_bytes(run(request), signer)[2])


class ReliabilityVerifier:
    """Verifies reliability receipts of a suite. With `execute` the graders run again in the sandbox."""

    def __init__(
        self,
        suite: LoadedSuite,
        *,
        execute: bool = False,
        policy: SignerPolicy | None = None,
        sandbox: SandboxName = "bwrap",
    ) -> None:
        self._suite, self._execute, self._sandbox = suite, execute, sandbox
        self._policy = policy or SignerPolicy()

    def verify(self, receipt: ReliabilityReceipt) -> ReliabilityReport:
        """Derive the floor again."""
        opened = receipt.file
        options = VerifyOptions(policy=self._policy, level=Level.regraded if self._execute else Level.rederived)
        if not self._execute or opened.bundle is None:
            return verify_reliability(opened, self._suite, options)
        with regrader(self._suite, self._sandbox, opened.bundle, workers=2) as grades:
            return verify_reliability(opened, self._suite, options, None if isinstance(grades, str) else grades)
