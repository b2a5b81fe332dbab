"""Which attempt of which bundle a ResultManifest is of, where `tally cohort attach` wrote it."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.pyjson import Json
from tallystick.records.cohort.reading import own_members

__all__ = ["Origin", "origin_of"]


@dataclass(frozen=True, slots=True)
class Origin:
    """What a manifest says of it, unchecked; None where it does not say so."""

    receipt: Json
    """Hash of the receipt."""
    identity: Json
    """Digest of the agent without the name and version that somebody gave it."""
    agent: Json
    """Digest of the agent with both."""
    config: Json
    """Digest of the run's config."""
    index: Json
    """Number of the attempt among those of its task."""


def origin_of(manifest: Json) -> Origin:
    """The origin of a ResultManifest, which need not be well-formed."""
    ours = own_members(manifest)
    provenance = manifest.get("provenance") if isinstance(manifest, dict) else None
    config = provenance.get("worker_config_digest") if isinstance(provenance, dict) else None
    return Origin(ours.get("receipt_hash"), ours.get("agent_identity"), ours.get("agent"), config, ours.get("index"))
