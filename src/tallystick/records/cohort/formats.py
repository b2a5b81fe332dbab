r"""The two formats that the schemas name, each as the original enforces it and strictly.

As in the original, `date-time` is RFC 3339 with any case of `T` and `Z`, no leap second, and perhaps a line feed at the end,
and any string is a `uri`. Strictly no line feed follows a time, and a URI is one by RFC 3986, section 3.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Mapping
from typing import Final

__all__ = ["FORMATS", "STRICT_FORMATS", "Test", "is_date_time", "is_uri"]

Test = Callable[[str], bool]

_DATE_TIME: Final = re.compile(
    r"([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})"
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
    r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])\n?"
).fullmatch

# Classes of characters and no alternatives below a repetition, so that long strings cost no memory; `%` is looked at apart.
_UNRESERVED: Final = r"A-Za-z0-9._~!$&'()*+,;=%-"
_HOST: Final = rf"(?:\[(?:[0-9A-Fa-f:.]+|v[0-9A-Fa-f]+\.[{_UNRESERVED}:]+)\]|[{_UNRESERVED}]*)"
_URI: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*:"
    rf"(?://(?:[{_UNRESERVED}:]*@)?{_HOST}(?::[0-9]*)?(?:/[{_UNRESERVED}:@/]*)?|(?!//)[{_UNRESERVED}:@/]*)"
    rf"(?:\?[{_UNRESERVED}:@/?]*)?(?:#[{_UNRESERVED}:@/?]*)?"
).fullmatch
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})").search


def is_date_time(text: str) -> bool:
    """Whether the original takes it for a time."""
    match = _DATE_TIME(text.upper())
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    return year > 0 and 1 <= day <= calendar.monthrange(year, month)[1]


def _is_strict_date_time(text: str) -> bool:
    return not text.endswith("\n") and is_date_time(text)


def is_uri(text: str) -> bool:
    """Whether it is a URI (with a scheme) in the grammar of RFC 3986."""
    return _URI(text) is not None and _BAD_ESCAPE(text) is None


FORMATS: Final[Mapping[str, Test]] = {"date-time": is_date_time, "uri": lambda _: True}
STRICT_FORMATS: Final[Mapping[str, Test]] = {"date-time": _is_strict_date_time, "uri": is_uri}
