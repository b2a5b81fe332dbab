from __future__ import annotations

from tallystick.trust.attested import attest
from tallystick.trust.signing import Signer
from tests.attacks_on_cohorts.kit import Code, Lie, Sample


def tell(made: Sample) -> None:
    result, signer = made.result(), Signer.generate()
    result["verifier"]["id"] = f"key/{signer.public.kid}"
    result["extensions"] = {"tallystick": {}}
    result["findings"] = [{"severity": "high", "category": "security", "summary": "It reads the answers."}]
    result |= attest(result, signer.public, signer.sign)
    result["findings"] = []


LIE = Lie(frozenset({Code.ATTESTATION_BROKEN}), tell=tell)
