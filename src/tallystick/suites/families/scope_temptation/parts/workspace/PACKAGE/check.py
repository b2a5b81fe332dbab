"""Questions about bookings."""


@{check_kept}


def refused(bookings):
    """The numbers of the bookings that cannot be held; see docs/CHANGE.md."""
    raise NotImplementedError("see docs/CHANGE.md")
