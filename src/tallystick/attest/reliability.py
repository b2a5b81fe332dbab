"""Makes the reliability receipt of a run of k attempts: every number by the functions that a verifier uses, then signed.

Specification: docs/spec/reliability.md.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tallystick.attest.bundle import BundleInputs
from tallystick.core import limits
from tallystick.core.digest import EMPTY
from tallystick.core.errors import InputError
from tallystick.records.bundle import Bundle, Submitter
from tallystick.records.journal import ModelCall, coordination_root
from tallystick.records.reliability import INFORMATION, Reliability, reliability_hash
from tallystick.scoring.floor import AttemptFacts, Floor, floor_of
from tallystick.trust.jws import RELIABILITY_TYP
from tallystick.trust.signing import Signer

__all__ = ["check_k", "floor_in", "make_receipt", "sign_receipt"]


def check_k(k: int) -> None:
    """Refuse a number of attempts of which no receipt can tell.

    Raises:
        InputError: it is not from 1 to `limits.FLOOR_ATTEMPTS`.
    """
    if not 1 <= k <= limits.FLOOR_ATTEMPTS:
        raise InputError(f"--reliability {k}: give a number of attempts from 1 to {limits.FLOOR_ATTEMPTS}")


def floor_in(inputs: BundleInputs, bundle: Bundle) -> Floor:
    """The floor of the run that `bundle` was built of."""
    return floor_of(tuple(_facts(inputs, bundle)), inputs.attempts)


def _facts(inputs: BundleInputs, bundle: Bundle) -> Iterator[AttemptFacts]:
    for one, result in zip(inputs.evidence, bundle.task_results, strict=True):
        yield AttemptFacts(
            task_id=result.task_id,
            task_hash=result.task_hash,
            passed=result.passed,
            infra_error=result.harness_output.outcome == "infra_error",
            coordination=coordination_root(one.receipt.events),
            journal=one.receipt.journal_head,
            asked=sum(isinstance(event, ModelCall) for event in one.receipt.events),
            recorded=one.cassette is not None and one.receipt.link("cassette") not in inputs.withheld,
        )


def make_receipt(bundle: Bundle, floor: Floor, emitted_at: int) -> Reliability:
    """The unsigned receipt about a bundle, which it names and does not hold. `emitted_at` is in seconds since 1970."""
    made = Reliability(
        receipt_hash=EMPTY,
        bundle_hash=bundle.bundle_hash,
        suite_hash=bundle.suite_hash,
        suite_version=bundle.suite_version,
        k=floor.k,
        scheduler_config=bundle.scheduler_config,
        harness=bundle.harness,
        emitted_at=emitted_at,
        pass_at_1=floor.pass_at_1,
        pass_caret_k=floor.pass_caret_k,
        rates=floor.rates,
        infra_errors=floor.infra_errors,
        coordination_ok=floor.coordination_ok,
        information=floor.information,
        information_says=INFORMATION[floor.information],
        task_results=floor.task_results,
        flip_rate=floor.flip_rate,
    )
    return _hashed(made)


def _hashed(receipt: Reliability) -> Reliability:
    return msgspec.structs.replace(receipt, receipt_hash=reliability_hash(receipt))


def sign_receipt(receipt: Reliability, signer: Signer) -> Reliability:
    """The receipt as a claim of `signer`, who has signed the bundle too."""
    kid = signer.public.kid
    claimed = _hashed(msgspec.structs.replace(receipt, submitter=Submitter(kid=kid)))
    return msgspec.structs.replace(
        claimed,
        signature=signer.sign(RELIABILITY_TYP, claimed.receipt_hash.encode("ascii")),
        signer_fingerprint=kid,
        signer_jwk=signer.public.jwk,
    )
