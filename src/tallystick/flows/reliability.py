"""The acts around a reliability receipt: writing one about a finished run of k attempts, and verifying one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tallystick.attest.bundle import sign
from tallystick.attest.reliability import check_k, floor_in, make_receipt, sign_receipt
from tallystick.core.errors import InputError
from tallystick.flows.publishing import check_secrets, contents_of, write_file
from tallystick.flows.run import RunDone
from tallystick.flows.verify import OpenedEvidence, Regraded, VerifyRequest, open_file, suite_for
from tallystick.flows.writing import find_place, written_name
from tallystick.records.bundle import Bundle
from tallystick.records.containers import (
    ContainerError,
    ReliabilityFile,
    encode_reliability,
    open_reliability,
    receipts_of,
    write_bundle,
)
from tallystick.records.reliability import Reliability, ReliabilityReport
from tallystick.suites.loading import LoadedSuite, load_suite
from tallystick.trust.signing import Signer
from tallystick.verify.ports import Regrader, Replayer, VerifyOptions
from tallystick.verify.reliability import verify_reliability

__all__ = ["Published", "publish_reliability", "receipt_bytes", "verify_opened", "verify_reliability_path"]

_ENDING = ".json"


@dataclass(frozen=True, slots=True)
class Published:
    """A receipt, the bundle inside, and the file that holds both."""

    receipt: Reliability
    bundle: Bundle
    path: Path


def publish_reliability(done: RunDone, signer: Signer | None, out: Path) -> Published:
    """Sign bundle and receipt of a finished run and write both as one file, whole or not at all.

    Raises:
        InputError: too many attempts, or more evidence than such a file can hold.
        SecretError: the evidence holds a key.
        StoreError: the file cannot be written.
    """
    check_secrets(done)
    find_place(out)
    receipt, bundle, data = receipt_bytes(done, signer)
    target = written_name(out, {_ENDING}, _ENDING)
    write_file(target, iter((data,)))
    return Published(receipt, bundle, target)


def receipt_bytes(done: RunDone, signer: Signer | None) -> tuple[Reliability, Bundle, bytes]:
    """The receipt about a finished run, the bundle inside and the bytes of the file. Errors as `publish_reliability`."""
    if done.inputs is None or done.bundle is None:
        raise RuntimeError("a run that was stopped has no floor")
    check_k(done.inputs.attempts)
    bundle = done.bundle if signer is None else sign(done.bundle, signer)
    emitted_at = max(int(time.time()), bundle.submitted_at)
    receipt = make_receipt(bundle, floor_in(done.inputs, bundle), emitted_at)
    if signer is not None:
        receipt = sign_receipt(receipt, signer)
    try:
        written = write_bundle(bundle, receipts_of(bundle), contents_of(done.inputs), "json")
        return receipt, bundle, encode_reliability(receipt, b"".join(written.chunks))
    except ContainerError as error:
        raise InputError(
            f"the evidence does not fit into a reliability receipt ({error}); write the bundle instead: the same command with "
            f"-k {done.inputs.attempts} in place of --reliability, and tally verify shows its floor"
        ) from None


def open_receipt(path: Path) -> ReliabilityFile:
    """A receipt file, opened.

    Raises:
        InputError: it cannot be read as one.
    """
    with open_file(path) as stream:
        return open_reliability(stream)


def receipt_suite(opened: ReliabilityFile, given: LoadedSuite | None) -> LoadedSuite:
    """The suite to judge by: the reader's own, or the packaged one that the receipt names. Errors as `suite_for`."""
    if given is not None:
        return given
    return load_suite(opened.receipt.suite_version) if opened.bundle is None else suite_for(opened.bundle, None)


def verify_reliability_path(
    request: VerifyRequest, *, before_running: Callable[[], None] | None = None, regraded: Regraded | None = None
) -> ReliabilityReport:
    """Verify a receipt file; `before_running` and `regraded` as `flows.verify.verify_path`.

    Raises:
        InputError: the file cannot be read as a receipt, or the suite is not known here.
    """
    return verify_opened(open_receipt(request.path), request, before_running=before_running, regraded=regraded)


def verify_opened(
    opened: ReliabilityFile,
    request: VerifyRequest,
    *,
    before_running: Callable[[], None] | None = None,
    regraded: Regraded | None = None,
) -> ReliabilityReport:
    """The same for a receipt that is open already. Raises `InputError` where the suite is not known here."""
    suite = receipt_suite(opened, request.suite)

    def judge(options: VerifyOptions, grades: Regrader | None = None, again: Replayer | None = None) -> ReliabilityReport:
        return verify_reliability(opened, suite, options, grades, again)

    if opened.bundle is None:
        return judge(VerifyOptions(policy=request.policy, require_trusted_signer=request.require_trusted_signer))
    evidence = OpenedEvidence(opened.bundle, suite, request)
    return evidence.judged(judge, before_running=before_running, regraded=regraded)
