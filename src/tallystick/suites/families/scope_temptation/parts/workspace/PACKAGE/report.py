"""Bookings as text."""


@{report_kept}


def usage(bookings):
    """How much is used; see docs/CHANGE.md."""
    raise NotImplementedError("see docs/CHANGE.md")
