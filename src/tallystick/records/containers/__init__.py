"""The two containers of a bundle, `.json` and `.tally`, as streams: bytes in, values out; nothing is opened or extracted here.

Specification: docs/spec/bundle.md.
"""

from tallystick.records.containers.common import (
    BlobView,
    BundleFile,
    Container,
    ContainerError,
    DigestMismatchError,
    named_receipts,
    receipts_of,
)
from tallystick.records.containers.forms import Written, open_bundle, write_bundle
from tallystick.records.containers.inline import write_json
from tallystick.records.containers.tally import write_tar

__all__ = [
    "BlobView",
    "BundleFile",
    "Container",
    "ContainerError",
    "DigestMismatchError",
    "Written",
    "named_receipts",
    "open_bundle",
    "receipts_of",
    "write_bundle",
    "write_json",
    "write_tar",
]
