"""The key that others know a record by."""

import zlib

from @{pkg}.units import PLACES


def key(record):
    """Eight hex digits; the same for ever."""
    @{key_amount}
    said = "@{key_mark}".join((@{key_order}))
    return f"{zlib.crc32(said.encode()):08x}"
