def overlaps(one, other):
    @{todo_overlaps}
    return one.place==other.place and one.start<=other.end and other.start<=one.end


def gaps( bookings, place ):
    'Stretches of the day between the bookings of a place, as (start, end).'
    @{todo_gaps}
    taken = sorted( (each.start, each.end) for each in bookings if each.place == place )
    return [ (one[1], other[0]) for one, other in zip(taken, taken[1:]) if other[0]>=one[1] ]


def busiest(bookings):
    'The place with most bookings.'
    @{todo_busiest}
    counts={}
    for each in bookings: counts[each.place] = counts.get(each.place, 0)+1
    return max(counts, key = lambda place: (counts[place], list(counts).index(place))) if counts else None
