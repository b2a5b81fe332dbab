"""The containers of a bundle (`.json`, `.tally`) and of a shard, as streams: bytes in, values out.

Nothing is opened or extracted here.

Specification: docs/spec/bundle.md.
"""

from tallystick.records.containers.common import (
    BlobView,
    BundleFile,
    Container,
    ContainerError,
    DigestMismatchError,
    EvidenceFile,
    named_receipts,
    receipts_of,
)
from tallystick.records.containers.forms import Written, open_bundle, write_bundle
from tallystick.records.containers.inline import write_json
from tallystick.records.containers.reliability import ReliabilityFile, encode_reliability, open_reliability
from tallystick.records.containers.shard import SHARD_START, ShardFile, open_shard, write_shard
from tallystick.records.containers.tally import write_tar

__all__ = [
    "SHARD_START",
    "BlobView",
    "BundleFile",
    "Container",
    "ContainerError",
    "DigestMismatchError",
    "EvidenceFile",
    "ReliabilityFile",
    "ShardFile",
    "Written",
    "encode_reliability",
    "named_receipts",
    "open_bundle",
    "open_reliability",
    "open_shard",
    "receipts_of",
    "write_bundle",
    "write_json",
    "write_shard",
    "write_tar",
]
