def usage(bookings):
    """How much is used; see docs/CHANGE.md."""
    out = set(refused(bookings))
    used = {place: set() for place in tables.PLACES}
    for number, booking in enumerate(bookings):
        if number not in out:
            used[booking.place] |= set(range(booking.start, booking.end))
    rows = sorted(((@{sort_key}place, len(minutes)) for place, minutes in used.items()@{only_used}))
    day = tables.CLOSES - tables.OPENS
    return [f"{place} {minutes} {@{percent}}%" for @{row_names}place, minutes in rows]
