"""What a manifest says of where it came from is read as it stands, from whatever stands there."""

from __future__ import annotations

import pytest

from tallystick.core.pyjson import Json
from tallystick.records.cohort.origin import Origin, origin_of
from tallystick.records.cohort.reading import EXTENSION
from tests.unit.records.cohort.samples import RESULT_MANIFEST


def test_members_are_ours_and_the_provenances() -> None:
    ours: Json = {"receipt_hash": "r", "agent_identity": "i", "agent": "a", "index": 3}
    provenance: Json = {"worker_config_digest": "c"}
    manifest: Json = {**RESULT_MANIFEST, "provenance": provenance, "extensions": {EXTENSION: ours}}
    assert origin_of(manifest) == Origin("r", "i", "a", "c", 3)


@pytest.mark.parametrize(
    "manifest", [None, [], "x", {}, {"provenance": 1, "extensions": [EXTENSION]}, {"extensions": {EXTENSION: 1}}]
)
def test_a_manifest_of_others_says_nothing(manifest: Json) -> None:
    assert origin_of(manifest) == Origin(None, None, None, None, None)
