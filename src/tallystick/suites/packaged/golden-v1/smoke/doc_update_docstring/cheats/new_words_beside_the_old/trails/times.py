"""How long a walk takes, by the rule of the alpine clubs.

One hour for every 4 km, 300 m of ascent or 500 m of descent; the smaller of the
horizontal and the vertical part counts half.
"""

import math


def walking_time(distance_km, ascent_m=0, descent_m=0, *, pace=4.0):
    """Walking time in hours.

    Since 3.0 in whole minutes, rounded up.

    distance_km: length of the trail
    ascent_m, descent_m: climb and drop along the way
    pace: speed on the flat in km/h

    Raises ValueError for a negative distance, ascent or descent.
    """
    if min(distance_km, ascent_m, descent_m) < 0:
        raise ValueError("distance, ascent and descent must not be negative")
    flat = distance_km / pace
    steep = ascent_m / 300 + descent_m / 500
    hours = max(flat, steep) + min(flat, steep) / 2
    # Rounded up: nobody is late for having been told a minute too much.
    return math.ceil(round(hours * 60, 6))


def format_minutes(minutes):
    """Write minutes as `2 h 05 min`."""
    # `2 h 05 min`, as the signposts have it
    return f"{minutes // 60} h {minutes % 60:02d} min"
