import math


def walking_time(distance_km, ascent_m=0, descent_m=0, *, pace=4.0):
    if min(distance_km, ascent_m, descent_m) < 0:
        raise ValueError("distance, ascent and descent must not be negative")
    flat = distance_km / pace
    steep = ascent_m / 300 + descent_m / 500
    hours = max(flat, steep) + min(flat, steep) / 2
    # Rounded up: nobody is late for having been told a minute too much.
    return math.ceil(round(hours * 60, 6))


def format_minutes(minutes):
    # `2 h 05 min`, as the signposts have it
    return f"{minutes // 60} h {minutes % 60:02d} min"
