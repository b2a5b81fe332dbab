"""The file of a reliability receipt: one C1 document that embeds the `.json` container of the bundle it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from tallystick.core import c1, limits
from tallystick.core.errors import InputError
from tallystick.records.base import check_type, from_tree, type_name
from tallystick.records.containers.common import ContainerError, read_up_to
from tallystick.records.containers.inline import JsonBundle
from tallystick.records.reliability import Reliability

__all__ = ["ReliabilityFile", "encode_reliability", "open_reliability"]


@dataclass(frozen=True, slots=True)
class ReliabilityFile:
    """An opened receipt, without its bundle, and the bundle; None where it was taken out."""

    receipt: Reliability
    bundle: JsonBundle | None


def open_reliability(stream: BinaryIO) -> ReliabilityFile:
    """Open a reliability receipt from a binary stream at its start.

    Raises:
        ContainerError: over the limit, or an embedded bundle that cannot be read.
        C1Error, NewerVersionError, MalformedError: as `records.base.parse`.
    """
    data = read_up_to(stream, limits.BUNDLE_JSON_BYTES + 1)
    if len(data) > limits.BUNDLE_JSON_BYTES:
        raise ContainerError(f"a reliability receipt has at most {limits.BUNDLE_JSON_BYTES} bytes; this file has more")
    tree = c1.loads(data, limits.BUNDLE_JSON_BYTES)
    del data  # the tree is as large, and the bundle inside is about to be opened
    check_type(tree, type_name(Reliability))
    assert isinstance(tree, dict)
    embedded = tree.pop("bundle", None)
    receipt = from_tree(tree, c1.encode(tree), Reliability)
    if embedded is None:
        return ReliabilityFile(receipt, None)
    try:
        return ReliabilityFile(receipt, JsonBundle(embedded))
    except InputError as error:
        raise ContainerError(f"the embedded bundle: {error}") from None


def encode_reliability(receipt: Reliability, bundle: bytes) -> bytes:
    """The file of a receipt and the bytes of its bundle's `.json` container.

    Raises:
        ContainerError: more than such a file may hold.
    """
    tree = c1.decode(c1.encode(receipt))
    assert isinstance(tree, dict)
    tree["bundle"] = c1.decode(bundle, limits.BUNDLE_JSON_BYTES)
    data = c1.dumps(tree)
    if len(data) > limits.BUNDLE_JSON_BYTES:
        raise ContainerError(f"the receipt needs {len(data)} bytes; at most {limits.BUNDLE_JSON_BYTES} are read")
    return data
