"""From an attempt that was verified here to its ResultManifest, its signed VerificationResult and the files of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tallystick.core.pyjson import Json
from tallystick.flows.cohort.attempts import Bound, Witness, open_attempt
from tallystick.flows.cohort.manifests import make_manifest
from tallystick.flows.cohort.results import make_result
from tallystick.records.bundle import TaskResult
from tallystick.records.cohort.vocabulary import AttemptOutcome, Recommendation
from tallystick.records.containers import BundleFile
from tallystick.suites.cohorts.attempts import OUTCOMES
from tallystick.suites.loaded import LoadedSuite
from tallystick.trust.attested import attest

__all__ = ["Documents", "make_documents"]


@dataclass(frozen=True, slots=True)
class Documents:
    """Both documents, and the files they name by path in their folder."""

    manifest: dict[str, Json]
    result: dict[str, Json]
    files: Mapping[str, bytes]

    @property
    def outcome(self) -> AttemptOutcome:
        """What the index says of the attempt."""
        support = self.result["decision_support"]
        assert isinstance(support, dict)
        return OUTCOMES[Recommendation(str(support["recommendation"]))]


def make_documents(file: BundleFile, suite: LoadedSuite, result: TaskResult, bound: Bound, witness: Witness) -> Documents:
    """The documents of an attempt of `file`, a bundle that was verified here at `regraded`.

    Raises:
        InputError: the bundle is from after `witness.now`, or from a year that no calendar has.
        MissingBlobError: the bundle withholds what the documents must name.
    """
    attempt = open_attempt(file, suite, result, bound)
    manifest = make_manifest(attempt, witness)
    verification = attest(make_result(attempt, witness, manifest), witness.signer.public, witness.signer.sign)
    return Documents(manifest, verification, attempt.files)
