"""The key that others know a record by."""

import zlib

from @{pkg}.amounts import full, short


def key(record):
    """Eight hex digits; the same for ever."""
    amount = @{key_form}(record["@{parts}"], record["@{unit}"])
    said = "@{key_mark}".join((@{key_order}))
    return f"{zlib.crc32(said.encode()):08x}"
