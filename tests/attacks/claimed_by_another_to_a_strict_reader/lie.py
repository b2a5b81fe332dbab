from __future__ import annotations

from tests.attacks.claimed_by_another.lie import tell
from tests.attacks.kit import Caught, Lie, Status, Step, stale

LIE = Lie(
    tell=tell,
    edited=stale(Step.signature),
    resigned=Caught(Status.UNTRUSTED_SIGNER, (Step.signature,), says="is not one this reader trusts"),
    trusted_only=True,
)
