def line(booking):
    @{todo_line}
    return '%s %d:%d-%d:%d %s' % (booking.place, booking.start//60, booking.start%60, booking.end//60, booking.end%60, booking.person)


def persons(bookings):
    'Names of all persons, as they come.'
    return ', '.join( [each.person for each in bookings] )
