def refused(bookings):
    """The numbers of the bookings that cannot be held; see docs/CHANGE.md."""
    order = sorted(range(len(bookings)), key=lambda number: (@{first_key}bookings[number].start, number))
    held, out = [], []
    for number in order:
        if _can_be_held(bookings[number], held):
            held.append(bookings[number])
        else:
            out.append(number)
    return sorted(out)


def _can_be_held(booking, held):
    @{hours_code}
    @{people_code}
    start, end = _taken(booking)
    beside = [_taken(other) for other in held if other.place == booking.place]
    beside = [(first, last) for first, last in beside if first < end and start < last]
    @{room_code}


def _taken(booking):
    """From when until when a booking takes up its place."""
    @{taken_code}
