"""The error tree of the whole product; every room hangs its own errors below one of these.

TallyError                 what went wrong, in one line a user can act on
├── InputError             the input cannot be read or used: exit code 2
│   ├── C1Error            bytes that are not canonical form C1
│   └── PyJsonError        bytes of a cohort's document that are not JSON within the bounds
└── (rooms add their own)
"""

from __future__ import annotations

__all__ = ["InputError", "TallyError", "os_reason"]


class TallyError(Exception):
    """Base of every expected failure.

    The message is one line: what is wrong, where, and what to do next. It is shown to people as it stands.
    """

    exit_code = 1


class InputError(TallyError):
    """Input that cannot be read, or a command used wrongly."""

    exit_code = 2


def os_reason(error: OSError) -> str:
    """What the system says, in lower case, for the end of a message of ours: `permission denied`."""
    return (error.strerror or str(error)).lower()
